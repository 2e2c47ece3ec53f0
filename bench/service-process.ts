import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chains } from '../src/chains/index.js'
import { createSystemClock } from '../src/clock.js'
import { createKeyStore } from '../src/keys/create-key-store.js'
import { issueKey } from '../src/keys/issue.js'
import { MAX_LIMIT } from '../src/keys/key-record.js'

/** The service as it is shipped, compiled and in a process of its own. */
export interface ServiceProcess {
  url: string
  metricsUrl: string
  pid: number
  /** One JSON object per line; gone when the stage is stopped. */
  logPath: string
  stop(): Promise<void>
}

const ROOT = resolve(import.meta.dirname, '..')
/** As in the image and the systemd unit: the C library keeps arenas for every thread otherwise. */
const AS_SHIPPED = { MALLOC_ARENA_MAX: '2' }
/** As in `npm start`. */
const V8_FLAGS = ['--v8-pool-size=1', '--max-semi-space-size=4', '--heap-growing-percent=50']

/** What a loader adds to functions would be measured too. */
export function compileService(): void {
  if (isCompiled()) return
  const bundle = ['build', '--config', 'scripts/service.vite.config.ts', '--logLevel', 'warn']
  execFileSync(join(ROOT, 'node_modules/.bin/vite'), bundle, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Whether nothing in `src` is newer than what it was compiled to. */
function isCompiled(): boolean {
  const compiled = join(ROOT, 'dist/main.js')
  if (!existsSync(compiled)) return false
  const compiledAt = statSync(compiled).mtimeMs
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  return files.every((file) => statSync(join(ROOT, 'src', file)).mtimeMs <= compiledAt)
}

/** Partner keys with the highest limit there is. */
export async function issueKeys(dataDir: string, count: number): Promise<string[]> {
  const store = await createKeyStore({ dataDir, databaseUrl: undefined })
  const limits = { analysis: MAX_LIMIT, general: MAX_LIMIT }
  const keys: string[] = []
  for (let i = 0; i < count; i += 1) {
    const { key } = await issueKey({ store, clock: createSystemClock() }, { label: 'load', tier: 'partner', limits })
    keys.push(key)
  }
  await store.close()
  return keys
}

/** Nothing but this machine is ever asked for anything. */
const NOWHERE = 'http://127.0.0.1:1'

export interface ServiceOptions {
  /** The node of each chain, by what the chain is called in `ASSAY_RPC_<id>`. */
  nodes: Readonly<Record<string, string>>
  dataDir: string
  /** Further settings. */
  env?: Readonly<Record<string, string>>
}

/** Starts the compiled service in a process of its own. */
export async function startService({ nodes, dataDir, env = {} }: ServiceOptions): Promise<ServiceProcess> {
  const metricsPort = await freePort()
  // Into a file, as a process manager would: reading a pipe would take the machine's time.
  const logPath = join(dataDir, 'log')
  const logFile = openSync(logPath, 'w')
  const child = spawn(process.execPath, [...V8_FLAGS, join(ROOT, 'dist/main.js')], {
    env: {
      PATH: process.env.PATH ?? '',
      ...AS_SHIPPED,
      HOST: '127.0.0.1',
      PORT: '0',
      ASSAY_DATA_DIR: dataDir,
      ASSAY_LOG_LEVEL: 'info',
      ASSAY_METRICS_PORT: String(metricsPort),
      ...Object.fromEntries([...chains.map(({ id }) => id), 'SOL'].map((id) => [`ASSAY_RPC_${id}`, NOWHERE])),
      ...Object.fromEntries(Object.entries(nodes).map(([id, url]) => [`ASSAY_RPC_${id}`, url])),
      ...env,
    },
    stdio: ['ignore', logFile, 'inherit'],
  })
  closeSync(logFile)
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  const exited = once(child, 'exit')
  const url = await findUrl(child, logPath)
  return {
    url,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    pid: child.pid ?? 0,
    logPath,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      await exited
      process.off('exit', kill)
    },
  }
}

/** Where the service listens, by its log. */
async function findUrl(child: ChildProcess, logPath: string): Promise<string> {
  for (;;) {
    const url = /"url":"([^"]+)","msg":"listening"/.exec(readFileSync(logPath, 'utf8'))?.[1]
    if (url !== undefined) return url
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('the service ended before it listened')
    await sleep(START_MS)
  }
}

const START_MS = 5

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net')
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** Of `/proc`: a hundred ticks a second on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100
const USER_TICKS = 13
const SYSTEM_TICKS = 14

/** Seconds of processor time that a process and its threads have used. Linux only. */
export function cpuSecondsOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
  // The name in brackets may hold spaces; the third field follows it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[USER_TICKS - 2]) + Number(fields[SYSTEM_TICKS - 2])) / TICKS_PER_SECOND
}

/** Megabytes that a process holds in memory. Linux only. */
export function residentMbOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]
  return Number(kilobytes) / 1_024
}

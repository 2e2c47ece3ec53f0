import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { generations, readCompiledTraps } from '../../scripts/trap-compilers.js'
import { chains } from '../../src/chains/index.js'
import { createSystemClock } from '../../src/clock.js'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.js'
import type { Address, Hex } from '../../src/hex.js'
import { createKeyStore } from '../../src/keys/create-key-store.js'
import { issueKey } from '../../src/keys/issue.js'
import { MAX_LIMIT } from '../../src/keys/key-record.js'
import { startFaultProxy } from '../../test/fault-proxy/fault-proxy.js'
import { type Limitation, limitedNode } from '../../test/fault-proxy/limited-node.js'
import { listAll } from '../../test/traps/trap-market.js'
import type { Question } from './lanes.js'

/** The service as it is shipped, compiled and in a process of its own, on a devnet with tokens that trade. */
export interface LoadStage {
  service: ServiceProcess
  devnet: Devnet
  /** Each with a pool of its own, and code that differs from the others' in its last bytes. */
  tokens: readonly Address[]
  /** Partner keys with the highest limit there is; whoever needs more a minute than that takes turns with them. */
  keys: readonly string[]
  stop(): Promise<void>
}

export interface ServiceProcess {
  url: string
  metricsUrl: string
  pid: number
  /** One JSON object per line; gone when the stage is stopped. */
  logPath: string
  stop(): Promise<void>
}

export interface StageOptions {
  tokens: number
  keys: number
  /** Seconds between blocks, as on a live chain; without it no block comes unless the bench mines one. */
  blockEverySeconds?: number
  /** Without it, the service asks the chain itself. */
  node?: {
    /** How much later its answers come, as from a node elsewhere. */
    delayMs: number
    /** What it cannot do, as many public nodes. */
    limitations?: readonly Limitation[]
  }
}

const ROOT = resolve(import.meta.dirname, '../..')
/** An ordinary token with fees and a sale of them. */
const TOKEN = 'SwapBack'
const TRAP_COMPILER = 1
/** anvil takes no larger bodies than 2 MB. */
const PLACED_AT_ONCE = 50

export async function startStage({
  tokens: count,
  keys: keyCount,
  blockEverySeconds,
  node,
}: StageOptions): Promise<LoadStage> {
  compileService()
  const devnet = await startDevnet({ chainId: 1, examples: [] })
  const tokens = await placeTokens(devnet, count)
  if (blockEverySeconds !== undefined) await devnet.node.call('evm_setIntervalMining', blockEverySeconds)
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-load-'))
  const keys = await issueKeys(dataDir, keyCount)
  const proxy = node && (await startFaultProxy(devnet.url, node))
  proxy?.inject(...limitedNode(...(node?.limitations ?? [])))
  const service = await startService(proxy?.url ?? devnet.url, dataDir)
  return {
    service,
    devnet,
    tokens,
    keys,
    async stop() {
      await service.stop()
      await proxy?.close()
      await devnet.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** What a loader adds to functions would be measured too. */
function compileService(): void {
  if (isCompiled()) return
  execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** Whether nothing in `src` is newer than what it was compiled to. */
function isCompiled(): boolean {
  const compiled = join(ROOT, 'dist/main.js')
  if (!existsSync(compiled)) return false
  const compiledAt = statSync(compiled).mtimeMs
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  return files.every((file) => statSync(join(ROOT, 'src', file)).mtimeMs <= compiledAt)
}

async function placeTokens(devnet: Devnet, count: number): Promise<Address[]> {
  const generation = generations[TRAP_COMPILER]
  const creationCode = generation && readCompiledTraps(generation)?.get(TOKEN)
  if (creationCode === undefined) throw new Error('contracts/traps has changed. Run: npm run compile:traps')
  const offers = Array.from({ length: count }, (_, i) => ({ name: `${TOKEN} ${i}`, creationCode, after: [] }))
  const tokens = await listAll(devnet, offers)
  for (let at = 0; at < count; at += PLACED_AT_ONCE) {
    const part = tokens.slice(at, at + PLACED_AT_ONCE)
    const codes = await devnet.node.batch<Hex>(
      part.map((token) => ({ method: 'eth_getCode', params: [token, 'latest'] })),
    )
    await devnet.node.batch(
      part.map((token, i) => ({ method: 'anvil_setCode', params: [token, `${codes[i]}${token.slice(2)}`] })),
    )
  }
  await devnet.node.call('evm_mine')
  return tokens
}

async function issueKeys(dataDir: string, count: number): Promise<string[]> {
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

async function startService(nodeUrl: string, dataDir: string): Promise<ServiceProcess> {
  const metricsPort = await freePort()
  // Into a file, as a process manager would: whoever reads a pipe takes the machine's time.
  const logPath = join(dataDir, 'log')
  const logFile = openSync(logPath, 'w')
  const child = spawn(process.execPath, [join(ROOT, 'dist/main.js')], {
    env: {
      PATH: process.env.PATH ?? '',
      HOST: '127.0.0.1',
      PORT: '0',
      ASSAY_DATA_DIR: dataDir,
      ASSAY_LOG_LEVEL: 'info',
      ASSAY_METRICS_PORT: String(metricsPort),
      ...Object.fromEntries([...chains.map(({ id }) => id), 'SOL'].map((id) => [`ASSAY_RPC_${id}`, NOWHERE])),
      ASSAY_RPC_1: nodeUrl,
    },
    stdio: ['ignore', logFile, 'inherit'],
  })
  closeSync(logFile)
  process.once('exit', () => child.kill('SIGKILL'))
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

const START_MS = 50

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net')
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** The body of a question on a token; another amount is another question. */
export function questionOf(target: string | undefined, amount?: bigint): string {
  return JSON.stringify({ targetContractAddress: target, chainId: 1, ...(amount && { amount: String(amount) }) })
}

/** Questions that have no answer yet: the tokens and the keys in turn, another amount each time. */
export function askAnew({ tokens, keys }: Pick<LoadStage, 'tokens' | 'keys'>): () => Question {
  const token = inTurn(tokens)
  const key = inTurn(keys)
  return () => {
    lastAmount += 1n
    return { key: key(), body: questionOf(token(), lastAmount) }
  }
}

/** No amount comes twice in a process, whoever asks: answers are remembered. */
let lastAmount = 10n ** 15n

/** Takes turns with the members of a list. */
export function inTurn<T>(list: readonly T[]): () => T {
  let turn = 0
  return () => {
    const item = list[turn % list.length]
    if (item === undefined) throw new RangeError('nothing to take turns with')
    turn += 1
    return item
  }
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

import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { chains } from '../../src/chains/index.js'
import { guardProcess } from '../../src/devnet/guard.js'
import { program } from '../compiled.js'

const NOWHERE = 'http://127.0.0.1:1'

export interface ServiceProcessOptions {
  dataDir: string
  /** Where its log goes. */
  stdout: number | 'pipe' | 'ignore'
  /** Megabytes that its objects may take. */
  heapMb?: number
}

export interface ServiceProcess {
  url: string
  child: ChildProcess
}

/**
 * The service in a process of its own, without nodes, once it answers. Its port is chosen for it,
 * because some tests take its log away; where somebody else was quicker to take it, another one is
 * tried.
 */
export async function startServiceProcess(options: ServiceProcessOptions): Promise<ServiceProcess> {
  for (let attempt = 1; ; attempt += 1) {
    const { url, child } = start(randomInt(LOWEST_PORT, HIGHEST_PORT), options)
    while (child.exitCode === null && child.signalCode === null) {
      if (await fetch(`${url}/health`).catch(() => undefined)) return { url, child }
      await sleep(POLL_MS)
    }
    if (attempt === MAX_ATTEMPTS) throw new Error(`the service ended with ${child.exitCode}`)
  }
}

/** Below those that systems give to whoever names none, as all other tests do. */
const LOWEST_PORT = 20_000
const HIGHEST_PORT = 30_000
const MAX_ATTEMPTS = 3
const POLL_MS = 50

function start(port: number, { dataDir, stdout, heapMb }: ServiceProcessOptions): ServiceProcess {
  const heap = heapMb === undefined ? [] : [`--max-old-space-size=${heapMb}`]
  const child = spawn(process.execPath, [...heap, program('main')], {
    env: {
      ...process.env,
      ...Object.fromEntries([...chains.map(({ id }) => id), 'SOL'].map((id) => [`ASSAY_RPC_${id}`, NOWHERE])),
      HOST: '127.0.0.1',
      PORT: String(port),
      ASSAY_DATA_DIR: dataDir,
      ASSAY_LOG_LEVEL: 'info',
    },
    stdio: ['ignore', stdout, 'inherit'],
  })
  guardProcess(child)
  return { url: `http://127.0.0.1:${port}`, child }
}

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { compileService, issueKeys, residentMbOf, startService } from '../service-process.js'
import { report } from './measure.js'
import { HOOKED, HOSTILE, ORDINARY, startNode } from './solana-stage.js'

/** `ASSAY_BENCH_CHECKS` makes it shorter. */
const CHECKS = Number(process.env.ASSAY_BENCH_CHECKS ?? 5_000)
const LANES = 2
const WARM_UP = 200
const PARTS = 10
/**
 * One of so many is hostile: it takes six times as long as an ordinary one, and its machine is
 * thrown away.
 */
const HOSTILE_EVERY = 25
/** Each may ask a thousand times a minute. */
const KEYS = 8
/** What the service says where the machine has other work; asked again, as clients are told to. */
const BUSY = 503
const MAX_AGAIN = 20
const AGAIN_MS = 1_000
const MAX_GROWTH = 1.05
const MAX_MB = 350

/**
 * Whether memory stays, of the service as it is shipped: compiled, in a process of its own, asked
 * over HTTP. From source the loader of TypeScript gives the threads turns of the event loop that
 * they do not have in service.
 */
export async function run(): Promise<void> {
  compileService()
  const node = await startNode()
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-memory-'))
  try {
    const keys = await issueKeys(dataDir, KEYS)
    const service = await startService({ nodes: { SOL: node.url }, dataDir })
    try {
      await measure(async (turn) => {
        const targetContractAddress = node.addresses[exampleOf(turn)]
        const post = () =>
          fetch(`${service.url}/api/solana/token-checks`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', authorization: `Bearer ${keys[turn % KEYS]}` },
            body: JSON.stringify({ targetContractAddress, chainId: 'SOL' }),
          })
        let response = await post()
        for (let again = 0; response.status === BUSY && again < MAX_AGAIN; again += 1) {
          await response.arrayBuffer()
          await sleep(AGAIN_MS)
          response = await post()
        }
        if (!response.ok) throw new Error(`${response.status}: ${warningsIn(service.logPath)}`)
        await response.arrayBuffer()
      }, service.pid)
    } finally {
      await service.stop()
    }
  } finally {
    node.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Why the service could not answer, by its own log. */
const warningsIn = (logPath: string) =>
  readFileSync(logPath, 'utf8')
    .split('\n')
    .filter((line) => /"level":[4-6]0/.test(line))
    .slice(-5)
    .join('\n')

function exampleOf(turn: number): string {
  const isHostile = turn % HOSTILE_EVERY === 0
  const names = isHostile ? HOSTILE : [...HOOKED, ...ORDINARY]
  return names[Math.floor(turn / (isHostile ? HOSTILE_EVERY : 1)) % names.length] ?? ''
}

async function measure(ask: (turn: number) => Promise<void>, pid: number): Promise<void> {
  let asked = 0
  const askMany = async (count: number) => {
    const end = asked + count
    const lane = async () => {
      while (asked < end) {
        asked += 1
        await ask(asked)
      }
    }
    await Promise.all(Array.from({ length: LANES }, lane))
  }
  await askMany(WARM_UP)
  const warm = residentMbOf(pid)
  report(`warm, after ${WARM_UP} checks`, warm, 'MB')
  const start = performance.now()
  let most = warm
  for (let part = 1; part <= PARTS; part += 1) {
    await askMany(Math.round(CHECKS / PARTS))
    const resident = residentMbOf(pid)
    most = Math.max(most, resident)
    report(`after ${Math.round((CHECKS * part) / PARTS)} more`, resident, 'MB')
  }
  report('most, of what it was when warm', most / warm, 'times', most / warm > MAX_GROWTH ? 'MISSED' : '')
  report('most', most, 'MB', most > MAX_MB ? 'MISSED' : '')
  report('took', (performance.now() - start) / 1_000, 's')
}

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createCheckSolanaToken } from '../../src/checks/solana/check-token.js'
import { createReadSets } from '../../src/checks/solana/read-sets.js'
import { TRUSTED_MINTS } from '../../src/checks/solana/trusted-mints.js'
import { createSystemClock } from '../../src/clock.js'
import type { SolanaAddress } from '../../src/solana/address.js'
import { createProgramMemory } from '../../src/solana/program-memory.js'
import { createSolanaRpc } from '../../src/solana/rpc/client.js'
import { createSvmEngine } from '../../src/solana/svm/engine.js'
import { median, report } from './measure.js'

/** Tokens without a hook, and one with: its program is never run in a machine that anybody else uses. */
const ORDINARY = ['plain', 'mintable', 'freezable', 'fee of 1 %', 'pausable']
const HOOKED = ['hook that allows all', 'hook with a whitelist']
const HOSTILE = ['hook that never ends', 'hook that floods the log', 'hook with a wild pointer']

/** Checks after which memory is looked at. `ASSAY_BENCH_CHECKS` changes the whole number; docs/solana.md has a run of 5,000. */
const CHECKS = Number(process.env.ASSAY_BENCH_CHECKS ?? 300)
const SAMPLES = 40

/** CPU of this process and its threads (the node is another process): what one check costs, and whether memory stays. */
export async function run(): Promise<void> {
  const { node, url, addresses } = await startNode()
  const clock = createSystemClock()
  const rpc = createSolanaRpc({ urls: [url], clock })
  const engine = createSvmEngine({ threads: 1 })
  const check = createCheckSolanaToken({
    rpc,
    engine,
    clock,
    programs: createProgramMemory(),
    readSets: createReadSets(),
    trusted: TRUSTED_MINTS,
    secret: new Uint8Array(32),
    maxHeadAgeMs: Number.POSITIVE_INFINITY,
  })
  const ask = (name: string) => {
    const address = addresses[name]
    if (address === undefined) throw new Error(`no example ${name}`)
    return check({ address })
  }
  try {
    report('first check, threads and programs cold', await cpuOf(() => ask('plain')), 'ms CPU')
    for (const name of [...ORDINARY, ...HOOKED]) await ask(name)
    for (const [group, names] of [
      ['ordinary token', ORDINARY],
      ['token with a hook', HOOKED],
    ] as const) {
      const times: number[] = []
      for (let i = 0; i < SAMPLES; i += 1) times.push(await cpuOf(() => ask(names[i % names.length] ?? '')))
      const sorted = [...times].sort((a, b) => a - b)
      report(`warm check, ${group}: p50`, median(times), 'ms CPU')
      report(`warm check, ${group}: p95`, sorted[Math.floor(sorted.length * 0.95)] ?? 0, 'ms CPU')
    }
    for (const name of HOSTILE) report(name, await cpuOf(() => ask(name)), 'ms CPU', 'survived')
    await reportMemory(ask)
  } finally {
    await Promise.all([rpc.close(), engine.close()])
    node.kill()
  }
}

async function reportMemory(ask: (name: string) => Promise<unknown>): Promise<void> {
  const mixed = [...ORDINARY, ...HOOKED, ...HOSTILE]
  const parts = 10
  let highest = 0
  for (let part = 1; part <= parts; part += 1) {
    for (let i = 0; i < CHECKS / parts; i += 1) await ask(mixed[i % mixed.length] ?? '')
    const megabytes = process.memoryUsage().rss / 1024 / 1024
    highest = Math.max(highest, megabytes)
    report(`memory after ${Math.round((CHECKS * part) / parts)} checks`, megabytes, 'MB')
  }
  report('highest', highest, 'MB')
}

async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

interface BenchNode {
  node: ChildProcess
  url: string
  addresses: Record<string, SolanaAddress>
}

/** The devnet in a process of its own, so that its work is not counted. */
async function startNode(): Promise<BenchNode> {
  const node = fork(new URL('./solana-node.ts', import.meta.url), { execArgv: ['--import', 'tsx'] })
  const [message] = (await once(node, 'message')) as [Omit<BenchNode, 'node'>]
  return { node, ...message }
}

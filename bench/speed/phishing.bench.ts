import { cpus } from 'node:os'
import type { Address } from '../../src/hex.js'
import { startPhishingOnDevnet } from '../../test/phishing/phishing-on-devnet.js'
import { median, report } from './measure.js'

const ROUNDS = 1
const WARM_UP_ROUNDS = 2
/** Large contracts of the wild, and the smallest drainer. */
const SHOWN = 8

/** Processor time of a whole warm phishing check, all threads together: the probes, the reading of the code, and what the nodes are asked. */
export async function run(): Promise<void> {
  const stage = await startPhishingOnDevnet()
  try {
    const { chain } = stage.devnet
    const addresses = new Map<string, Address>(await stage.deployAll('0.8.30'))
    for (const { symbol, address } of chain.watchedTokens) addresses.set(symbol, address)
    for (const { name, router } of [...chain.v2.slice(0, 1), ...chain.v3.slice(0, 1), ...chain.v4]) {
      addresses.set(`${name} router`, router)
    }
    const rows: { name: string; cpuMs: number }[] = []
    for (const [name, address] of addresses) {
      for (let i = 0; i < WARM_UP_ROUNDS; i += 1) await stage.check(address)
      const times: number[] = []
      for (let i = 0; i < ROUNDS; i += 1) {
        const before = process.cpuUsage()
        await stage.check(address)
        const { user, system } = process.cpuUsage(before)
        times.push((user + system) / 1_000)
      }
      rows.push({ name, cpuMs: median(times) })
    }
    const sorted = rows.toSorted((a, b) => b.cpuMs - a.cpuMs)
    const times = sorted.map(({ cpuMs }) => cpuMs)
    report(
      'warm check, p50 of all contracts',
      median(times),
      'ms CPU',
      `${rows.length} contracts, ${cpus().length} cores`,
    )
    report('warm check, p95', times[Math.floor(times.length * 0.05)] ?? Number.NaN, 'ms CPU')
    for (const { name, cpuMs } of sorted.slice(0, SHOWN)) report(`  ${name}`, cpuMs, 'ms CPU')
  } finally {
    await stage.stop()
  }
}

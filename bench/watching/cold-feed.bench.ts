import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startDevnet } from '../../src/devnet/start-devnet.js'
import { createLauncher } from '../../test/feed/launcher.js'
import { compileService, cpuSecondsOf, issueKeys, startService } from '../service-process.js'

/**
 * `npm run bench:feed:cold`: how long the first new tokens after a start of the compiled service
 * wait for their verdicts, from sending the transaction that makes the pool. On a devnet of the
 * chain with its best-known tokens on sale.
 */
const STARTS = Number(process.env.BENCH_STARTS ?? 3)
/** From the first answer of the service to the first launch. */
const PAUSE_MS = Number(process.env.BENCH_PAUSE_MS ?? 20_000)
const TOKENS = ['Clean', 'SellBlocked', 'OwnerCanClose']
const CHAIN = 1
const MAX_LOOKS = 300
/** What the service logs of an attempt that came to no verdict. */
const FAILED = 'the feed of new markets failed'
const MAX_LINE = 400

interface Page {
  listings: { address: string; state: string; judgedAt: string | null }[]
}

compileService()
const devnet = await startDevnet({ chainId: CHAIN, examples: ['usdt', 'usdc'] })
const launcher = createLauncher(devnet)
const { router } = devnet.chain.v2[0] ?? {}
try {
  for (let start = 0; start < STARTS; start += 1) {
    const dataDir = mkdtempSync(join(tmpdir(), 'assay-bench-feed-'))
    const [key = ''] = await issueKeys(dataDir, 1)
    const env = { ASSAY_FEED: String(CHAIN), ASSAY_MAX_HEAD_AGE: '0', ASSAY_SECOND_OPINIONS: '0' }
    const service = await startService({ nodes: { [CHAIN]: devnet.url }, dataDir, env })
    try {
      const headers = { authorization: `Bearer ${key}` }
      const page = async () => (await (await fetch(`${service.url}/api/feed`, { headers })).json()) as Page
      await wait(PAUSE_MS)
      const seconds: string[] = []
      for (const contract of TOKENS) {
        const token = await launcher.make(contract, contract === 'SellBlocked' ? [router] : [])
        const [sentAt, usedBefore] = [Date.now(), cpuSecondsOf(service.pid)]
        await launcher.launch(token)
        const isIt = ({ address, state }: Page['listings'][number]) =>
          address.toLowerCase() === token && state === 'judged'
        let judgedAt: string | null | undefined
        for (let looks = 0; !judgedAt && looks < MAX_LOOKS; looks += 1, await wait(100))
          judgedAt = (await page()).listings.find(isIt)?.judgedAt
        const used = cpuSecondsOf(service.pid) - usedBefore
        seconds.push(`${((Date.parse(judgedAt ?? '') - sentAt) / 1_000).toFixed(1)} (${used.toFixed(1)})`)
      }
      const failures = readFileSync(service.logPath, 'utf8')
        .split('\n')
        .filter((line) => line.includes(FAILED))
      process.stdout.write(
        `${PAUSE_MS / 1_000} s after the start: ${seconds.join(', ')} s from launch to verdict (of processor time in brackets); ${failures.length} attempts failed\n`,
      )
      for (const line of failures) process.stdout.write(`  ${line.slice(0, MAX_LINE)}\n`)
    } finally {
      await service.stop()
      rmSync(dataDir, { recursive: true, force: true })
    }
  }
} finally {
  await devnet.stop()
}

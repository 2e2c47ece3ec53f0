import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SolanaTokenReport } from '../../src/checks/solana/solana-report.js'
import type { Lost } from '../../src/devnet/solana/solana-example.js'
import { SOLANA_EXAMPLES } from '../../src/devnet/solana/start-solana-devnet.js'
import { someOf } from '../some-of.js'
import { createSolanaStage, type SolanaStage } from './solana-stage.js'

const SHARE = 3

let stage: SolanaStage
beforeAll(async () => {
  stage = await createSolanaStage()
})
afterAll(() => stage.close())

describe('every example gets its expected verdict', () => {
  test.each(someOf(SOLANA_EXAMPLES, SHARE))('$name: $summary', async ({ name, expect: expected }) => {
    const report = await stage.check({ address: stage.addressOf(name) })
    expect(statusOf(report)).toBe(expected.trustStatus)
    if (report.kind === 'not-a-mint') return
    expect(report.gaps).toEqual([])
    if (expected.windows) expect(lossesOf(report)).toEqual(expected.windows)
    if (expected.isHoneypot !== undefined) expect(report.isHoneypot).toBe(expected.isHoneypot)
    if (expected.isTimeHoneypot !== undefined) expect(report.isTimeHoneypot).toBe(expected.isTimeHoneypot)
    const ids: string[] = report.findings.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([...(expected.findings ?? [])]))
    expect(ids.filter((id) => expected.absent?.includes(id))).toEqual([])
    const proven: string[] = report.findings.filter((finding) => finding.proven).map(({ id }) => id)
    expect(proven).toEqual(expect.arrayContaining([...(expected.proven ?? [])]))
  })
})

const statusOf = (report: Awaited<ReturnType<SolanaStage['check']>>) =>
  report.kind === 'not-a-mint' ? report.kind : report.level

/** Loss in percent, of each way and window. */
function lossesOf({ windows }: SolanaTokenReport): [Lost, Lost][] {
  const lost = (ok: boolean, bps: number): Lost => (ok ? Math.round(bps / 100) : 'x')
  return windows.map(({ buy, sell, buyTaxBps, sellTaxBps }) => [lost(buy.ok, buyTaxBps), lost(sell.ok, sellTaxBps)])
}

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SolanaTokenReport } from '../../src/checks/solana/solana-report.js'
import { RENT } from '../../src/devnet/solana/cluster.js'
import { HOOKS } from '../../src/devnet/solana/examples/transfer-hooks.js'
import { bytesToHex } from '../../src/hex.js'
import { toSolanaReport } from '../../src/reports/solana/to-report.js'
import { addressBytes } from '../../src/solana/address.js'
import { findProgramAddress } from '../../src/solana/pda.js'
import { createSolanaStage, type SolanaStage } from './solana-stage.js'

const WANTED = ['hook with a whitelist', 'immutable hook', 'hook with a limit on sales']
let stage: SolanaStage
beforeAll(async () => {
  stage = await createSolanaStage({
    examples: HOOKS.filter(({ name }) => WANTED.includes(name)),
    newSeed: () => bytesToHex(randomBytes(32)),
  })
})
afterAll(() => stage.close())

async function ask(name: string) {
  const report = await stage.check({ address: stage.addressOf(name) })
  if (report.kind !== 'token') throw new Error(`${name} is no token`)
  return report
}

const isListed = ({ hook, play }: SolanaTokenReport) =>
  hook && play && findProgramAddress(hook.program, [new TextEncoder().encode('listed'), addressBytes(play.trader)])

test('a trader that the author lists after one answer does not come back in the next', async () => {
  const first = await ask('hook with a whitelist')
  expect(first).toMatchObject({ level: 'Critical Risk', isHoneypot: true })
  const entry = isListed(first)
  if (!entry || !first.hook) throw new Error('no entry')
  stage.devnet.chain.set(entry, {
    lamports: RENT,
    owner: first.hook.program,
    executable: false,
    data: Uint8Array.of(1),
  })
  expect(await ask('hook with a whitelist')).toMatchObject({ level: 'Critical Risk', isHoneypot: true })
})

test('no answer names the people that it made up', async () => {
  const report = await ask('immutable hook')
  const trader = report.play?.trader ?? ''
  const body = toSolanaReport(report, { engineVersion: '0', now: 0 })
  expect(JSON.stringify(body)).not.toContain(trader)
  expect(body.checks.simulateResult.simulation.calls[0]).toMatchObject({ from: 'trader', depth: 1 })
})

test.each(['immutable hook', 'hook with a limit on sales'])(
  '%s is judged alike with other people each time',
  async (name) => {
    const verdicts = new Set<string>()
    for (let i = 0; i < 5; i += 1) {
      const { level, findings, windows } = await ask(name)
      verdicts.add(JSON.stringify([level, findings.map(({ id }) => id), windows.map(({ sellTaxBps }) => sellTaxBps)]))
    }
    expect([...verdicts]).toHaveLength(1)
  },
)

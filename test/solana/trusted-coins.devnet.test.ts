import { afterAll, beforeAll, expect, test } from 'vitest'
import { MARKETS } from '../../src/devnet/solana/examples/markets.js'
import { RULES } from '../../src/devnet/solana/examples/token-rules.js'
import { WRAPPED_SOL } from '../../src/solana/programs.js'
import { createSolanaStage, type SolanaStage } from './solana-stage.js'

let stage: SolanaStage
beforeAll(async () => {
  const wanted = ['plain', 'scheduled fee']
  stage = await createSolanaStage({ examples: [...RULES, ...MARKETS].filter(({ name }) => wanted.includes(name)) })
})
afterAll(() => stage?.close())

test('what a token costs that is traded for the native coin says nothing of that coin', async () => {
  const coin = await stage.check({ address: WRAPPED_SOL })
  if (coin.kind !== 'token') throw new Error('the coin is no token')
  expect(coin.pools).toEqual([])
  expect(['Safe', 'Low Risk', 'Medium Risk']).toContain(coin.level)
  const costly = await stage.check({ address: stage.addressOf('scheduled fee') })
  expect(costly.level).toBe('Critical Risk')
})

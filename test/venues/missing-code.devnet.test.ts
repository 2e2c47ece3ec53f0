import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { positionManagerOf } from '../../src/devnet/place-exchanges.js'
import type { Address } from '../../src/hex.js'
import { type ListPool, listOnV2, listOnV3, listOnV4 } from '../dex/list-pool.js'
import { createStage, type Stage } from '../dex/venue-stage.js'
import { type ChecksOnDevnet, startChecksOnDevnet } from '../traps/checks-on-devnet.js'

const some = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('the chain has none')
  return value
}

/** A devnet with tokens listed, from which code is taken away afterwards. */
async function startWithout(prepare: (stage: Stage) => Promise<readonly Address[]>): Promise<ChecksOnDevnet> {
  const checks = await startChecksOnDevnet()
  const stage = await createStage(checks.devnet)
  for (const address of await prepare(stage)) await checks.devnet.node.call('anvil_setCode', address, '0x')
  // Code that is set belongs to no block.
  await checks.devnet.node.call('evm_mine')
  return checks
}

async function listed(stage: Stage, contract: string, ...places: ListPool[]) {
  const token = await stage.deploy(contract)
  const pool = { quote: stage.chain.wrappedNative, tokenAmount: parseEther('200000'), quoteAmount: parseEther('40') }
  for (const list of places) await list(stage, { token, ...pool })
  return token
}

async function judge(checks: ChecksOnDevnet, token: Address) {
  const honeypot = await checks.honeypot(token)
  const { trade } = await checks.simulation(token)
  if ('failed' in trade) throw new Error(trade.errorReason)
  return { honeypot, trade }
}

describe('where an exchange has no code for its router, or for who hands out tokens', () => {
  let checks: ChecksOnDevnet
  const tokens: Record<'onV2' | 'onBoth' | 'trapOnBoth' | 'onV4', Address> = {
    onV2: '0x',
    onBoth: '0x',
    trapOnBoth: '0x',
    onV4: '0x',
  }
  let router: Address
  let permit2: Address

  beforeAll(async () => {
    checks = await startWithout(async (stage) => {
      const [v2, v3, v4] = [some(stage.chain.v2[0]), some(stage.chain.v3[0]), some(stage.chain.v4[0])]
      const [byV2, byV3] = [listOnV2(v2), listOnV3(v3, positionManagerOf(v3))]
      tokens.onV2 = await listed(stage, 'Clean', byV2)
      tokens.onBoth = await listed(stage, 'Clean', byV2, byV3)
      tokens.trapOnBoth = await listed(stage, 'StuckTransfers', byV2, byV3)
      tokens.onV4 = await listed(stage, 'Clean', listOnV4(v4, v4.positionManager))
      router = v2.router
      permit2 = v4.permit2
      return [router, permit2]
    })
  })
  afterAll(() => checks?.stop())

  test.each([
    ['the router', 'onV2', 'Uniswap V2', () => router],
    ['who hands out tokens', 'onV4', 'Uniswap V4', () => permit2],
  ] as const)('a token that trades there alone cannot be judged here: %s', async (_, name, venue, addressOf) => {
    const { honeypot, trade } = await judge(checks, tokens[name])
    const words = `Cannot be judged here: it has a pool on ${venue}, and there is no code at that exchange's address ${addressOf()}`
    expect(honeypot).toMatchObject({ isHoneypot: false, isTimeHoneypot: false, riskScore: 0, inconclusive: words })
    expect(trade).toMatchObject({ success: false, isHoneypot: false, errorReason: words })
    expect(trade.inconclusive).toBe('the exchange has no code here')
  })

  test('a token that trades elsewhere too is judged there', async () => {
    const { honeypot, trade } = await judge(checks, tokens.onBoth)
    expect(honeypot).toMatchObject({ isHoneypot: false, inconclusive: undefined, venue: 'Uniswap V3', riskScore: 0 })
    expect(trade).toMatchObject({ success: true, venue: { name: 'Uniswap V3' } })
  })

  test('a trap that trades elsewhere too is found there', async () => {
    const { honeypot, trade } = await judge(checks, tokens.trapOnBoth)
    expect(honeypot).toMatchObject({ isHoneypot: true, venue: 'Uniswap V3' })
    expect(trade.isHoneypot).toBe(true)
  })
})

describe('where an exchange has no code for its factory', () => {
  let checks: ChecksOnDevnet
  let token: Address
  let factory: Address
  beforeAll(async () => {
    checks = await startWithout(async (stage) => {
      const v2 = some(stage.chain.v2[0])
      token = await listed(stage, 'Clean', listOnV2(v2))
      factory = v2.factory
      return [factory]
    })
  })
  afterAll(() => checks?.stop())

  test('no pool is found, and it is said who was not asked', async () => {
    const { honeypot, trade } = await judge(checks, token)
    const words = `Uniswap V2 was not asked, as there is no code at ${factory}`
    expect(honeypot).toMatchObject({ isHoneypot: false, riskScore: 0 })
    expect(honeypot.inconclusive).toMatch(/^No liquidity: /)
    expect(honeypot.inconclusive).toContain(words)
    expect(trade).toMatchObject({ success: false, isHoneypot: false, inconclusive: 'no liquidity' })
    expect(trade.errorReason).toContain(words)
  })
})

import { maxUint256, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callData } from '../../src/dex/read-contract.js'
import type { Address } from '../../src/hex.js'
import { listOnV2, listOnV4 } from '../dex/list-pool.js'
import { createStage, type Stage } from '../dex/venue-stage.js'
import { type ChecksOnDevnet, startChecksOnDevnet } from '../traps/checks-on-devnet.js'

const TOKENS = parseEther('200000')
const COINS = parseEther('40')
/** On both exchanges: on V4, Permit2 stands between the token and the router. */
const EXCHANGES = ['Uniswap V2', 'Uniswap V4'] as const
type Exchange = (typeof EXCHANGES)[number]
/** Rules of approval that no wallet stumbles over. */
const HARMLESS = ['ApprovalFromZero', 'ApprovalAnswersNo', 'ApprovalOnlyRises', 'ApprovalUnlimitedOnly'] as const
const OTHERS = ['ApprovalFixedForPermit2', 'ApprovalRaisesFromZero', 'SlowTransfers', 'SmallSales'] as const
const listed = EXCHANGES.flatMap((exchange) => [...HARMLESS, ...OTHERS].map((name) => ({ exchange, name })))
type Name = (typeof listed)[number]['name']

let checks: ChecksOnDevnet
const tokens = new Map<string, Address>()
const keyOf = (exchange: Exchange, name: Name) => `${exchange} ${name}`

beforeAll(async () => {
  checks = await startChecksOnDevnet()
  const stage = await createStage(checks.devnet)
  for (const { exchange, name } of listed) tokens.set(keyOf(exchange, name), await list(stage, exchange, name))
})
afterAll(() => checks?.stop())

/** `increaseAllowance(address,uint256)` */
const RAISE = '0x39509351'

async function list(stage: Stage, exchange: Exchange, name: Name): Promise<Address> {
  const { chain, deploy, send } = stage
  const [[v2], [v4]] = [chain.v2, chain.v4]
  if (!v2 || !v4) throw new Error('this chain lacks exchanges')
  const token = await deploy(name)
  const approve: Stage['approve'] = async (each, spender) => {
    if (each !== token || !name.startsWith('Approval')) return stage.approve(each, spender)
    if (name === 'ApprovalRaisesFromZero') return send({ to: token, data: callData(RAISE, [spender, maxUint256]) })
    const isFixed = name === 'ApprovalFixedForPermit2' && spender === v4.permit2
    return isFixed ? undefined : stage.approve(each, spender)
  }
  const open = exchange === 'Uniswap V2' ? listOnV2(v2) : listOnV4(v4, v4.positionManager)
  const amounts = { tokenAmount: TOKENS, quoteAmount: COINS }
  await open({ ...stage, approve }, { token, quote: chain.wrappedNative, ...amounts })
  return token
}

async function judge(exchange: Exchange, name: Name) {
  const address = tokens.get(keyOf(exchange, name)) ?? '0x'
  const honeypot = await checks.honeypot(address)
  expect(honeypot.venue).toBe(exchange)
  const { trade } = await checks.simulation(address)
  if ('failed' in trade) throw new Error(trade.errorReason)
  return { honeypot, trade }
}

const ORDINARY = {
  honeypot: { isHoneypot: false, isTimeHoneypot: false, inconclusive: undefined, buyTaxBps: 0, sellTaxBps: 0 },
  trade: { success: true, isHoneypot: false, errorReason: '', allowanceChanges: [] },
}

describe.each(EXCHANGES)('on %s', (exchange) => {
  test.each(HARMLESS)('a token with other rules of approval is no trap: %s', async (name) => {
    const { honeypot, trade } = await judge(exchange, name)
    expect({ honeypot, trade }).toMatchObject(ORDINARY)
    expect(honeypot).toMatchObject({ riskScore: 0, findings: [] })
  })

  test('a token whose approval only a call that no front end offers can give is a trap', async () => {
    const { honeypot, trade } = await judge(exchange, 'ApprovalRaisesFromZero')
    expect(honeypot).toMatchObject({ isHoneypot: true })
    expect(trade).toMatchObject({ isHoneypot: true, errorReason: 'Approve reverted in the token: Raise it' })
  })

  test('a limit on sales is found, and is no trap', async () => {
    const { honeypot } = await judge(exchange, 'SmallSales')
    expect(honeypot).toMatchObject({ isHoneypot: false, maxBuy: undefined, findings: [] })
    // A thousandth of a million tokens, within half a percent.
    expect(Number(honeypot.maxSell) / 1e18).toBeGreaterThan(990)
    expect(Number(honeypot.maxSell) / 1e18).toBeLessThanOrEqual(1_000)
  })

  test('a seller who has to wait longer than an order may take can still sell', async () => {
    const { honeypot } = await judge(exchange, 'SlowTransfers')
    expect(honeypot).toMatchObject({ isHoneypot: false, sellTaxBps: 0, maxSell: undefined })
    expect(honeypot.findings.map(({ id }) => id)).toContain('cooldown')
  })

  test('what the token has let Permit2 do for ever needs no approval', async () => {
    const { honeypot, trade } = await judge(exchange, 'ApprovalFixedForPermit2')
    expect({ honeypot, trade }).toMatchObject(ORDINARY)
  })
})

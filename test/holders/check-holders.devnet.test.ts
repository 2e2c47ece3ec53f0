import { encodeFunctionData, parseAbi, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createReadTransfers } from '../../src/checks/history/read-transfers.js'
import { checkHolders } from '../../src/checks/holders/check-holders.js'
import type { HolderAnalysis } from '../../src/checks/holders/holders-report.js'
import { approve, createV2Market, transfer } from '../../src/devnet/market.js'
import type { Address } from '../../src/hex.js'
import { type Sale, startSale } from '../sale.js'

const abi = parseAbi([
  'function bar(address[] people)',
  'function empty(address[] people)',
  'function charge(address[] people, uint256 percent)',
])

let sale: Sale
beforeAll(async () => {
  sale = await startSale()
})
afterAll(() => sale?.stop())

/** A token on sale that everybody but the owner has bought once, in their order. */
async function sold(contract = 'BarredHolders'): Promise<{ token: Address; pool: Address }> {
  const token = await sale.deploy(contract)
  const pool = await sale.list(token)
  const market = createV2Market(sale.devnet.chain)
  for (const person of sale.people) await sale.send(market.buy(person, token, parseEther('0.1')))
  return { token, pool }
}

async function analyse(token: Address, pool: Address | undefined): Promise<HolderAnalysis | undefined> {
  const { simulator, rpc } = sale
  const { chain } = sale.devnet
  const readTransfers = createReadTransfers(() => rpc)
  const dependencies = { readTransfers, simulator, traderSecret: new Uint8Array(32).fill(7) }
  return checkHolders(dependencies, { chain, address: token }, await sale.openState(token), Promise.resolve(pool))
}

const act = (token: Address, functionName: 'bar' | 'empty', who: readonly Address[]) =>
  sale.send({ from: sale.owner, to: token, data: encodeFunctionData({ abi, functionName, args: [who] }) })

test('holders of an ordinary token sell, without tax', async () => {
  const { token, pool } = await sold()
  const count = sale.people.length
  const { known, ...analysis } = (await analyse(token, pool)) ?? { known: [] }
  // The owner has what was not listed, and the pool what was not bought.
  expect(known.slice(0, 2)).toMatchObject([
    { address: sale.owner, kind: 'account', sale: 'sold' },
    { address: pool, kind: 'pool', sale: undefined },
  ])
  expect(known.map(({ shareBps = 0 }) => shareBps)).toEqual(
    known.map(({ shareBps = 0 }) => shareBps).toSorted((a, b) => b - a),
  )
  expect(known.reduce((sum, { shareBps = 0 }) => sum + shareBps, 0)).toBeGreaterThan(9_990)
  expect(analysis).toEqual({
    holders: count + 2,
    tested: count + 1,
    successful: count + 1,
    ruined: 0,
    failed: 0,
    siphoned: 0,
    averageTaxBps: 0,
    highestTaxBps: 0,
    reasons: [],
    distinction: undefined,
    unfinished: undefined,
  })
})

test('the barred are counted with the reason, and what they have in common is found', async () => {
  const { token, pool } = await sold()
  await act(token, 'bar', sale.people.slice(-4))
  const analysis = await analyse(token, pool)
  expect(analysis).toMatchObject({
    failed: 4,
    successful: sale.people.length + 1 - 4,
    reasons: [{ reason: 'reverted in the token: You are barred', count: 4 }],
  })
  // They came last, which is told where blocks are a second apart; and the price rose with every
  // purchase, so that they got least.
  expect(analysis?.distinction).toMatch(/^they (came after \d{4}-.+Z|have less than \d+ base units)$/)
})

test('those whose tokens went away without a transfer are counted apart', async () => {
  const { token, pool } = await sold()
  const [gone, spent, heir] = sale.people
  if (!gone || !spent || !heir) throw new Error('too few people')
  await sale.send(transfer(spent, token, heir, await sale.balanceOf(token, spent)))
  await act(token, 'empty', [gone])
  // Whoever sent theirs has nothing either, and lost nothing.
  expect(await analyse(token, pool)).toMatchObject({ siphoned: 1, failed: 0, tested: sale.people.length - 1 })
})

test('those who sell and lose half of it or more are counted as ruined, and their loss is the reason', async () => {
  const { token, pool } = await sold('ChargedHolders')
  const charge = (people: readonly Address[], percent: bigint) =>
    sale.send({
      ...{ from: sale.owner, to: token },
      data: encodeFunctionData({ abi, functionName: 'charge', args: [people, percent] }),
    })
  await charge(sale.people.slice(-3), 95n)
  await charge(sale.people.slice(0, 2), 40n)
  expect(await analyse(token, pool)).toMatchObject({
    ...{ ruined: 3, failed: 0, successful: sale.people.length + 1 - 3, tested: sale.people.length + 1 },
    ...{ highestTaxBps: 9_500, reasons: [{ reason: '95 % were lost', count: 3 }] },
    // They came last as well, where a busy machine has let a second pass.
    distinction: expect.stringMatching(/^they (have less than \d+ base units|came after [\dTZ.:-]+)$/),
  })
})

test('without a pool nobody is tried', async () => {
  const { token } = await sold()
  expect(await analyse(token, undefined)).toBeUndefined()
})

describe('holders who have let the router take less than they sell', () => {
  async function analyseRule(contract: string) {
    const { token, pool } = await sold(contract)
    const { router } = createV2Market(sale.devnet.chain)
    for (const person of sale.people) await sale.send(approve(person, token, router, 1n))
    return analyse(token, pool)
  }

  test.each(['ApprovalFromZero', 'ApprovalAnswersNo', 'ApprovalRefusesZero', 'ApprovalOnlyRises'])(
    'sell as wallets do, whatever the token wants of approvals: %s',
    async (contract) => {
      expect(await analyseRule(contract)).toMatchObject({ failed: 0, successful: sale.people.length })
    },
  )

  test('cannot sell where no approval can be changed', async () => {
    const analysis = await analyseRule('ApprovalForOnce')
    expect(analysis?.failed).toBe(sale.people.length)
    expect(analysis?.reasons[0]?.reason).toBe('approve reverted in the token: Once')
  })
})

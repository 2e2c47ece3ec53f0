import { encodeFunctionData, parseAbi, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkLiquidity } from '../../src/checks/liquidity/check-liquidity.js'
import type { LiquidityReport } from '../../src/checks/liquidity/liquidity-report.js'
import { createReadShares, type ReadShares } from '../../src/checks/liquidity/read-shares.js'
import { approve, createV3Market, transfer } from '../../src/devnet/market.js'
import { positionManagerOf } from '../../src/devnet/place-exchanges.js'
import { venuesOf } from '../../src/dex/venues.js'
import type { Address, Hex } from '../../src/hex.js'
import { type Sale, startSale } from '../sale.js'

const DAY = 86_400
const DEAD: Address = '0x000000000000000000000000000000000000dead'
const lockAbi = parseAbi(['function lock(address token, uint256 amount, uint256 until)'])
const positionAbi = parseAbi(['function transferFrom(address from, address to, uint256 id)'])

let sale: Sale
beforeAll(async () => {
  sale = await startSale()
})
afterAll(() => sale?.stop())

async function measure(token: Address, pool: Address, readShares?: ReadShares): Promise<LiquidityReport> {
  const { simulator, rpc } = sale
  const { chain } = sale.devnet
  const dependencies = {
    readShares: readShares ?? createReadShares(() => rpc),
    simulator,
    traderSecret: new Uint8Array(32).fill(7),
  }
  const report = await checkLiquidity(dependencies, { chain, address: token }, await sale.openState(token), pool)
  if (!report) throw new Error('no pool was found')
  return report
}

/** A token on V2, and how many LP tokens its owner has. */
async function listed(): Promise<{ token: Address; pool: Address; amount: bigint }> {
  const token = await sale.deploy('Clean')
  const pool = await sale.list(token)
  return { token, pool, amount: await sale.balanceOf(pool, sale.owner) }
}

const give = (pool: Address, to: Address, amount: bigint) => sale.send(transfer(sale.owner, pool, to, amount))

async function chainTime(): Promise<number> {
  return Number((await sale.devnet.node.call<{ timestamp: Hex }>('eth_getBlockByNumber', 'latest', false)).timestamp)
}

async function lockUp(contract: string, pool: Address, amount: bigint, seconds: number) {
  const vault = await sale.deploy(contract)
  const until = BigInt((await chainTime()) + seconds)
  await sale.send(approve(sale.owner, pool, vault))
  const data = encodeFunctionData({ abi: lockAbi, functionName: 'lock', args: [pool, amount, until] })
  await sale.send({ from: sale.owner, to: vault, data })
  return { vault, until: Number(until) }
}

describe('LP tokens', () => {
  test('in a wallet can be pulled at once', async () => {
    const { token, pool } = await listed()
    const report = await measure(token, pool)
    expect(report).toMatchObject({ venue: 'Uniswap V2', pool, depth: parseEther('20'), burntBps: 0, lockedBps: 0 })
    expect(report.holders).toMatchObject([{ address: sale.owner, kind: 'account' }])
    expect(report.withdrawableBps.now).toBeCloseTo(10_000, 0)
    expect(report.unfinished).toBeUndefined()
  })

  test('that are burnt stay', async () => {
    const { token, pool, amount } = await listed()
    await give(pool, DEAD, amount)
    const report = await measure(token, pool)
    expect(report.burntBps).toBeCloseTo(10_000, 0)
    expect(report).toMatchObject({ lockedBps: 0, unknownBps: 0, withdrawableBps: { now: 0, in24h: 0, in7d: 0 } })
  })

  test('in a lock come free when the lock says, and not before', async () => {
    const { token, pool, amount } = await listed()
    const { vault, until } = await lockUp('LiquidityLock', pool, amount, 30 * DAY)
    const report = await measure(token, pool)
    expect(report.holders).toMatchObject([{ address: vault, kind: 'locker' }])
    expect(report.lockedBps).toBeCloseTo(10_000, 0)
    expect(report.withdrawableBps).toEqual({ now: 0, in24h: 0, in7d: 0 })
    expect(report.unlocks).toHaveLength(1)
    expect(Math.abs((report.unlocks[0]?.timestamp ?? 0) - until)).toBeLessThan(60)
  })

  test('in a lock for three days are free in seven', async () => {
    const { token, pool, amount } = await listed()
    await lockUp('LiquidityLock', pool, amount, 3 * DAY)
    const { withdrawableBps } = await measure(token, pool)
    expect(withdrawableBps).toMatchObject({ now: 0, in24h: 0 })
    expect(withdrawableBps.in7d).toBeCloseTo(10_000, 0)
  })

  test('in a lock with a way around it are not locked', async () => {
    const { token, pool, amount } = await listed()
    const { vault } = await lockUp('FakeLiquidityLock', pool, amount, 30 * DAY)
    const report = await measure(token, pool)
    expect(report.holders).toMatchObject([{ address: vault, kind: 'contract' }])
    expect(report.lockedBps).toBe(0)
    expect(report.withdrawableBps.now).toBeCloseTo(10_000, 0)
  })

  test.each([
    ['DateLock', 'a date that its maker can set'],
    ['NamedUnlockerLock', 'an unlocker that its maker names'],
    ['MigratorLock', 'a migration to where its maker says'],
    ['UpgradableLock', 'code that its maker exchanges'],
    ['HeirLock', 'an heir that its maker names and writes'],
    ['CutDateLock', 'a later date of which the upper bits are dropped'],
    ['WrappedTermLock', 'a term that carries the date past its last number'],
    ['LentLock', 'an allowance for code of its owner'],
  ])('in %s are not locked: %s', async (contract) => {
    const { token, pool, amount } = await listed()
    const { vault } = await lockUp(contract, pool, amount, 30 * DAY)
    const report = await measure(token, pool)
    expect(report.holders).toMatchObject([{ address: vault, kind: 'contract' }])
    expect(report.lockedBps).toBe(0)
    expect(report.withdrawableBps.now).toBeCloseTo(10_000, 0)
  })

  test.each([
    ['moves into another one until the same date', 'MovingLock'],
    ['can be given to another, who waits as well', 'GiftedLock'],
    ['can only be made longer', 'LongerLock'],
  ])('in a lock that %s stay locked', async (_, contract) => {
    const { token, pool, amount } = await listed()
    const { vault, until } = await lockUp(contract, pool, amount, 30 * DAY)
    const report = await measure(token, pool)
    expect(report.holders).toMatchObject([{ address: vault, kind: 'locker' }])
    expect(report.withdrawableBps).toEqual({ now: 0, in24h: 0, in7d: 0 })
    expect(Math.abs((report.unlocks[0]?.timestamp ?? 0) - until)).toBeLessThan(60)
  })

  test('partly burnt, partly locked and partly kept are told apart', async () => {
    const { token, pool, amount } = await listed()
    await give(pool, DEAD, amount / 2n)
    await lockUp('LiquidityLock', pool, amount / 4n, 30 * DAY)
    const report = await measure(token, pool)
    expect(report.burntBps).toBeCloseTo(5_000, 0)
    expect(report.lockedBps).toBeCloseTo(2_500, 0)
    expect(report.withdrawableBps.now).toBeCloseTo(2_500, 0)
    expect(report.holders.map(({ kind }) => kind)).toEqual(['burnt', 'locker', 'account'])
  })

  test('of holders that a node does not tell of are unknown, not safe', async () => {
    const { token, pool } = await listed()
    const report = await measure(token, pool, () => Promise.reject(new Error('refused')))
    expect(report).toMatchObject({ burntBps: 0, lockedBps: 0, unfinished: 'the node did not tell of every provider' })
    expect(report.unknownBps).toBeCloseTo(10_000, 0)
  })

  test('in a contract that says nothing are unknown, not locked', async () => {
    const { token, pool, amount } = await listed()
    const mute = await sale.deploy('NotAToken')
    await give(pool, mute, amount)
    const report = await measure(token, pool)
    expect(report.lockedBps).toBe(0)
    expect(report.unknownBps).toBeCloseTo(10_000, 0)
  })
})

describe('LP tokens that several people staked', () => {
  const gaugeAbi = parseAbi(['function deposit(uint256 amount)'])

  /** A tenth stays with the owner; three people staked what the owner gave them. */
  async function staked(contract: 'Gauge' | 'GaugeWithKeeper') {
    const { token, pool, amount } = await listed()
    const gauge = await sale.deploy(contract, [pool])
    const stakers = sale.people.slice(0, 3)
    for (const person of stakers) {
      await give(pool, person, (amount * 3n) / 10n)
      await sale.send(approve(person, pool, gauge))
      const data = encodeFunctionData({ abi: gaugeAbi, functionName: 'deposit', args: [(amount * 3n) / 10n] })
      await sale.send({ from: person, to: gauge, data })
    }
    return { gauge, stakers, report: await measure(token, pool) }
  }

  test("in a gauge can be taken out by each who staked them, and are in nobody's one hand", async () => {
    const { stakers, report } = await staked('Gauge')
    expect(report.holders.map(({ address }) => address).toSorted()).toEqual([...stakers, sale.owner].toSorted())
    expect(report.holders.every(({ kind }) => kind === 'account')).toBe(true)
    for (const person of stakers)
      expect(report.holders.find(({ address }) => address === person)?.shareBps).toBeCloseTo(3_000, 0)
    expect(report).toMatchObject({ lockedBps: 0, unknownBps: 0 })
    expect(report.withdrawableBps.now).toBeCloseTo(10_000, 0)
  })

  test('in a gauge that its maker can empty are in the hand of that gauge', async () => {
    const { gauge, report } = await staked('GaugeWithKeeper')
    expect(report.holders[0]).toMatchObject({ address: gauge, kind: 'contract' })
    expect(report.holders[0]?.shareBps).toBeCloseTo(9_000, 0)
    expect(report.withdrawableBps.now).toBeCloseTo(10_000, 0)
  })
})

describe('positions on V3', () => {
  async function listedOnV3() {
    const { chain } = sale.devnet
    const token = await sale.deploy('V3Only')
    const market = createV3Market(chain)
    await sale.send(approve(sale.owner, token, market.lister))
    await sale.send(market.list(sale.owner, token, parseEther('500000'), parseEther('20')))
    const [deployment] = chain.v3
    if (!deployment) throw new Error('no V3')
    const venue = venuesOf(chain).find(({ name }) => name === deployment.name)
    const pools = venue?.guessPools(token, [chain.wrappedNative]) ?? []
    const codes = await Promise.all(
      pools.map(({ address }) => sale.devnet.node.call<Hex>('eth_getCode', address, 'latest')),
    )
    const pool = pools.find((_, i) => codes[i] !== '0x')
    if (!pool) throw new Error('no pool')
    return { token, pool: pool.address, manager: positionManagerOf(deployment) }
  }

  test('in a wallet can be pulled at once', async () => {
    const { token, pool } = await listedOnV3()
    const report = await measure(token, pool)
    expect(report.holders).toMatchObject([{ address: sale.owner, kind: 'account' }])
    expect(report.withdrawableBps.now).toBeCloseTo(10_000, -1)
  })

  test('in a lock come free when the lock says', async () => {
    const { token, pool, manager } = await listedOnV3()
    const vault = await sale.deploy('PositionLock', [BigInt((await chainTime()) + 30 * DAY)])
    const supply = await sale.devnet.node.call<Hex>('eth_call', { to: manager, data: '0x18160ddd' }, 'latest')
    const args = [sale.owner, vault, BigInt(supply)] as const
    const data = encodeFunctionData({ abi: positionAbi, functionName: 'transferFrom', args })
    await sale.send({ from: sale.owner, to: manager, data })
    const report = await measure(token, pool)
    expect(report.holders).toMatchObject([{ address: vault, kind: 'locker' }])
    expect(report.withdrawableBps).toEqual({ now: 0, in24h: 0, in7d: 0 })
    expect(report.unlocks).toHaveLength(1)
  })

  test('that are burnt stay', async () => {
    const { token, pool, manager } = await listedOnV3()
    const supply = await sale.devnet.node.call<Hex>('eth_call', { to: manager, data: '0x18160ddd' }, 'latest')
    const data = encodeFunctionData({
      abi: positionAbi,
      functionName: 'transferFrom',
      args: [sale.owner, DEAD, BigInt(supply)],
    })
    await sale.send({ from: sale.owner, to: manager, data })
    const report = await measure(token, pool)
    expect(report.holders).toMatchObject([{ address: DEAD, kind: 'burnt' }])
    expect(report.burntBps).toBeGreaterThan(9_900)
  })
})

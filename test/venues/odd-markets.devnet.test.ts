import {
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseAbiParameters,
  parseEther,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { HoneypotReport } from '../../src/checks/honeypot/check-honeypot.js'
import { readV2Code } from '../../src/devnet/uniswap-v2-code.js'
import { type V4PoolKey, v4PoolId } from '../../src/dex/v4-pool-key.js'
import { type Address, ZERO_ADDRESS } from '../../src/hex.js'
import { squareRoot } from '../dex/list-pool.js'
import { createStage, type Stage } from '../dex/venue-stage.js'
import { type ChecksOnDevnet, startChecksOnDevnet } from '../traps/checks-on-devnet.js'

const v4Abi = parseAbi([
  'struct Key { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
  'function initializePool(Key key, uint160 sqrtPriceX96) payable',
  'function modifyLiquidities(bytes unlockData, uint256 deadline) payable',
  'function approve(address token, address spender, uint160 amount, uint48 expiration)',
])
/** V4's `Actions`: MINT_POSITION, SETTLE_PAIR, SWEEP. */
const MINT_SETTLE_SWEEP = '0x020d14'
const TOKENS = parseEther('200000')
const COINS = parseEther('40')
/** V4's `Hooks.BEFORE_SWAP_FLAG`: an address that ends so is told before each swap. */
const PLAIN_HOOK: Address = '0x1000000000000000000000000000000000000080'
const CLOSING_HOOK: Address = '0x2000000000000000000000000000000000000080'
const DEAR_HOOK: Address = '0x3000000000000000000000000000000000000080'
const MILD_HOOK: Address = '0x4000000000000000000000000000000000000080'
/** `LPFeeLibrary.DYNAMIC_FEE_FLAG`: the hook says what a swap costs. */
const DYNAMIC_FEE = 0x80_0000
/** `OVERRIDE_FEE_FLAG` with nine tenths, and with a hundredth, of what comes in. */
const NINE_TENTHS = '4dbba0'
const A_HUNDREDTH = '402710'
/** The same answer with a fee where `zeroForOne` is zero. */
const chargeSells = (fee: string) => `63575e24b460e01b5f5260c4351562${fee}0260405260605ff3`
/** `beforeSwap`'s own selector, no difference and no other fee, as hooks answer. */
const AGREE = '63575e24b460e01b5f5260605ff3'
/**
 * Reverts where `zeroForOne`, the seventh word of the call, is zero (a swap of the second currency
 * for the first), unless a switch in slot 0 is on.
 */
const REFUSE_SELLS = '60c4355f5417600c575f5ffd5b'

let checks: ChecksOnDevnet
let stage: Stage
/**
 * Everything that is traded, made before the first check: the service looks for a newer block only
 * so often.
 */
let staged: Awaited<ReturnType<typeof makeAll>>

async function makeAll() {
  const { node } = checks.devnet
  await node.call('anvil_setCode', PLAIN_HOOK, `0x${AGREE}`)
  await node.call('anvil_setCode', DEAR_HOOK, `0x${chargeSells(NINE_TENTHS)}`)
  await node.call('anvil_setCode', MILD_HOOK, `0x${chargeSells(A_HUNDREDTH)}`)
  await node.call('anvil_setCode', CLOSING_HOOK, `0x${REFUSE_SELLS}${AGREE}`)
  return {
    oddFee: await listOnV4({ fee: 7_777, tickSpacing: 77, hooks: ZERO_ADDRESS }),
    hooked: await listOnV4({ fee: 3_000, tickSpacing: 60, hooks: PLAIN_HOOK }),
    closed: await listOnV4({ fee: 3_000, tickSpacing: 60, hooks: CLOSING_HOOK }),
    dear: await listOnV4({ fee: DYNAMIC_FEE, tickSpacing: 60, hooks: DEAR_HOOK }),
    mild: await listOnV4({ fee: DYNAMIC_FEE, tickSpacing: 60, hooks: MILD_HOOK }),
    unlisted: await stage.deploy('Clean'),
    unlistedTrap: await stage.deploy('SellBlocked', [stage.chain.v2[0]?.router]),
    burnt: await deployAndBurn(),
    elsewhere: await listElsewhere(),
  }
}

beforeAll(async () => {
  checks = await startChecksOnDevnet()
  stage = await createStage(checks.devnet)
  staged = await makeAll()
})
afterAll(() => checks?.stop())

const tokenAbi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function balanceOf(address) view returns (uint256)',
])
const DEAD: Address = '0x000000000000000000000000000000000000dead'

/** A token that nobody has any more. */
async function deployAndBurn(): Promise<Address> {
  const token = await stage.deploy('Clean')
  const asked = encodeFunctionData({ abi: tokenAbi, functionName: 'balanceOf', args: [stage.issuer] })
  const all = BigInt(await checks.devnet.node.call<Hex>('eth_call', { to: token, data: asked }, 'latest'))
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [DEAD, all] })
  await stage.send({ to: token, data })
  return token
}

const factoryAbi = parseAbi([
  'function createPair(address, address)',
  'function getPair(address, address) view returns (address)',
  'function mint(address)',
])

/** A token whose only pool is on an exchange that no table of ours has. */
async function listElsewhere() {
  const [known] = stage.chain.v2
  if (!known) throw new Error('this chain has no V2')
  const { factory } = readV2Code(known).artifacts
  const { node } = checks.devnet
  const { contractAddress } = await node.call<{ contractAddress: Address }>('eth_sendTransactionSync', {
    from: stage.issuer,
    data: concatHex([factory.bytecode, encodeAbiParameters(parseAbiParameters('address'), [stage.issuer])]),
    gas: '0x7a1200',
  })
  const exchange = contractAddress.toLowerCase() as Address
  const token = await stage.deploy('Clean')
  const tokens = [token, stage.chain.wrappedNative] as const
  const create = encodeFunctionData({ abi: factoryAbi, functionName: 'createPair', args: tokens })
  await stage.send({ to: exchange, data: create })
  const question = encodeFunctionData({ abi: factoryAbi, functionName: 'getPair', args: tokens })
  const pair: Address = `0x${(await node.call<Hex>('eth_call', { to: exchange, data: question }, 'latest')).slice(26)}`
  const give = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [pair, COINS] })
  for (const each of tokens) await stage.send({ to: each, data: give })
  const mint = encodeFunctionData({ abi: factoryAbi, functionName: 'mint', args: [stage.issuer] })
  await stage.send({ to: pair, data: mint })
  return { token, pair, exchange }
}

/**
 * Opens a pool against the native coin, over all prices, and gives its id. The native coin is
 * always the first of the two.
 */
async function listOnV4({ fee, tickSpacing, hooks }: Pick<V4PoolKey, 'fee' | 'tickSpacing' | 'hooks'>) {
  const [v4] = stage.chain.v4
  if (!v4) throw new Error('this chain has no V4')
  const token = await stage.deploy('Clean')
  const key = { currency0: ZERO_ADDRESS, currency1: token, fee, tickSpacing, hooks }
  const manager = v4.positionManager
  const { send, approve, issuer } = stage
  await approve(token, v4.permit2)
  const permit = [token, manager, 2n ** 160n - 1n, 2 ** 48 - 1] as const
  await send({ to: v4.permit2, data: encodeFunctionData({ abi: v4Abi, functionName: 'approve', args: permit }) })
  const price = squareRoot((TOKENS << 192n) / COINS)
  const opening = encodeFunctionData({ abi: v4Abi, functionName: 'initializePool', args: [key, price] })
  await send({ to: manager, data: opening })
  const widest = Math.floor(887_272 / tickSpacing) * tickSpacing
  const mint = encodeAbiParameters(
    parseAbiParameters([
      'Key key, int24 tickLower, int24 tickUpper, uint256 liquidity, uint128 most0, uint128 most1, address owner, bytes hookData',
      'struct Key { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }',
    ]),
    [key, -widest, widest, squareRoot(COINS * TOKENS), 2n * COINS, 2n * TOKENS, issuer, '0x'],
  )
  const pair = encodeAbiParameters(parseAbiParameters('address, address'), [ZERO_ADDRESS, token])
  const sweep = encodeAbiParameters(parseAbiParameters('address, address'), [ZERO_ADDRESS, issuer])
  const actions = [MINT_SETTLE_SWEEP, [mint, pair, sweep]] as const
  const unlockData = encodeAbiParameters(parseAbiParameters('bytes, bytes[]'), actions)
  const adding = encodeFunctionData({ abi: v4Abi, functionName: 'modifyLiquidities', args: [unlockData, 2n ** 63n] })
  await send({ to: manager, value: 2n * COINS, data: adding })
  return { token, id: v4PoolId(key) }
}

const HARMLESS: Partial<HoneypotReport> = {
  isHoneypot: false,
  isTimeHoneypot: false,
  inconclusive: undefined,
  buyTaxBps: 0,
  sellTaxBps: 0,
  venue: 'Uniswap V4',
}

describe('a pool of Uniswap V4 that nobody can guess', () => {
  test.each(['oddFee', 'hooked'] as const)('is found by its logs, and judged: %s', async (name) => {
    const { token, id } = staged[name]
    expect(await checks.honeypot(token)).toMatchObject({ ...HARMLESS, poolId: id })
  })

  test('is judged when the request names it, and no other one without a word', async () => {
    const { token, id } = staged.oddFee
    const other = await checks.honeypot(token, { poolId: staged.hooked.id })
    expect(other.inconclusive).toContain('is none of this token')
    expect(await checks.honeypot(token, { poolId: id })).toMatchObject({ ...HARMLESS, poolId: id })
  })

  test('whose hooks refuse sells is a trap, and the hooks are named', async () => {
    const report = await checks.honeypot(staged.closed.token)
    expect(report).toMatchObject({ isHoneypot: true, sellTaxBps: 10_000 })
    expect(report.causes[0]).toMatchObject({ trade: 'sell', address: CLOSING_HOOK })
  })
})

describe('a pool of Uniswap V4 whose hook charges sellers', () => {
  test('nine tenths are a tax', async () => {
    const report = await checks.honeypot(staged.dear.token)
    expect(report).toMatchObject({ isHoneypot: true, buyTaxBps: 0, poolId: staged.dear.id })
    expect(report.sellTaxBps).toBeGreaterThan(8_500)
  })

  test('a hundredth is a fee', async () => {
    expect(await checks.honeypot(staged.mild.token)).toMatchObject({ ...HARMLESS, poolId: staged.mild.id })
  })
})

describe('without a pool', () => {
  test('nothing is said, unless the request wants a pool to be made', async () => {
    const plain = await checks.honeypot(staged.unlisted)
    expect(plain).toMatchObject({ isHoneypot: false, simulatedLiquidity: undefined })
    expect(plain.inconclusive).toContain('No liquidity')

    const made = await checks.honeypot(staged.unlisted, { simulateLiquidity: true })
    expect(made).toMatchObject({ ...HARMLESS, venue: 'Uniswap V2', riskScore: 0 })
    expect(made.simulatedLiquidity?.provider).toBe(stage.issuer)
    expect(made.findings).toMatchObject([{ id: 'simulated-liquidity', detail: expect.stringContaining(stage.issuer) }])

    const { trade } = await checks.simulation(staged.unlisted, { simulateLiquidity: true })
    expect(trade).toMatchObject({ success: true, venue: { name: 'Uniswap V2, with simulated liquidity' } })
  })

  test('a trap is found out before it has one', async () => {
    const report = await checks.honeypot(staged.unlistedTrap, { simulateLiquidity: true })
    expect(report).toMatchObject({ isHoneypot: true, sellTaxBps: 10_000 })
  })

  test('a token that nobody has stays without a verdict', async () => {
    const report = await checks.honeypot(staged.burnt, { simulateLiquidity: true })
    expect(report).toMatchObject({ isHoneypot: false, simulatedLiquidity: undefined })
    expect(report.inconclusive).toContain('No liquidity')
  })
})

test('an exchange that nobody here knows is named, and nothing is guessed from it', async () => {
  const { token, pair, exchange } = staged.elsewhere
  const report = await checks.honeypot(token)
  expect(report).toMatchObject({ isHoneypot: false, riskScore: 0 })
  expect(report.unknownVenues).toEqual([{ address: pair, kind: 'pool', factory: exchange }])
  expect(report.inconclusive).toContain(`it seems to trade at ${pair} (a pool of the factory ${exchange})`)
})

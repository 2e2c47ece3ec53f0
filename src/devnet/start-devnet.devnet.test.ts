import {
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  keccak256,
  parseAbi,
  parseEther,
  toFunctionSelector,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chains } from '../chains/index.js'
import { type Address, EMPTY_CODE_HASH } from '../hex.js'
import { readContract } from './artifacts.js'
import type { DevnetTransaction } from './devnet-ledger.js'
import { approve, createV2Market, createV3Market, type Market, transfer } from './market.js'
import { DevnetError } from './node.js'
import { isUniswapV3, MULTICALL3 } from './place-exchanges.js'
import { type Devnet, startDevnet } from './start-devnet.js'

const DAY = 86_400
/** Blocks 0 and 1 are genesis and the constructors. */
const FIRST_REPLAYABLE_STATE = '0x2'
const NATIVE = parseEther('0.5')
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const SWAP = '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822'

interface Receipt {
  status: Hex
  transactionHash: Hex
  logs: { address: Address; topics: Hex[]; data: Hex }[]
}

/** Signs as a wallet would, sends, and waits for the block, which comes at once. */
async function send({ node, accounts, chain }: Devnet, tx: DevnetTransaction): Promise<Receipt> {
  const key = accounts.find(({ address }) => address === tx.from)?.privateKey
  if (!key) throw new Error(`no key for ${tx.from}`)
  const nonce = Number(await node.call('eth_getTransactionCount', tx.from, 'latest'))
  const { to = null, data = '0x', value = 0n } = tx
  const fields = { chainId: chain.id, to, data, value, nonce, gas: 1_000_000n, maxFeePerGas: 5_000_000_000n }
  const signed = await privateKeyToAccount(key).signTransaction({ ...fields, maxPriorityFeePerGas: 0n })
  return node.call<Receipt>('eth_sendRawTransactionSync', signed)
}

async function balanceOf({ node }: Devnet, token: Address, owner: Address): Promise<bigint> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] })
  return BigInt(await node.call<Hex>('eth_call', { to: token, data }, 'latest'))
}

const exampleOf = ({ examples }: Devnet, name: string): Address => {
  const example = examples.find((each) => each.name === name)
  if (!example) throw new Error(`no example ${name}`)
  return example.targetContractAddress
}

const traderOf = ({ accounts }: Devnet): Address => accounts[0]?.address ?? '0x'

/** What the pool paid out in the last V2 swap of a receipt. */
function paidOut({ logs }: Receipt): bigint {
  const { data = '0x' } = logs.findLast(({ topics }) => topics[0] === SWAP) ?? {}
  const [, , out0 = 0n, out1 = 0n] =
    data
      .slice(2)
      .match(/.{64}/g)
      ?.map((word) => BigInt(`0x${word}`)) ?? []
  return out0 > 0n ? out0 : out1
}

const bps = (part: bigint, whole: bigint) => Number((part * 10_000n + whole / 2n) / whole)

/** Buys for half a coin, approves, and sells all of it. */
async function roundTrip(devnet: Devnet, token: Address, market: Market) {
  const trader = traderOf(devnet)
  const before = await balanceOf(devnet, token, trader)
  const bought = await send(devnet, market.buy(trader, token, NATIVE))
  const received = (await balanceOf(devnet, token, trader)) - before
  const approved = await send(devnet, approve(trader, token, market.router))
  const sold = await send(devnet, market.sell(trader, token, received))
  return { received, bought, sold, statuses: [bought.status, approved.status, sold.status] }
}

describe.each(chains.map(({ id, name }) => ({ id, name })))('the devnet of $name', ({ id }) => {
  let devnet: Devnet

  beforeAll(async () => {
    devnet = await startDevnet({ chainId: id })
  })
  afterAll(() => devnet.stop())

  test('bears the chain id, and its head is of now', async () => {
    const { timestamp } = await devnet.node.call<{ timestamp: Hex }>('eth_getBlockByNumber', 'latest', false)
    expect(Number(await devnet.node.call('eth_chainId'))).toBe(id)
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(30)
  })

  test('has code at every address that the chain names', async () => {
    const { chain, node } = devnet
    const addresses = [
      MULTICALL3,
      chain.wrappedNative,
      ...chain.watchedTokens.map(({ address }) => address),
      ...chain.v2.flatMap(({ factory, router }) => [factory, router]),
      ...chain.v3.flatMap(({ factory, router, poolDeployer }) => [factory, router, poolDeployer]),
      ...chain.v3.filter(isUniswapV3).map(({ quoter }) => quoter),
      ...chain.v4.flatMap(({ poolManager, router, permit2 }) => [poolManager, router, permit2]),
      ...chain.algebra.flatMap(({ factory, router, poolDeployer }) => [factory, router, poolDeployer]),
      ...[...chain.solidly, ...chain.slipstream].flatMap(({ factory, router, poolImplementation }) => [
        factory,
        router,
        poolImplementation,
      ]),
    ]
    const codes = await node.batch<Hex>(addresses.map((to) => ({ method: 'eth_getCode', params: [to, 'latest'] })))
    const bare = addresses.filter((_, i) => keccak256(codes[i] ?? '0x') === EMPTY_CODE_HASH)
    expect(bare).toEqual([])
  })

  test('history can be replayed: the code of each block is that of the head', async () => {
    const { chain, node } = devnet
    const placed = [
      chain.wrappedNative,
      ...[...chain.v2, ...chain.v3].flatMap(({ factory, router }) => [factory, router]),
    ]
    const codesAt = (block: string) => node.batch(placed.map((to) => ({ method: 'eth_getCode', params: [to, block] })))
    const block = await node.call<{ transactions: Hex[] }>('eth_getBlockByNumber', FIRST_REPLAYABLE_STATE, false)
    expect(await codesAt(FIRST_REPLAYABLE_STATE)).toEqual(await codesAt('latest'))
    expect(block.transactions).toEqual([])
  })

  test('routers know their factory and the wrapped coin by the right addresses', async () => {
    const { chain, node } = devnet
    const read = async (to: Address, signature: string) =>
      `0x${(await node.call<Hex>('eth_call', { to, data: toFunctionSelector(signature) }, 'latest')).slice(26)}`
    for (const { router, factory } of chain.v2) {
      expect(await read(router, 'factory()')).toBe(factory)
      expect(await read(router, 'WETH()')).toBe(chain.wrappedNative)
    }
    for (const { router, factory } of chain.v3) {
      expect(await read(router, 'factory()')).toBe(factory)
      expect(await read(router, 'WETH9()')).toBe(chain.wrappedNative)
    }
  })

  test('watched tokens have the decimals that the chain says, and the wrapped coin its symbol', async () => {
    const { chain, node } = devnet
    for (const { address, decimals, symbol } of chain.watchedTokens) {
      const ask = (functionName: 'decimals' | 'symbol') =>
        node.call<Hex>('eth_call', { to: address, data: encodeFunctionData({ abi: erc20Abi, functionName }) }, 'latest')
      expect(BigInt(await ask('decimals'))).toBe(BigInt(decimals))
      if (address !== chain.wrappedNative) continue
      expect(decodeFunctionResult({ abi: erc20Abi, functionName: 'symbol', data: await ask('symbol') })).toBe(symbol)
    }
  })

  test('V2 pairs stand where the init code hash says, and take the fee that the chain says', async () => {
    const { chain, node } = devnet
    const [exchange] = chain.v2
    if (!exchange) throw new Error('no V2 exchange')
    const { factory, router, initCodeHash, feeBps } = exchange
    const token = exampleOf(devnet, 'clean')
    const [token0, token1] = [token, chain.wrappedNative].toSorted()
    const salt = keccak256(`0x${token0?.slice(2)}${token1?.slice(2)}`)
    const predicted = `0x${keccak256(`0xff${factory.slice(2)}${salt.slice(2)}${initCodeHash.slice(2)}`).slice(26)}`
    const getPair = encodeFunctionData({
      abi: parseAbi(['function getPair(address, address) view returns (address)']),
      args: [token, chain.wrappedNative],
    })
    expect((await node.call<Hex>('eth_call', { to: factory, data: getPair }, 'latest')).slice(-40)).toBe(
      predicted.slice(2),
    )

    const abi = parseAbi(['function getAmountOut(uint256, uint256, uint256) view returns (uint256)'])
    const reserves = [10n ** 22n, 7n * 10n ** 24n] as const
    const data = encodeFunctionData({ abi, args: [NATIVE, ...reserves] })
    const kept = NATIVE * BigInt(10_000 - feeBps)
    const expected = (kept * reserves[1]) / (reserves[0] * 10_000n + kept)
    expect(BigInt(await node.call<Hex>('eth_call', { to: router, data }, 'latest'))).toBe(expected)
  })

  test('the clean token is bought and sold without a fee', async () => {
    const { statuses, received, bought } = await roundTrip(
      devnet,
      exampleOf(devnet, 'clean'),
      createV2Market(devnet.chain),
    )
    expect(statuses).toEqual(['0x1', '0x1', '0x1'])
    expect(received).toBe(paidOut(bought))
  })

  test('the taxed token keeps 5 % of a buy and 8 % of a sell, and swaps back what it kept', async () => {
    const token = exampleOf(devnet, 'taxed')
    const { statuses, received, bought, sold } = await roundTrip(devnet, token, createV2Market(devnet.chain))
    expect(statuses).toEqual(['0x1', '0x1', '0x1'])
    expect(bps(paidOut(bought) - received, paidOut(bought))).toBe(500)
    const moved = sold.logs.filter(({ address, topics }) => address === token && topics[0] === TRANSFER)
    const amounts = moved.map(({ data }) => BigInt(data)).slice(-2)
    expect(amounts.reduce((sum, amount) => sum + amount, 0n)).toBe(received)
    expect(bps(amounts[0] ?? 0n, received)).toBe(800)
    expect(sold.logs.filter(({ topics }) => topics[0] === SWAP)).toHaveLength(2)
  })

  test('the blocked token is bought, and its sell reverts with its reason', async () => {
    const token = exampleOf(devnet, 'sell-blocked')
    const { statuses, sold } = await roundTrip(devnet, token, createV2Market(devnet.chain))
    expect(statuses).toEqual(['0x1', '0x1', '0x0'])
    const trace = await devnet.node.call('debug_traceTransaction', sold.transactionHash, { tracer: 'callTracer' })
    expect(JSON.stringify(trace)).toContain('Trading is not open for you')
  })

  test('the V3-only token trades through the V3 router, as the quoter foretells', async () => {
    const { chain, node } = devnet
    const token = exampleOf(devnet, 'v3-only')
    const exchange = chain.v3.find(isUniswapV3)
    if (!exchange) throw new Error('no V3 exchange')
    const quote = exchange.routerTakesDeadline
      ? encodeFunctionData({
          abi: parseAbi([
            'function quoteExactInputSingle(address, address, uint24, uint256, uint160) returns (uint256)',
          ]),
          args: [chain.wrappedNative, token, 3000, NATIVE, 0n],
        })
      : encodeFunctionData({
          abi: parseAbi([
            'struct Quote { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 limit; }',
            'function quoteExactInputSingle(Quote) returns (uint256)',
          ]),
          args: [{ tokenIn: chain.wrappedNative, tokenOut: token, amountIn: NATIVE, fee: 3000, limit: 0n }],
        })
    const quoted = await node.call<Hex>('eth_call', { to: exchange.quoter, data: quote }, 'latest')
    const { statuses, received } = await roundTrip(devnet, token, createV3Market(chain))
    expect(statuses).toEqual(['0x1', '0x1', '0x1'])
    expect(received).toBe(BigInt(quoted.slice(0, 66)))
    const v2Pair = encodeFunctionData({
      abi: parseAbi(['function getPair(address, address) view returns (address)']),
      args: [token, chain.wrappedNative],
    })
    for (const { factory } of chain.v2) {
      expect(BigInt(await node.call<Hex>('eth_call', { to: factory, data: v2Pair }, 'latest'))).toBe(0n)
    }
  })

  test('later blocks keep pace with the wall clock', async () => {
    const [from = '0x', to = '0x'] = devnet.accounts.map(({ address }) => address)
    await send(devnet, { what: 'pay', from, to, value: 1n })
    const { timestamp } = await devnet.node.call<{ timestamp: Hex }>('eth_getBlockByNumber', 'latest', false)
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60)
  })
})

describe('the examples of Ethereum', () => {
  let devnet: Devnet

  beforeAll(async () => {
    devnet = await startDevnet({ chainId: 1 })
  })
  afterAll(() => devnet.stop())

  async function transfersOf(name: string) {
    const filter = { address: exampleOf(devnet, name), topics: [TRANSFER], fromBlock: '0x0', toBlock: 'latest' }
    const logs = await devnet.node.call<{ blockTimestamp: Hex; topics: Hex[] }[]>('eth_getLogs', filter)
    return logs.map(({ blockTimestamp }) => Date.now() / 1000 - Number(blockTimestamp))
  }

  test.each([
    'clean',
    'taxed',
    'rising-tax',
    'hidden-proxy',
    'kill-switch',
    'dynamic-deployment',
    'dormant',
    'no-return',
    'usdt',
    'usdc',
    'dai',
  ])('%s can be bought and sold on V2', async (name) => {
    const { statuses } = await roundTrip(devnet, exampleOf(devnet, name), createV2Market(devnet.chain))
    expect(statuses).toEqual(['0x1', '0x1', '0x1'])
  })

  test('histories are as lively as expected', async () => {
    const fresh = await startDevnet({ chainId: 1 })
    try {
      for (const { name, expect: expected, targetContractAddress: address } of fresh.examples) {
        const filter = { address, topics: [TRANSFER], fromBlock: '0x0', toBlock: 'latest' }
        const logs = await fresh.node.call<{ blockTimestamp: Hex }[]>('eth_getLogs', filter)
        const ages = logs.map(({ blockTimestamp }) => Date.now() / 1000 - Number(blockTimestamp))
        const day = ages.filter((age) => age < DAY).length
        const week = ages.filter((age) => age < 7 * DAY).length
        const pulse =
          day >= 100 ? 'Very Active' : day >= 10 ? 'Active' : week > 0 ? 'Low Activity' : 'Dead / No Activity'
        expect({ name, pulse }).toEqual({ name, pulse: expected.activityPulse })
      }
    } finally {
      await fresh.stop()
    }
  })

  test('trades lie days and hours apart and have several buyers', async () => {
    const address = exampleOf(devnet, 'taxed')
    const filter = { address, topics: [TRANSFER], fromBlock: '0x0', toBlock: 'latest' }
    const logs = await devnet.node.call<{ blockNumber: Hex; topics: Hex[] }[]>('eth_getLogs', filter)
    expect(new Set(logs.map(({ blockNumber }) => blockNumber)).size).toBeGreaterThan(10)
    expect(new Set(logs.map(({ topics }) => topics[2])).size).toBeGreaterThan(10)
    expect(Math.max(...(await transfersOf('dormant')))).toBeGreaterThan(50 * DAY)
  })

  test('the rising tax takes 90 % of a sell after three days, and 2 % before', async () => {
    const { node } = devnet
    const token = exampleOf(devnet, 'rising-tax')
    const trader = traderOf(devnet)
    const market = createV2Market(devnet.chain)
    await send(devnet, market.buy(trader, token, NATIVE))
    await send(devnet, approve(trader, token, market.router))
    const taxOfSell = async () => {
      const amount = 10n ** 20n
      const { logs } = await send(devnet, market.sell(trader, token, amount))
      return bps(
        BigInt(logs.find(({ address, topics }) => address === token && topics[0] === TRANSFER)?.data ?? 0),
        amount,
      )
    }
    const snapshot = await node.call('evm_snapshot')
    expect(await taxOfSell()).toBe(200)
    await node.call('evm_increaseTime', 3 * DAY)
    expect(await taxOfSell()).toBe(9_000)
    await node.call('evm_revert', snapshot)
  })

  test('the proxy names its code and its admin at the slots of EIP-1967', async () => {
    const { node } = devnet
    const read = (slot: Hex) => node.call<Hex>('eth_getStorageAt', exampleOf(devnet, 'hidden-proxy'), slot, 'latest')
    const logic = await read('0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc')
    const code = await node.call<Hex>('eth_getCode', `0x${logic.slice(26)}`, 'latest')
    expect(code).toBe(readContract('HiddenProxyLogic').runtimeBytecode)
    expect(BigInt(await read('0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103'))).not.toBe(0n)
  })

  test('the factory token deploys with CREATE2 when anyone asks', async () => {
    const data = encodeFunctionData({
      abi: readContract('DynamicDeployment').abi,
      functionName: 'createVault',
      args: [keccak256('0x01')],
    })
    const to = exampleOf(devnet, 'dynamic-deployment')
    const { status, transactionHash } = await send(devnet, { what: 'make a vault', from: traderOf(devnet), to, data })
    const trace = await devnet.node.call('debug_traceTransaction', transactionHash, { tracer: 'callTracer' })
    expect(status).toBe('0x1')
    expect(JSON.stringify(trace)).toContain('"CREATE2"')
  })

  test('the kill switch is the owner’s alone', async () => {
    const token = exampleOf(devnet, 'kill-switch')
    const data = encodeFunctionData({ abi: readContract('KillSwitch').abi, functionName: 'close' })
    const { status } = await send(devnet, { what: 'close', from: traderOf(devnet), to: token, data })
    expect(status).toBe('0x0')
  })

  test('USDT answers nothing to a transfer, the clean token answers true', async () => {
    const { node } = devnet
    const from = traderOf(devnet)
    await send(devnet, createV2Market(devnet.chain).buy(from, exampleOf(devnet, 'usdt'), NATIVE))
    const answer = (name: string) => {
      const { to, data } = transfer(from, exampleOf(devnet, name), MULTICALL3, 0n)
      return node.call<Hex>('eth_call', { from, to, data }, 'latest')
    }
    expect(await answer('usdt')).toBe('0x')
    expect(await answer('no-return')).toBe('0x')
    expect(BigInt(await answer('clean'))).toBe(1n)
  })
})

test('sets up only what is asked for, at the same addresses', async () => {
  const [some, all] = await Promise.all([
    startDevnet({ chainId: 1, examples: ['taxed', 'kill-switch'] }),
    startDevnet({ chainId: 1 }),
  ])
  try {
    expect(some.examples.map(({ name }) => name)).toEqual(['taxed', 'kill-switch'])
    expect(all.examples).toEqual(expect.arrayContaining([...some.examples]))
  } finally {
    await Promise.all([some.stop(), all.stop()])
  }
})

test('mines on its own when told to', async () => {
  const devnet = await startDevnet({ chainId: 56, examples: [], blockEverySeconds: 1 })
  try {
    const height = async () => Number(await devnet.node.call('eth_blockNumber'))
    const before = await height()
    await expect.poll(height, { timeout: 10_000 }).toBeGreaterThan(before)
    const { timestamp } = await devnet.node.call<{ timestamp: Hex }>('eth_getBlockByNumber', 'latest', false)
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(30)
  } finally {
    await devnet.stop()
  }
})

test('refuses chains and examples that it does not know', async () => {
  await expect(startDevnet({ chainId: 137 })).rejects.toThrow(DevnetError)
  await expect(startDevnet({ chainId: 56, examples: ['kill-switch'] })).rejects.toThrow(/no example kill-switch/)
})

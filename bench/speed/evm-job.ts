import { encodeFunctionData, maxUint256, parseAbi } from 'viem'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.js'
import type { BlockEnvironment } from '../../src/evm/block-environment.js'
import type { CodeCache } from '../../src/evm/code.js'
import { createEngine, createEvm } from '../../src/evm/create-evm.js'
import type { Inspector } from '../../src/evm/inspector.js'
import type { TransactionRequest } from '../../src/evm/transaction.js'
import { type Address, type Hex, hexToBytes } from '../../src/hex.js'
import type { StateReader } from '../../src/state/state-reader.js'
import { createNodeState } from '../../test/conformance/node-state.js'
import { createTestRpc, type TestRpc } from '../../test/conformance/rpc.js'
import { createPeer, peerCall } from './ethereumjs.js'

/**
 * The round trip that every verdict rests on: buy a taxed token with 0.1 ETH through the real
 * Uniswap V2 router, approve, and sell all of it now, a day and a week later, each with its call
 * tree.
 */
export interface Job {
  devnet: Devnet
  rpc: TestRpc
  state: StateReader
  block: BlockEnvironment
  trader: Address
  token: Address
  buy: TransactionRequest
  approve: TransactionRequest
  sell(amount: bigint): TransactionRequest
  /** The call data that asks for the trader's tokens. */
  balanceOf: Hex
  /** Seconds after the buy at which everything is sold. */
  sellAfter: readonly number[]
}

const ROUTER_ABI = parseAbi([
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256,address[],address,uint256) payable',
  'function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)',
])
export const TOKEN_ABI = parseAbi([
  'function approve(address,uint256) returns (bool)',
  'function balanceOf(address) view returns (uint256)',
])
const TRADER: Address = '0x7c3f5a90b1d24e6f8a9b0c1d2e3f405162738495'
const START_BALANCE = 10n ** 18n
const SPENT = 10n ** 17n
const DEADLINE = 2n ** 40n
const DAY = 86_400
const EXAMPLE = process.env.BENCH_EXAMPLE ?? 'taxed'

export async function prepareJob(): Promise<Job> {
  const devnet = await startDevnet({ chainId: 1, examples: [EXAMPLE] })
  const rpc = createTestRpc(devnet.url)
  const token = devnet.examples[0]?.targetContractAddress as Address
  const router = devnet.chain.v2[0]?.router as Address
  const weth = devnet.chain.wrappedNative
  const head = await rpc.call<Record<'number' | 'timestamp' | 'miner' | 'gasLimit' | 'baseFeePerGas' | 'mixHash', Hex>>(
    'eth_getBlockByNumber',
    'latest',
    false,
  )
  await rpc.call('anvil_setBalance', TRADER, `0x${START_BALANCE.toString(16)}`)
  const state = createNodeState(rpc, BigInt(head.number))
  const baseFeePerGas = BigInt(head.baseFeePerGas)
  const base = { from: TRADER, gasLimit: 2_000_000n, maxFeePerGas: baseFeePerGas * 2n, maxPriorityFeePerGas: 0n }
  const job: Job = {
    devnet,
    rpc,
    state,
    trader: TRADER,
    token,
    block: {
      chainId: 1,
      number: BigInt(head.number) + 1n,
      timestamp: BigInt(head.timestamp) + 12n,
      coinbase: head.miner,
      gasLimit: BigInt(head.gasLimit),
      baseFeePerGas,
      blobBaseFee: 1n,
      prevRandao: head.mixHash,
    },
    buy: {
      ...base,
      to: router,
      value: SPENT,
      data: encodeFunctionData({
        abi: ROUTER_ABI,
        functionName: 'swapExactETHForTokensSupportingFeeOnTransferTokens',
        args: [0n, [weth, token], TRADER, DEADLINE],
      }),
    },
    approve: {
      ...base,
      to: token,
      data: encodeFunctionData({ abi: TOKEN_ABI, functionName: 'approve', args: [router, maxUint256] }),
    },
    // The amounts are the same each time, and how long a library takes to encode them is no matter.
    sell: remembered((amount) => ({
      ...base,
      to: router,
      data: encodeFunctionData({
        abi: ROUTER_ABI,
        functionName: 'swapExactTokensForETHSupportingFeeOnTransferTokens',
        args: [amount, 0n, [token, weth], TRADER, DEADLINE],
      }),
    })),
    balanceOf: encodeFunctionData({ abi: TOKEN_ABI, functionName: 'balanceOf', args: [TRADER] }),
    sellAfter: [12, DAY, 7 * DAY],
  }
  for (;;) {
    const { evm } = playJob(job, () => [])
    if (evm.misses.length === 0) return job
    await state.load(evm.misses)
  }
}

/** Runs the job on our engine; returns the engine and the gas of the transactions. */
export function playJob(job: Job, watch: () => readonly Inspector[], codeCache?: CodeCache) {
  const evm = createEvm({ state: job.state, block: job.block, hardfork: 'osaka', ...(codeCache && { codeCache }) })
  evm.setBalance(job.trader, START_BALANCE)
  const results = [evm.transact(job.buy, watch()), evm.transact(job.approve, watch())]
  const amount = BigInt(evm.read({ to: job.token, data: job.balanceOf }).output.padEnd(4, '0'))
  const bought = evm.snapshot()
  for (const seconds of job.sellAfter) {
    evm.restore(bought)
    evm.setBlock(blockAfter(job.block, seconds))
    results.push(evm.transact(job.sell(amount), watch()))
  }
  return { evm, results, amount }
}

/** The job on `@ethereumjs/evm`, with all state that it reads in maps and no call trees. */
export async function peerJob(job: Job): Promise<() => Promise<void>> {
  const { world, evm } = createEngine({ state: job.state, block: job.block, hardfork: 'osaka' })
  const { amount } = playJob(job, () => [])
  evm.setBalance(job.trader, 10n ** 18n)
  // Reads everything that the job reads, and changes nothing.
  const before = evm.snapshot()
  evm.transact(job.buy)
  evm.transact(job.approve)
  evm.transact(job.sell(amount))
  evm.restore(before)
  const peer = await createPeer(world)
  const call = (tx: typeof job.buy, block = job.block) =>
    peerCall(peer, job.trader, tx.to as Address, tx.value ?? 0n, hexToBytes(tx.data ?? '0x'), tx.gasLimit, block)
  return async () => {
    await peer.stateManager.checkpoint()
    const results = [await call(job.buy), await call(job.approve)]
    for (const seconds of job.sellAfter) {
      await peer.stateManager.checkpoint()
      results.push(await call(job.sell(amount), blockAfter(job.block, seconds)))
      await peer.stateManager.revert()
    }
    await peer.stateManager.revert()
    if (results.some(({ exceptionError }) => exceptionError !== undefined)) throw new Error('the peer failed the job')
  }
}

function remembered(make: (amount: bigint) => TransactionRequest): (amount: bigint) => TransactionRequest {
  const known = new Map<bigint, TransactionRequest>()
  return (amount) => {
    const found = known.get(amount) ?? make(amount)
    known.set(amount, found)
    return found
  }
}

export function blockAfter(block: BlockEnvironment, seconds: number): BlockEnvironment {
  return { ...block, number: block.number + BigInt(seconds / 12), timestamp: block.timestamp + BigInt(seconds) }
}

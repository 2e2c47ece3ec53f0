import { type ChildProcess, spawn } from 'node:child_process'
import { cpus } from 'node:os'
import { Common, Hardfork, Mainnet } from '@ethereumjs/common'
import { createEVM } from '@ethereumjs/evm'
import { RPCStateManager } from '@ethereumjs/statemanager'
import { createAddressFromString, hexToBytes } from '@ethereumjs/util'
import { checkTrade } from '../../src/checks/trade/check-trade.js'
import { tradePlan } from '../../src/checks/trade/open-state.js'
import { createSystemClock } from '../../src/clock.js'
import { findAnvilBinary } from '../../src/devnet/anvil.js'
import { createDevnetNode } from '../../src/devnet/node.js'
import { callData } from '../../src/dex/read-contract.js'
import { type Address, type Hex, wordToAddress, ZERO_ADDRESS } from '../../src/hex.js'
import { ethCall } from '../../src/rpc/methods.js'
import { createRpcClient, type RpcClient } from '../../src/rpc/rpc-client.js'
import { createSimulator } from '../../src/simulation/simulator.js'
import { openState } from '../../src/state/rpc-state-source.js'
import { createStateMemory, type StateMemory } from '../../src/state/state-memory.js'
import { startFaultProxy } from '../../test/fault-proxy/fault-proxy.js'
import { limitedNode } from '../../test/fault-proxy/limited-node.js'
import { type Job, prepareJob } from './evm-job.js'
import { measure, median } from './measure.js'

/** What a round trip to a node in the same region takes. */
const DELAY_MS = 30
const ROUNDS = 15
/** What V8 needs to optimize what a service does all day. */
const WARM_UP_ROUNDS = 150
const OTHER_TOKEN: Address = '0x00000000000000000000000000000000000c0de0'
/**
 * `transfer(address,uint256)` (EIP-20), and `getPair(address,address)` and `getReserves()` of
 * Uniswap V2
 */
const TRANSFER = '0xa9059cbb'
const GET_PAIR = '0xe6a43905'
const GET_RESERVES = '0x0902f1ac'
/** Peers take seconds. */
const PEER_ROUNDS = 3

interface Row {
  name: string
  ms: number
  httpRequests: number
}

/**
 * The trade of one token, from an address to a verdict, through a proxy that adds 30 ms to each
 * HTTP request. Ours looks for pools on every exchange of the chain, buys, transfers on a side
 * branch, approves and sells, each with its call tree. The fork does the same steps, but asks for
 * one pool only; in the rows that say so, the peers only buy, approve and sell in a pool that they
 * are told. Starting the fork is not counted.
 */
export async function run(): Promise<void> {
  const job = await prepareJob()
  const proxy = await startFaultProxy(job.devnet.url, { delayMs: DELAY_MS })
  const count = async (work: () => Promise<unknown>) => {
    proxy.reset()
    await work()
    return proxy.seen.http
  }
  const able = createClient(proxy.url)
  await able.probe()
  proxy.inject(...limitedNode('debug_traceCall', 'eth_getStorageValues', 'eth_simulateV1', 'eth_createAccessList'))
  const plain = createClient(proxy.url)
  await plain.probe()
  proxy.inject()

  const call = ethCall({ to: job.token, data: '0x18160ddd' }, 'latest')
  const row = async (name: string, rounds: number, work: () => Promise<unknown>, before = async () => {}) => {
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      await before()
      times.push(...(await measure(1, 0, work)))
    }
    await before()
    return { name, ms: median(times), httpRequests: await count(work) }
  }
  const ours = createOurJob(job)
  const fork = createForkJob(job, proxy.url)
  const clock = createSystemClock()
  const known = createStateMemory({ clock, maxHeadShareMs: 0 })
  const warm = createStateMemory({ clock })
  let running = known
  const nextBlock = async () => void (await job.devnet.node.call('evm_mine'))
  /** As in a service that has met the exchanges, and not this token. */
  const startRunning = async () => {
    await nextBlock()
    running = createStateMemory({ clock, maxHeadShareMs: 0 })
    await openState({
      suspect: 'chain',
      rpc: plain,
      chain: job.devnet.chain,
      memory: running,
      plan: ours.plan(OTHER_TOKEN),
    })
  }

  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await ours.trade(round % 2 === 0 ? able : plain, undefined)
  const rows: Row[] = [
    await row('one bare eth_call', ROUNDS, () => able.call(call, { suspect: 'chain' })),
    await row('first token of all, node that traces', ROUNDS, () => ours.trade(able, undefined), nextBlock),
    await row('first token of all, plain node', ROUNDS, () => ours.trade(plain, undefined), nextBlock),
    await row('new token, node that traces', ROUNDS, () => ours.trade(able, running), startRunning),
    await row('new token, plain node', ROUNDS, () => ours.trade(plain, running), startRunning),
    await row('known token, next block', ROUNDS, () => ours.trade(plain, known), nextBlock),
    await row('same block again', ROUNDS, () => ours.trade(plain, warm)),
    await row('anvil --fork-url, the same steps', PEER_ROUNDS, fork.tradeAsWeDo, fork.start),
    await row('anvil --fork-url, buy, approve and sell only', PEER_ROUNDS, fork.trade, fork.start),
    await row('@ethereumjs/statemanager over RPC', PEER_ROUNDS, () => tradeWithEthereumjs(job, proxy.url)),
  ]
  print(rows)
  await Promise.all([able.close(), plain.close(), ours.close(), fork.stop(), proxy.close(), job.devnet.stop()])
}

const createClient = (url: string) =>
  createRpcClient({
    urls: [url],
    chainId: 1,
    clock: createSystemClock(),
    limits: { maxHeadAgeMs: Number.POSITIVE_INFINITY },
  })

/** The simulation check of `execute-simulation`, as the service runs it. */
function createOurJob({ devnet: { chain }, token: address }: Job) {
  const simulator = createSimulator()
  const dependencies = { simulator, clock: createSystemClock(), traderSecret: Buffer.alloc(32, 1) }
  const target = { chain, address }
  return {
    plan: (token: Address) => tradePlan('simulate', { chain, address: token }),
    async trade(rpc: RpcClient, memory: StateMemory | undefined) {
      const state = await openState({ suspect: 'chain', rpc, chain, memory, plan: tradePlan('simulate', target) })
      const { success, errorReason } = await checkTrade(dependencies, target, state)
      if (!success) throw new Error(`the trade failed: ${errorReason}`)
    },
    close: () => simulator.close(),
  }
}

/** A node of one's own that forks the remote one lazily: what most simulators do. */
function createForkJob(job: Job, url: string) {
  let child: ChildProcess | undefined
  let node = createDevnetNode('')
  const send = async (tx: object) => {
    const receipt = await node.call<{ status: Hex; transactionHash: Hex } | null>('eth_sendTransactionSync', tx)
    if (receipt?.status !== '0x1') throw new Error('a transaction failed on the fork')
    return receipt.transactionHash
  }
  const sendTraced = async (tx: object) => {
    const hash = await send(tx)
    await node.call('debug_traceTransaction', hash, { tracer: 'callTracer' })
  }
  const from = { from: job.trader, gas: '0x1e8480' }
  const ask = (to: Address, data: Hex) => node.call<Hex>('eth_call', { to, data }, 'latest')
  const steps = {
    buy: { ...from, to: job.buy.to, data: job.buy.data, value: `0x${(job.buy.value ?? 0n).toString(16)}` },
    approve: { ...from, to: job.approve.to, data: job.approve.data },
    sell: (amount: bigint) => ({ ...from, to: job.sell(amount).to, data: job.sell(amount).data }),
    transfer: (amount: bigint) => ({ ...from, to: job.token, data: callData(TRANSFER, [OTHER_TOKEN, amount]) }),
  }
  return {
    async start() {
      child?.kill('SIGKILL')
      child = spawn(findAnvilBinary(), ['--fork-url', url, '--port', '0', '--no-storage-caching', '--auto-impersonate'])
      node = createDevnetNode(`http://127.0.0.1:${await readPort(child)}`)
      await node.call('anvil_setBalance', job.trader, '0xde0b6b3a7640000')
    },
    async trade() {
      await send(steps.buy)
      await send(steps.approve)
      await send(steps.sell(BigInt(await ask(job.token, job.balanceOf))))
    },
    async tradeAsWeDo() {
      const { factory = ZERO_ADDRESS } = job.devnet.chain.v2[0] ?? {}
      const pair = wordToAddress(
        BigInt(await ask(factory, callData(GET_PAIR, [job.token, job.devnet.chain.wrappedNative]))),
      )
      await ask(pair, GET_RESERVES)
      await sendTraced(steps.buy)
      const amount = BigInt(await ask(job.token, job.balanceOf))
      const bought = await node.call<Hex>('evm_snapshot')
      await sendTraced(steps.transfer(amount))
      await node.call('evm_revert', bought)
      await sendTraced(steps.approve)
      await sendTraced(steps.sell(amount))
    },
    async stop() {
      child?.kill('SIGKILL')
    },
  }
}

function readPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let printed = ''
    child.once('exit', () => reject(new Error('anvil ended')))
    child.stdout?.on('data', (chunk) => {
      printed += chunk
      const port = /Listening on [^\s]*:(\d+)/.exec(printed)?.[1]
      if (port) resolve(Number(port))
    })
  })
}

/** The state manager that the JavaScript world offers for this; it asks for one thing at a time. */
async function tradeWithEthereumjs(job: Job, url: string): Promise<void> {
  const common = new Common({ chain: Mainnet, hardfork: Hardfork.Prague })
  const stateManager = new RPCStateManager({ provider: url, blockTag: job.block.number - 1n, common })
  const evm = await createEVM({ common, stateManager })
  const caller = createAddressFromString(job.trader)
  const runCall = (tx: { to?: string; data?: Hex; value?: bigint }) =>
    evm.runCall({
      caller,
      origin: caller,
      ...(tx.to !== undefined && { to: createAddressFromString(tx.to) }),
      data: hexToBytes(tx.data ?? '0x'),
      value: tx.value ?? 0n,
      gasLimit: 2_000_000n,
      skipBalance: true,
      block: { header: { ...evmBlock(job) } } as never,
    })
  await runCall(job.buy)
  await runCall(job.approve)
  const { execResult } = await runCall({ to: job.token, data: job.balanceOf })
  await runCall(job.sell(BigInt(`0x0${Buffer.from(execResult.returnValue).toString('hex')}`)))
}

function evmBlock({ block }: Job) {
  return {
    ...block,
    coinbase: createAddressFromString(block.coinbase),
    prevRandao: hexToBytes(block.prevRandao),
    getBlobGasPrice: () => 1n,
  }
}

function print(rows: readonly Row[]): void {
  const [{ ms: callMs } = { ms: Number.NaN }] = rows
  process.stdout.write(
    `${DELAY_MS} ms added per HTTP request, median of ${ROUNDS} (peers ${PEER_ROUNDS}), ${cpus().length} cores\n\n`,
  )
  process.stdout.write('| | ms | x eth_call | HTTP requests |\n| --- | --- | --- | --- |\n')
  for (const { name, ms, httpRequests } of rows) {
    process.stdout.write(`| ${name} | ${ms.toFixed(1)} | ${(ms / callMs).toFixed(2)} | ${httpRequests} |\n`)
  }
}

import { encodeDeployData, getContractAddress, parseEther } from 'viem'
import { timeTravel } from '../src/checks/honeypot/time-travel.js'
import { tradePlan } from '../src/checks/trade/open-state.js'
import { runTradeScenario } from '../src/checks/trade/run-trade-scenario.js'
import { createSystemClock } from '../src/clock.js'
import { readContract } from '../src/devnet/artifacts.js'
import type { DevnetTransaction } from '../src/devnet/devnet-ledger.js'
import { approve, createV2Market } from '../src/devnet/market.js'
import { type Devnet, startDevnet } from '../src/devnet/start-devnet.js'
import { create2Address, hashOf, sortTokens } from '../src/dex/create2.js'
import type { Address, Hex } from '../src/hex.js'
import { createRpcClient, type RpcClient } from '../src/rpc/rpc-client.js'
import { createSimulator, type Simulator } from '../src/simulation/simulator.js'
import { openState } from '../src/state/rpc-state-source.js'
import { createStateMemory } from '../src/state/state-memory.js'
import type { StateSource } from '../src/state/state-source.js'
import { threadsOfWorker } from './threads-of-worker.js'

export type Call = Omit<DevnetTransaction, 'what' | 'gas'>

/** A devnet without examples, on which a test puts tokens on sale and acts as anybody. */
export interface Sale {
  devnet: Devnet
  rpc: RpcClient
  simulator: Simulator
  owner: Address
  people: readonly Address[]
  /** Mines the transaction. Throws when it fails. */
  send(call: Call): Promise<void>
  deploy(contract: string, args?: readonly unknown[]): Promise<Address>
  /**
   * Puts half a million whole tokens of the owner's on the chain's first V2 exchange, against
   * twenty coins. Its pool.
   */
  list(token: Address): Promise<Address>
  /** The newest block, with what a trade of the token reads known already. */
  openState(token: Address): Promise<StateSource>
  balanceOf(token: Address, account: Address): Promise<bigint>
  stop(): Promise<void>
}

const LISTED = parseEther('500000')
const LISTED_NATIVE = parseEther('20')
const GAS = '0x5b8d80'

/** `through` stands between the nodes and whoever asks them. */
export async function startSale(through?: (nodeUrl: string) => Promise<string>): Promise<Sale> {
  const devnet = await startDevnet({ chainId: 1, examples: [] })
  const { node, chain, accounts } = devnet
  const limits = { maxHeadAgeMs: Number.POSITIVE_INFINITY }
  const rpc = createRpcClient({
    urls: [(await through?.(devnet.url)) ?? devnet.url],
    chainId: 1,
    clock: createSystemClock(),
    limits,
  })
  const simulator = createSimulator({ threads: threadsOfWorker().trades })
  const [owner, ...people] = accounts.map(({ address }) => address)
  const [exchange] = chain.v2
  if (!owner || !exchange) throw new Error('the devnet lacks accounts or exchanges')

  async function send({ value = 0n, ...call }: Call): Promise<void> {
    const request = { ...call, gas: GAS, value: `0x${value.toString(16)}` }
    const hash = await node.call<Hex>('eth_sendTransaction', request)
    await node.call('evm_mine')
    const receipt = await node.call<{ status: Hex }>('eth_getTransactionReceipt', hash)
    if (receipt.status !== '0x1') throw new Error(`a transaction to ${call.to} failed`)
  }

  return {
    ...{ devnet, rpc, simulator, owner, people, send },
    async deploy(contract, args = []) {
      const { abi, bytecode } = readContract(contract)
      const nonce = BigInt(await node.call<Hex>('eth_getTransactionCount', owner, 'latest'))
      await send({ from: owner, data: encodeDeployData({ abi, bytecode, args }) })
      return getContractAddress({ from: owner, nonce }).toLowerCase() as Address
    },
    async list(token) {
      const market = createV2Market(chain)
      await send(approve(owner, token, market.router))
      await send(market.list(owner, token, LISTED, LISTED_NATIVE))
      return create2Address(exchange.factory, hashOf(...sortTokens(token, chain.wrappedNative)), exchange.initCodeHash)
    },
    async openState(address) {
      const plan = tradePlan('honeypot', { chain, address })
      const state = await openState({
        suspect: 'chain',
        rpc,
        chain,
        memory: createStateMemory({ clock: createSystemClock() }),
        plan,
      })
      await runTradeScenario({ simulator, traderSecret: new Uint8Array(32) }, timeTravel, { chain, address }, state)
      return state
    },
    async balanceOf(token, account) {
      const data = `0x70a08231${account.slice(2).padStart(64, '0')}`
      return BigInt(await node.call<Hex>('eth_call', { to: token, data }, 'latest'))
    },
    async stop() {
      await Promise.all([simulator.close(), rpc.close(), devnet.stop()])
    },
  }
}

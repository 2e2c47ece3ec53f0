import { encodeDeployData, encodeFunctionData, getContractAddress, maxUint256, parseAbi, parseEther } from 'viem'
import type { Chain } from '../../src/chains/chain.js'
import { hardforkAt } from '../../src/chains/chain.js'
import { readContract } from '../../src/devnet/artifacts.js'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.js'
import { createEvm } from '../../src/evm/create-evm.js'
import { type Address, type Hex, toPaddedHex, toQuantity } from '../../src/hex.js'
import { pendingBlock } from '../../src/simulation/pending-block.js'
import type { Fork } from '../../src/simulation/scenario.js'
import type { StateMiss } from '../../src/state/state-reader.js'
import { createNodeState } from '../conformance/node-state.js'

/** A devnet on which a test lists tokens where it likes, and plays on private copies of it. */
export interface Stage {
  devnet: Devnet
  chain: Chain
  /** Has native coin, wrapped coin and all of the chain's dollars. */
  issuer: Address
  send(call: { to?: Address; data: Hex; value?: bigint }): Promise<void>
  /** Deploys one of this project's contracts. */
  deploy(contractName: string, args?: readonly unknown[]): Promise<Address>
  approve(token: Address, spender: Address): Promise<void>
  /**
   * Plays until all state is known, and tells which state that was besides `known`, and how often
   * it had to be fetched.
   */
  play<T>(run: (fork: Fork) => T, known?: readonly StateMiss[]): Promise<Played<T>>
  stop(): Promise<void>
}

export interface Played<T> {
  output: T
  read: StateMiss[]
  rounds: number
}

const abi = parseAbi(['function approve(address, uint256)', 'function deposit() payable'])
/** The account of `src/devnet/start-devnet.ts` that made the exchanges and holds the dollars. */
const GOVERNOR = 30
const GAS = 12_000_000n
/** More than any play needs. */
const MAX_ROUNDS = 40

export async function startStage(chainId: number): Promise<Stage> {
  return createStage(await startDevnet({ chainId, examples: [] }))
}

/** A stage on a devnet that is there. */
export async function createStage(devnet: Devnet): Promise<Stage> {
  const { node, chain } = devnet
  const issuer = ((await node.call<Address[]>('eth_accounts'))[GOVERNOR] ?? '0x').toLowerCase() as Address
  const send: Stage['send'] = async ({ value = 0n, ...call }) => {
    const fields = { ...call, from: issuer, value: toQuantity(value), gas: toQuantity(GAS) }
    const { status } = await node.call<{ status: Hex }>('eth_sendTransactionSync', fields)
    if (status !== '0x1') throw new Error(`transaction to ${call.to} failed: ${call.data.slice(0, 10)}`)
  }
  await send({
    to: chain.wrappedNative,
    data: encodeFunctionData({ abi, functionName: 'deposit' }),
    value: parseEther('5000'),
  })
  return {
    devnet,
    chain,
    issuer,
    send,
    async deploy(contractName, args = []) {
      const contract = readContract(contractName)
      const nonce = BigInt(await node.call<Hex>('eth_getTransactionCount', issuer, 'latest'))
      await send({ data: encodeDeployData({ abi: contract.abi, bytecode: contract.bytecode, args }) })
      return getContractAddress({ from: issuer, nonce }).toLowerCase() as Address
    },
    async approve(token, spender) {
      // USDT's `approve` wants to come from zero.
      for (const amount of [0n, maxUint256])
        await send({ to: token, data: encodeFunctionData({ abi, functionName: 'approve', args: [spender, amount] }) })
    },
    play: (run, known = []) => play(devnet, run, known),
    stop: devnet.stop,
  }
}

interface Header {
  number: Hex
  hash: Hex
  parentHash: Hex
  timestamp: Hex
  miner: Address
  gasLimit: Hex
  baseFeePerGas: Hex
}

async function play<T>(
  { node, chain }: Devnet,
  run: (fork: Fork) => T,
  known: readonly StateMiss[],
): Promise<Played<T>> {
  const header = await node.call<Header>('eth_getBlockByNumber', 'latest', false)
  const number = BigInt(header.number)
  const state = createNodeState({ call: node.call, batch: node.batch }, number)
  const block = pendingBlock(chain, {
    chainId: chain.id,
    number,
    hash: header.hash,
    parentHash: header.parentHash,
    timestamp: BigInt(header.timestamp),
    coinbase: header.miner,
    gasLimit: BigInt(header.gasLimit),
    baseFeePerGas: BigInt(header.baseFeePerGas),
    prevRandao: toPaddedHex(1n, 32),
    excessBlobGas: undefined,
    l1BlockNumber: undefined,
  })
  const read: StateMiss[] = []
  await state.load(known)
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const evm = createEvm({ state, block, hardfork: hardforkAt(chain, block.timestamp) })
    const output = run({ evm, chain })
    if (evm.misses.length === 0) return { output, read, rounds: round }
    read.push(...evm.misses)
    await state.load(evm.misses)
  }
  throw new Error(`unknown state after ${MAX_ROUNDS} rounds`)
}

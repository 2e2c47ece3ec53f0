import { describe, expect, test } from 'vitest'
import type { Chain } from '../../src/chains/chain.js'
import { createSystemClock } from '../../src/clock.js'
import { verifyExchanges } from '../../src/dex/verify-exchanges.js'
import { environmentOf } from '../../src/evm/block-environment.js'
import { createEvm } from '../../src/evm/create-evm.js'
import { type Address, bytesToHex, EMPTY_CODE_HASH, type Hex, toQuantity } from '../../src/hex.js'
import { blockOf, witnessOf } from '../../src/replay-blocks/block-file.js'
import { createRpcClient } from '../../src/rpc/rpc-client.js'
import { UnknownStateError } from '../../src/state/witness.js'
import { hasSharedData } from '../conformance/shared-data.js'
import { readBlock } from './block-names.js'
import { type NodeMethods, NodeRefusal, startMethodNode } from './method-node.js'
import { replayChain } from './witness-chains.js'

/** A node that answers from the code that a block proves; what is not held has none. */
function nodeOf(name: string, chain: Chain): NodeMethods {
  const file = readBlock(name)
  const witness = witnessOf(file)
  const { header } = blockOf(file, chain)
  const state = {
    ...witness,
    account: orElse(witness.account, { balance: 0n, nonce: 0n, codeHash: EMPTY_CODE_HASH }),
    storage: orElse(witness.storage, 0n),
  }
  const block = environmentOf(chain, {
    ...header,
    baseFeePerGas: header.baseFeePerGas ?? 0n,
    prevRandao: header.mixHash,
    l1BlockNumber: undefined,
  })
  const head = { ...file.header, hash: file.expectedBlockHash, miner: header.coinbase, uncles: [] }
  const codeAt = (address: Address) => state.code(state.account(address).codeHash)
  return {
    eth_chainId: () => toQuantity(chain.id),
    eth_getBlockByNumber: () => head,
    eth_getBlockByHash: () => head,
    eth_getCode: ([address]) => orRefused(() => bytesToHex(codeAt(address as Address))),
    eth_call: ([call]) => {
      const { to, data } = call as { to?: Address; data: Hex }
      if (!to) throw new NodeRefusal('init code is not run here')
      return orRefused(() => createEvm({ state, block, hardfork: 'cancun' }).read({ to, data }).output)
    },
  }
}

/** What the client tries a node with goes beyond the block. */
function orRefused<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new NodeRefusal(String(error))
  }
}

/** Here it is code that is asked for, and constants in it. */
function orElse<Arguments extends unknown[], T>(read: (...given: Arguments) => T, other: T) {
  return (...given: Arguments): T => {
    try {
      return read(...given)
    } catch (error) {
      if (error instanceof UnknownStateError) return other
      throw error
    }
  }
}

async function verify(chain: Chain) {
  const node = await startMethodNode(nodeOf('op-132799000', chain))
  const limits = { maxHeadAgeMs: Number.POSITIVE_INFINITY }
  const rpc = createRpcClient({ urls: [node.url], chainId: chain.id, clock: createSystemClock(), limits })
  try {
    const verified = await verifyExchanges(rpc, chain)
    return Object.fromEntries(verified.map(({ exchange, part, problems }) => [`${exchange}, ${part}`, problems]))
  } finally {
    await rpc.close()
    await node.stop()
  }
}

describe.runIf(hasSharedData())('the contracts of a table, asked of a node with real code', () => {
  const optimism = replayChain(10)

  test('are right where the code is there and of one mind', async () => {
    expect(await verify(optimism)).toMatchObject({
      'tokens, WETH': [],
      'Velodrome V2, factory': [],
      'Velodrome V2, pool implementation': [],
      'Velodrome V2, router': [],
    })
  })

  test('are wrong where a router has another factory, or there is no code', async () => {
    const other: Address = '0x00000000000000000000000000000000000fac70'
    const solidly = optimism.solidly.map((each) => ({ ...each, factory: other }))
    const wrongly = { ...optimism, solidly, wrappedNative: other }
    expect(await verify(wrongly)).toMatchObject({
      'Velodrome V2, factory': ['has no code'],
      'Velodrome V2, router': [
        `defaultFactory() is ${optimism.solidly[0]?.factory} and not ${other}`,
        `weth() is ${optimism.wrappedNative} and not ${other}`,
      ],
    })
  })

  test('are wrong where a contract of another kind stands there', async () => {
    const [velodrome] = optimism.solidly
    const solidly = optimism.solidly.map((each) => ({ ...each, router: velodrome?.poolImplementation ?? '0x' }))
    expect(await verify({ ...optimism, solidly })).toMatchObject({
      'Velodrome V2, router': ['does not answer defaultFactory()', 'does not answer weth()'],
    })
  })
})

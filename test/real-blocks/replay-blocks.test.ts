import { describe, expect, test } from 'vitest'
import { blobBaseFeeAt } from '../../src/chains/blob-fee.js'
import type { Chain } from '../../src/chains/chain.js'
import { toQuantity } from '../../src/hex.js'
import { blockOf, witnessOf } from '../../src/replay-blocks/block-file.js'
import { contradictions, replayBlock } from '../../src/replay-blocks/replay-block.js'
import { hasSharedData } from '../conformance/shared-data.js'
import { someOf } from '../some-of.js'
import { blockNames, readBlock } from './block-names.js'
import { replayChain } from './witness-chains.js'

/** One block in so many is replayed, others each day. */
const SHARE = 8
const NAMES = someOf(blockNames(), SHARE)
/** More than the limits of an analysis are for. */
const LARGEST = '15537394'

const open = (name: string, change: Partial<Chain> = {}) => {
  const file = readBlock(name)
  return { file, witness: witnessOf(file), block: blockOf(file, { ...replayChain(file.chainId), ...change }) }
}

describe.runIf(hasSharedData())('blocks of production chains', () => {
  test.each(NAMES)('%s comes out as it is on its chain: receipts, logs and state', (name) => {
    const { block, witness, file } = open(name)
    const replayed = replayBlock(block, witness)
    expect(contradictions(block, replayed)).toEqual([])
    expect(replayed.receipts.map(({ isSuccess }) => Number(isSuccess))).toEqual(
      file.receipts.map(({ status }) => status),
    )
  })

  test('each block has the blob fee that the table of its chain gives it', () => {
    const files = blockNames().map((name) => readBlock(name))
    const fees = files.filter(({ blobBaseFee }) => blobBaseFee !== undefined)
    const ours = fees.map(({ chainId, header: { timestamp, excessBlobGas = '0x0' } }) =>
      toQuantity(blobBaseFeeAt(replayChain(chainId), BigInt(timestamp), BigInt(excessBlobGas))),
    )
    expect(ours).toEqual(fees.map(({ blobBaseFee }) => blobBaseFee))
    expect(new Set(ours).size).toBeGreaterThan(4)
  })

  test('the limits of an analysis are enough for all of their transactions but one', () => {
    const beyond = NAMES.filter((name) => {
      const { block, witness } = open(name)
      return replayBlock(block, witness).beyondLimits > 0
    })
    expect(beyond).toEqual(NAMES.filter((name) => name === LARGEST))
  })

  test.each([
    ['the rules of a fork too early', '25229957', { hardforks: [{ name: 'cancun', since: 0 }] }],
    ['the blob schedule of before', '21230867', { blobSchedule: [{ since: 0, updateFraction: 11_684_671n }] }],
    ['an L2 taken for Ethereum', 'unichain-10311000', { stack: 'ethereum' }],
  ] satisfies [string, string, Partial<Chain>][])('%s is noticed', (_, name, change) => {
    const { block, witness } = open(name, change)
    const work = () => contradictions(block, replayBlock(block, witness))
    expect(attempt(work)).not.toEqual([])
  })

  test('a transaction that the chain would refuse makes the block invalid', () => {
    const { block, witness } = open('21688509')
    const [first, ...others] = block.transactions
    const twice = {
      ...block,
      transactions: [first ?? expect.unreachable(), ...block.transactions.slice(0, 1), ...others],
    }
    expect(() => replayBlock(twice, witness)).toThrow('Invalid block: transaction 1 would not be included')
  })

  test('a gas limit that the block has no room for makes it invalid', () => {
    const { block, witness } = open('21688509')
    const tight = { ...block, header: { ...block.header, gasLimit: block.header.gasUsed } }
    expect(() => replayBlock(tight, witness)).toThrow(/Invalid block: transaction \d is above its gas limit/)
  })

  test('a node of a trie that is missing ends the replay by name, and nothing is taken for zero', () => {
    const { file, block } = open('22615247')
    const without = (index: number) => witnessOf({ ...file, nodes: file.nodes.filter((_, i) => i !== index) })
    const ends = [5, 100, 400, 800].map((index) =>
      attempt(() => contradictions(block, replayBlock(block, without(index)))),
    )
    for (const end of ends) expect(String(end)).toMatch(/^UnknownStateError: the witness does not hold/)
  })

  test('blocks of chains that do more than run transactions, and of times without a rule, are declined', () => {
    const own = open('22615247', { stack: 'own' })
    expect(() => replayBlock(own.block, own.witness)).toThrow('The block cannot be replayed')
    const prepared = open('22615247', { hardforks: [{ name: 'amsterdam', since: 0 }] })
    expect(() => replayBlock(prepared.block, prepared.witness)).toThrow('the gas of Amsterdam is not known here')
    const late = open('22615247', { hardforks: [{ name: 'osaka', since: 2_000_000_000 }] })
    expect(() => replayBlock(late.block, late.witness)).toThrow('are not known here')
  })
})

/** What came of it, or why nothing did. */
function attempt(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

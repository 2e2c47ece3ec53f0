import { describe, expect, test } from 'vitest'
import { blockNames, readBlock } from '../../test/real-blocks/block-names.js'
import type { BlockFile } from '../replay-blocks/block-file.js'
import { witnessOf } from '../replay-blocks/block-file.js'
import { compressedLength, dataFee, encodeAsSigned, L1_BLOCK, type OpFees, operatorFee, readOpFees } from './op-fees.js'

/** What the first deposit of a block writes: scalars, L1's base fee and its blob fee (Ecotone). */
function announcedIn({ transactions }: BlockFile): OpFees {
  const data = transactions[0]?.deposit?.data.slice(2) ?? expect.unreachable('a deposit')
  const at = (offset: number, bytes: number) => BigInt(`0x${data.slice(2 * offset, 2 * (offset + bytes))}`)
  return { perByte: 16n * at(4, 4) * at(36, 32) + at(8, 4) * at(68, 32), operatorScalar: 0n, operatorConstant: 0n }
}

const blocks = blockNames().filter((name) => /^(op|unichain)-/.test(name))

describe.each(blocks)('%s', (name) => {
  const block = readBlock(name)
  const taken = block.transactions.flatMap(({ request, l1Fee = '0x0' }) =>
    request?.to ? [{ ...request, to: request.to, l1Fee: BigInt(l1Fee) }] : [],
  )

  test('each transaction costs what the chain took for it, as far as its signature lets that be told', () => {
    expect(taken.length).toBeGreaterThan(1)
    for (const { to, value = '0x0', data = '0x', gasLimit, maxFeePerGas, gasPrice, l1Fee } of taken) {
      const fees = { gasLimit: BigInt(gasLimit), maxFeePerGas: BigInt(maxFeePerGas ?? gasPrice ?? 0) }
      const encoded = encodeAsSigned(block.chainId, { to, value: BigInt(value), data, ...fees })
      const share = Number(dataFee(announcedIn(block), encoded)) / Number(l1Fee)
      expect(Math.abs(share - 1)).toBeLessThan(0.04)
    }
  })

  test('the words of L1Block are those that the chain announces', () => {
    const before = witnessOf(block)
    const words = new Map<bigint, bigint>()
    const { perByte } = readOpFees('cancun', (address, slot) => {
      expect(address).toBe(L1_BLOCK)
      words.set(slot, before.storage(address, slot))
      return words.get(slot) ?? 0n
    })
    expect(perByte).toBeGreaterThan(0n)
    // Scalars outlive a block; L1's fees of the block before may differ from those of this one.
    const data = block.transactions[0]?.deposit?.data.slice(10, 26) ?? ''
    expect(((words.get(3n) ?? 0n) >> 64n).toString(16).padStart(16, '0')).toBe(data)
  })
})

test('the operator counts gas since Isthmus', () => {
  const words: Record<string, bigint> = { 8: (7n << 64n) | 11n }
  const storage = (_: unknown, slot: bigint) => words[String(slot)] ?? 0n
  expect(operatorFee(readOpFees('prague', storage), 1_000n)).toBe(700_011n)
  expect(operatorFee(readOpFees('cancun', storage), 1_000n)).toBe(0n)
  expect(operatorFee(readOpFees('prague', storage), 1_000_000n, { isBeforeJovian: true })).toBe(18n)
})

/** Lengths that other implementations of this estimate are tested with. */
test.each([
  ['nothing', new Uint8Array(), 0],
  ['three bytes', Uint8Array.of(0xfa, 0xca, 0xde), 4],
  ['a thousand zeros', new Uint8Array(1_000), 21],
  ['a thousand other bytes', new Uint8Array(1_000).fill(42), 21],
])('%s has its length under FastLZ', (_, data, length) => {
  expect(compressedLength(data)).toBe(length)
})

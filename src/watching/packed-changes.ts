import { type Address, toPaddedHex } from '../hex.js'
import type { BlockChanges, ChangedWord } from './read-block-changes.js'

/**
 * What a block changed of a chain with an EVM, in one piece of memory. As maps it would be a
 * megabyte of small objects that outlive their block: after some hundred blocks the collector of
 * garbage has to go through all that the process holds, which takes longer than a block may.
 */
export interface PackedChanges {
  /** For each account its address, how many words follow, and these. */
  words: Buffer
  /** Of words, by their place here. */
  transactions: readonly (string | undefined)[]
  codes: BlockChanges['codes']
}

/** Bytes. */
const [ADDRESS, COUNT, WORD] = [20, 4, 32]
const HEAD = ADDRESS + COUNT
const ROW = 2 * WORD + COUNT

export function packChanges({ words, codes }: BlockChanges): PackedChanges {
  const sizes = [...words.values()].map(({ size }) => HEAD + size * ROW)
  const packed = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + size, 0))
  const transactions: (string | undefined)[] = []
  let at = 0
  for (const [address, slots] of words) {
    packed.write(address.slice(2), at, ADDRESS, 'hex')
    packed.writeUInt32BE(slots.size, at + ADDRESS)
    at += HEAD
    for (const [slot, { value, transaction }] of slots) {
      // Words of one transaction mostly follow one another.
      if (transactions.length === 0 || transactions.at(-1) !== transaction) transactions.push(transaction)
      packed.write(toPaddedHex(slot, WORD).slice(2), at, WORD, 'hex')
      packed.write(toPaddedHex(value, WORD).slice(2), at + WORD, WORD, 'hex')
      packed.writeUInt32BE(transactions.length - 1, at + 2 * WORD)
      at += ROW
    }
  }
  return { words: packed, transactions, codes }
}

/** What was packed of these accounts, and all codes. */
export function unpackChanges(
  { words: packed, transactions, codes }: PackedChanges,
  isWanted: (address: Address) => boolean,
): BlockChanges {
  const words = new Map<Address, ReadonlyMap<bigint, ChangedWord>>()
  const readWord = (at: number) => BigInt(`0x${packed.toString('hex', at, at + WORD)}`)
  for (let at = 0; at < packed.length; ) {
    const address: Address = `0x${packed.toString('hex', at, at + ADDRESS)}`
    const count = packed.readUInt32BE(at + ADDRESS)
    at += HEAD
    if (isWanted(address)) {
      const rows = Array.from({ length: count }, (_, n) => at + n * ROW)
      const readRow = (row: number): [bigint, ChangedWord] => {
        const transaction = transactions[packed.readUInt32BE(row + 2 * WORD)]
        return [readWord(row), { value: readWord(row + WORD), transaction }]
      }
      words.set(address, new Map(rows.map(readRow)))
    }
    at += count * ROW
  }
  return { words, codes }
}

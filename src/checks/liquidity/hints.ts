import { callData } from '../../dex/read-contract.js'
import { type Address, type Hex, toPaddedHex } from '../../hex.js'
import type { Fork } from '../../simulation/scenario.js'

/** What a contract tells about who may take something out of it, when, and under which number. */
export interface Hints {
  accounts: readonly Address[]
  numbers: readonly bigint[]
  /** Seconds since 1970, in the future; the soonest first. */
  times: readonly bigint[]
}

/** Reads that are tried, and what is kept of their answers. */
const MAX_READS = 400
const MAX_WORDS = 64
const MAX_ACCOUNTS = 6
const MAX_NUMBERS = 12
const MAX_TIMES = 4
/** Locks last at most this long, or for ever. Seconds: twenty years. */
const LONGEST_LOCK = 20n * 365n * 86_400n
const LARGEST_NUMBER = 1n << 32n
const SMALLEST_ACCOUNT = 1n << 100n
const LARGEST_ACCOUNT = 1n << 160n

/**
 * Asks every function of `contract` about `subjects` (an LP token, a position's number, those who
 * put it there). Lockers answer with owners, numbers and dates of their locks, whatever they call
 * the functions.
 */
export function readHints(
  { evm }: Fork,
  contract: Address,
  selectors: readonly Hex[],
  subjects: readonly (Address | bigint)[],
): Hints {
  const [thing = 0n, ...people] = subjects
  const questions: (Address | bigint)[][] = [
    [],
    [thing],
    [0n],
    [thing, 0n, 16n],
    ...people.flatMap((person) => [[person], [person, 0n], [person, thing, 0n], [thing, person, 0n]]),
  ]
  const accounts = new Set<Address>()
  const numbers = new Set<bigint>()
  const times = new Set<bigint>()
  let reads = 0
  for (const question of questions) {
    for (const selector of selectors) {
      if (reads >= MAX_READS) break
      reads += 1
      const { status, output } = evm.read({ to: contract, data: callData(selector, question) })
      if (status !== 'success') continue
      for (const word of wordsOf(output)) {
        if (word > evm.block.timestamp && word <= evm.block.timestamp + LONGEST_LOCK) times.add(word)
        else if (word < LARGEST_NUMBER) numbers.add(word)
        else if (word > SMALLEST_ACCOUNT && word < LARGEST_ACCOUNT) accounts.add(toPaddedHex(word, 20))
      }
    }
  }
  return {
    accounts: [...accounts].slice(0, MAX_ACCOUNTS),
    numbers: [...numbers].slice(0, MAX_NUMBERS),
    times: [...times].toSorted((a, b) => Number(a - b)).slice(0, MAX_TIMES),
  }
}

function wordsOf(output: Hex): bigint[] {
  const count = Math.min(Math.floor((output.length - 2) / 64), MAX_WORDS)
  return Array.from({ length: count }, (_, i) => BigInt(`0x${output.slice(2 + i * 64, 66 + i * 64)}`))
}

import { createHmac } from 'node:crypto'
import type { Hex } from '../../../hex.js'
import { createSeededRandom } from '../../../simulation/random.js'
import { addressAt, type SolanaAddress } from '../../../solana/address.js'
import { isPoint } from '../../../solana/curve-point.js'
import { type Instruction, packed } from '../../../solana/instruction.js'
import { COMPUTE_BUDGET_PROGRAM, MEMO_PROGRAM } from '../../../solana/programs.js'
import type { Dress } from '../../../solana/svm/fork.js'

/**
 * The people of one answer, and how they trade: by the seed alone, so that a scenario that is
 * played again meets the same. A hook sees its caller's address, coins, amounts and the whole
 * transaction; what is the same in every answer would give us away.
 */
export interface People {
  /** A wallet that no program can have met: on the curve, as a person's is. */
  wallet(role: string): SolanaAddress
  /** What such a wallet holds. */
  lamports(role: string): bigint
  /** A share of `whole` between one in `least` and one in `most`, with odd last digits. */
  share(label: string, whole: bigint, most: bigint, least: bigint): bigint
  between(label: string, least: bigint, most: bigint): bigint
  /** What wallets put around an instruction: no two transactions of an answer need look alike. */
  dress(turn: number): Dress
}

export function createPeople(seed: Hex): People {
  const random = createSeededRandom(seed)
  const share: People['share'] = (label, whole, most, least) => {
    const parts = random.between(label, most * SCALE, least * SCALE)
    return (whole * SCALE) / parts
  }
  return {
    share,
    between: random.between,
    wallet: (role) => inventWallet(seed, role),
    // From a coin on: people with little are more than those with much.
    lamports: (role) => share(`coins of ${role}`, MOST_LAMPORTS, 1n, 10n ** random.between(`purse of ${role}`, 1n, 2n)),
    dress(turn) {
      // One draw is enough for all that a transaction wears.
      let rest = random.between(`dress ${turn}`, 0n, MOST_DRAWN)
      const between = (least: bigint, most: bigint) => {
        const span = most - least + 1n
        const drawn = least + (rest % span)
        rest /= span
        return drawn
      }
      const unitLimit = between(LEAST_UNITS, MOST_UNITS)
      const unitPrice = between(1n, 4n) === 1n ? 0n : between(1n, MOST_UNIT_PRICE)
      const budget = [limitUnits(unitLimit), ...(unitPrice > 0n ? [setUnitPrice(unitPrice)] : [])]
      const memo = between(1n, 4n) === 1n ? [say(between(1n, MOST_WORDS))] : []
      return {
        before: between(1n, 2n) === 1n ? budget.reverse() : budget,
        after: memo,
        priorityLamports: (unitPrice * unitLimit + MICRO - 1n) / MICRO,
      }
    },
  }
}

const SCALE = 1_000_003n
/** 90 coins: more stands out. */
const MOST_LAMPORTS = 90_000_000_000n
/**
 * What wallets ask for in a trade, and in a cautious one; the least is what the dearest known
 * exchange needs.
 */
const LEAST_UNITS = 400_000n
const MOST_UNITS = 800_000n
/** Of a millionth lamport per unit: a trade pays a tenth of a cent at most. */
const MOST_UNIT_PRICE = 50_000n
const MICRO = 1_000_000n
const MOST_WORDS = 10n ** 15n
/** Twice as many bits as are used, so that what is left over for each number is even. */
const MOST_DRAWN = 2n ** 240n

const limitUnits = (units: bigint): Instruction => ({
  program: COMPUTE_BUDGET_PROGRAM,
  accounts: [],
  data: packed([8, 2], [32, units]),
})

const setUnitPrice = (price: bigint): Instruction => ({
  program: COMPUTE_BUDGET_PROGRAM,
  accounts: [],
  data: packed([8, 3], [64, price]),
})

/** An order's number, as exchanges leave it. */
const say = (words: bigint): Instruction => ({
  program: MEMO_PROGRAM,
  accounts: [],
  data: new TextEncoder().encode(String(words)),
})

function inventWallet(seed: Hex, role: string): SolanaAddress {
  for (let turn = 0; ; turn += 1) {
    const bytes = createHmac('sha256', seed).update(`${role}:${turn}`).digest()
    // Every other hash is on the curve.
    if (turn >= MAX_TURNS || isPoint(bytes)) return addressAt(bytes)
  }
}

const MAX_TURNS = 64

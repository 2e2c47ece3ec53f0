import { createHash, createHmac } from 'node:crypto'
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
  let drawn: { block: number; bytes: Buffer } | undefined
  /** The numbers of a turn: one hash is enough for those of many. */
  const drawsOf = (turn: number) => {
    const block = Math.floor(turn / TURNS_DRAWN)
    if (drawn?.block !== block) drawn = { block, bytes: drawBlock(seed, block) }
    return drawn.bytes.subarray((turn % TURNS_DRAWN) * TURN_BYTES)
  }
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
      const draws = drawsOf(turn)
      const unitLimit = LEAST_UNITS + drawIn(draws, 0, UNITS_SPAN)
      const unitPrice = drawIn(draws, 1, 4) === 0 ? 0 : 1 + drawIn(draws, 2, MOST_UNIT_PRICE)
      const budget = [limitUnits(unitLimit), ...(unitPrice > 0 ? [setUnitPrice(unitPrice)] : [])]
      return {
        before: drawIn(draws, 3, 2) === 0 ? budget.reverse() : budget,
        after: drawIn(draws, 4, 4) === 0 ? [say(1 + drawIn(draws, 5, MOST_WORDS))] : [],
        priorityLamports: BigInt(Math.ceil((unitPrice * unitLimit) / MICRO)),
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
const LEAST_UNITS = 400_000
const UNITS_SPAN = 400_001
/** Of a millionth lamport per unit: a trade pays a tenth of a cent at most. */
const MOST_UNIT_PRICE = 50_000
const MICRO = 1_000_000
const MOST_WORDS = 10 ** 13
const DRAW_BYTES = 6
const TURN_BYTES = 6 * DRAW_BYTES
/** A check of a token without a hook makes no more transactions. */
const TURNS_DRAWN = 64

/** Many more bits than are used, so that what is left over for each number is even. */
const drawIn = (draws: Buffer, place: number, span: number) => draws.readUIntBE(place * DRAW_BYTES, DRAW_BYTES) % span

const drawBlock = (seed: Hex, block: number): Buffer =>
  createHash('shake256', { outputLength: TURNS_DRAWN * TURN_BYTES })
    .update(`${seed}:dress ${block}`)
    .digest()

const limitUnits = (units: number): Instruction => ({
  program: COMPUTE_BUDGET_PROGRAM,
  accounts: [],
  data: packed([8, 2], [32, units]),
})

const setUnitPrice = (price: number): Instruction => ({
  program: COMPUTE_BUDGET_PROGRAM,
  accounts: [],
  data: packed([8, 3], [64, price]),
})

/** An order's number, as exchanges leave it. */
const say = (words: number): Instruction => ({
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

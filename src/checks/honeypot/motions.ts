import type { Stored } from '../../evm/inspectors/decisions.js'
import { evaluatorOf } from '../../evm/inspectors/evaluator-of.js'
import type { StorageAccess } from '../../evm/inspectors/storage-access.js'
import { isSmall, type Leaf, type Slot, sources, sourcesOf, type Term, valueIf } from '../../evm/inspectors/term.js'
import type { Address } from '../../hex.js'
import { type Field, fieldsIn, readField, withField } from './word-fields.js'

/** A word that trading moves, and how it goes on. */
export interface Motion {
  address: Address
  slot: bigint
  /** The word after so many further trades; `undefined` beyond what is followed. */
  after(trades: number): bigint | undefined
  /** What trades leave of it, as far as the condition can ask; absent where they leave nothing. */
  least?(condition: Term): bigint
  /** More than this trades do not bring together; absent where nothing bounds it. */
  most?(condition: Term): bigint
  /** It goes on as the code computes it, and not only as it was seen to. */
  isKnown: boolean
}

/** One of two trades in a row: what it wrote, how that was computed, and when. */
export interface Trade {
  storage: StorageAccess
  stores: readonly Stored[]
  timestamp: bigint
  number: bigint
}

/** A trap that more trades have to walk into first earns its maker nothing. */
const MAX_TRADES = 100_000
/**
 * So many are looked at one by one, for what happens at every n-th trade; beyond, at growing
 * distances.
 */
const LINEAR_TRADES = 256
const GROWTH = 1.3
/** A word that is worked out from itself, by a part of it each time, is followed as far as this. */
const MAX_FOLLOWED = 2_048
/** Words that are followed. */
const MAX_MOTIONS = 16

/**
 * Words that two trades in a row, `earlier` and `later`, moved in a way that can be continued:
 * by the same sign each time (counts, volumes, totals), or by a formula of the word alone.
 * `isOpen` tells words that may be set on the fork without making nonsense of the exchange's books;
 * `isOwn` those that are not about the exchange at all: a field of others may be its balance.
 */
export function findMotions(
  earlier: Trade,
  later: Trade,
  slots: readonly Slot[],
  { isOpen, isOwn = isOpen, isBalance = () => false }: MotionsAsked,
): Motion[] {
  return slots
    .filter(isOpen)
    .flatMap((leaf) => {
      const { address, slot } = leaf
      const [before, after] = [earlier, later].map((trade) => withoutClock(changeOf(trade, address, slot), trade))
      if (!before || !after) return []
      const stored = later.stores.find((each) => each.address === address && each.slot === slot)
      const isCounted = isBalance(leaf)
      const fields = stored && isOwn(leaf) ? fieldsMoved(before, after, stored.value, later, isCounted) : []
      if (fields.length > 0 || isCounted)
        return fields.map((goesOn) => ({ address, slot, after: goesOn, isKnown: false }))
      const next = formulaOf(before, after, stored)
      const goesOn = next ? followed(before, after, next) : continued(before, after)
      return goesOn ? [{ address, slot, after: goesOn, isKnown: next !== undefined }] : []
    })
    .slice(0, MAX_MOTIONS)
}

/** Which words are followed. */
interface MotionsAsked {
  isOpen(leaf: Slot): boolean
  /** Of which the fields are told apart. */
  isOwn?(leaf: Slot): boolean
  /** Of which only the counts beside a balance are followed, which stays as it was at first. */
  isBalance?(leaf: Slot): boolean
}

/** Whether two trades of other amounts moved a word by the same. */
export function isCount(earlier: Trade, later: Trade, word: Slot): boolean {
  const step = stepOf(later, word)
  return step !== 0n && step === stepOf(earlier, word)
}

interface Change {
  before: bigint
  after: bigint
}

/** `undefined` where the trade left the word as it was. */
function changeOf({ storage }: Trade, address: Address, slot: bigint): Change | undefined {
  const change = storage.writes.get(address)?.get(slot)
  return change && change.after !== change.before ? change : undefined
}

export function stepOf(trade: Trade | undefined, { address, slot }: Pick<Slot, 'address' | 'slot'>): bigint {
  const change = trade && changeOf(trade, address, slot)
  return change ? change.after - change.before : 0n
}

/** By the step of the later trade, where both went the same way. */
function continued(earlier: Change, later: Change): Motion['after'] | undefined {
  const [before, step] = [earlier.after - earlier.before, later.after - later.before]
  if (before > 0n !== step > 0n) return undefined
  return (trades) => {
    const word = later.after + step * BigInt(trades)
    return word >= 0n && word < WORD ? word : undefined
  }
}

/**
 * Where the code keeps several fields in a word: those that went on by themselves, each with the
 * others as they were left. A volume may stand beside the last amount, which goes up and down, and
 * does not run over into a mark above it where the code cuts it to its field.
 */
function fieldsMoved(
  earlier: Change,
  later: Change,
  stored: Term,
  trade: Trade,
  isCounted: boolean,
): Motion['after'][] {
  if (!isSmall(stored)) return []
  const changes = fieldsIn(stored)
    .map((field) => ({ field, first: changeIn(earlier, field), second: changeIn(later, field) }))
    .filter(({ first, second }) => isChange(first) || isChange(second))
  if (changes.every(({ field }) => field.to - field.from === WORD_BITS)) return []
  return changes.flatMap(({ field, first, second }) => {
    if (!isChange(first) || !isChange(second) || isMoment(second.after, trade)) return []
    if (isCounted && first.after - first.before !== second.after - second.before) return []
    const goesOn = continued(first, second)
    if (goesOn === undefined) return []
    return (trades: number) => {
      const value = goesOn(trades)
      const fits = value !== undefined && value >> (field.to - field.from) === 0n
      return fits ? withField(isCounted ? earlier.before : later.after, field, value) : undefined
    }
  })
}

const changeIn = ({ before, after }: Change, field: Field): Change => ({
  before: readField(before, field),
  after: readField(after, field),
})
const isChange = ({ before, after }: Change) => before !== after

/** What the code computes the word from itself by, where both steps agree with it. */
function formulaOf(earlier: Change, later: Change, stored: Stored | undefined): ((word: bigint) => bigint) | undefined {
  if (!stored || !isSmall(stored.value)) return undefined
  const isWord = (leaf: Leaf) => leaf.kind === 'slot' && leaf.slot === stored.slot && leaf.address === stored.address
  const next = evaluatorOf(stored.value, isWord)
  return next(later.before) === later.after && next(earlier.before) === earlier.after ? next : undefined
}

/**
 * Trade by trade, as places in a ring come round again, and limits shrink by a part of them; much
 * further only what went by one step so far, and still does there.
 */
function followed(earlier: Change, later: Change, next: (word: bigint) => bigint): Motion['after'] {
  const words = [later.after]
  const wordAfter = (trades: number) => {
    for (let i = words.length; i <= trades; i += 1) words.push(next(words[i - 1] ?? 0n))
    return words[trades]
  }
  const steady = continued(earlier, later)
  return (trades) => {
    if (trades <= LINEAR_TRADES) return wordAfter(trades)
    const [word, before] = [steady?.(trades), steady?.(trades - 1)]
    const isSteady = wordAfter(LINEAR_TRADES) === steady?.(LINEAR_TRADES)
    if (!isSteady) return trades <= MAX_FOLLOWED ? wordAfter(trades) : undefined
    return word !== undefined && before !== undefined && next(before) === word ? word : undefined
  }
}

/** A word with which a condition answers otherwise. */
export interface Turn {
  word: bigint
  /** After so many further trades the first such word comes. */
  trades: number
  /** After so many this one comes. */
  comesAfter: number
}

/**
 * Words with which the condition answers otherwise if trading goes on like that: for the first
 * time, then after four times as many trades, and after as many as are followed. What begins there
 * may be a small fee, which grows.
 */
export function turnsOf(motion: Motion, condition: Term): Turn[] {
  if ((sourcesOf(condition) & sources.slot) === 0) return []
  const { address, slot } = motion
  const least = motion.least?.(condition)
  const [first, bound] = [motion.after(0), motion.most?.(condition)]
  // A supply that is less than what is held bounds nothing.
  const most = first !== undefined && bound !== undefined && bound >= first ? bound : undefined
  const after = (trades: number): bigint | undefined => {
    const word = motion.after(trades)
    if (least !== undefined && (word === undefined || word < least)) return least
    return most !== undefined && (word === undefined || word > most) ? most : word
  }
  const isWord = (leaf: Leaf) => leaf.kind === 'slot' && leaf.slot === slot && leaf.address === address
  const valueAt = evaluatorOf(condition, isWord)
  const answer = (word: bigint | undefined) =>
    (word === undefined ? valueIf(condition, () => undefined) : valueAt(word)) !== 0n
  const now = condition.value !== 0n
  const turnedBy = (high: number): Turn[] => {
    // A limit that shrinks is met by all that is held first, and by parts of it where it ends.
    const end = motion.isKnown ? lastOf(after) : undefined
    const turned = new Map<bigint, number>()
    for (const trades of [high, LEAST_GROWN + high * 4, MAX_TRADES]) {
      const word = after(trades)
      const reached = word === undefined ? end : { word, trades }
      if (reached === undefined || turned.has(reached.word) || answer(reached.word) === now) continue
      turned.set(reached.word, reached.trades)
    }
    return [...turned].map(([word, comesAfter]) => ({ word, trades: high, comesAfter }))
  }
  if (answer(after(0)) !== now) return turnedBy(0)
  for (let [low, high] = [0, 1]; high <= MAX_TRADES; [low, high] = [high, further(high)]) {
    // What is no longer followed may have turned just before.
    while (after(high) === undefined && high - low > 1) high = Math.ceil((low + high) / 2)
    if (after(high) === undefined) return []
    if (answer(after(high)) === now) continue
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (answer(after(middle)) === now) low = middle
      else high = middle
    }
    return turnedBy(high)
  }
  return fillingsOf(after)
    .filter(({ word }) => answer(word) !== now)
    .slice(0, 1)
}

/**
 * The last words before a field of whole bytes is full: what is refused there may be so few that a
 * search at growing distances steps over them.
 */
function fillingsOf(after: Motion['after']): Turn[] {
  const found: Turn[] = []
  const [first, last] = [after(0), lastOf(after)]
  if (first === undefined || last === undefined) return []
  for (let border = FIELD; border < WORD; border *= FIELD) {
    if (border <= first || border > last.word) continue
    let [low, high] = [0, last.trades]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if ((after(middle) ?? WORD) < border) low = middle
      else high = middle
    }
    const word = after(low)
    if (word !== undefined) found.push({ word, trades: low, comesAfter: low })
  }
  return found
}

/** The last word that is followed, and after how many trades. */
function lastOf(after: Motion['after']): Pick<Turn, 'word' | 'trades'> | undefined {
  let [low, high] = [0, MAX_TRADES]
  const end = after(high)
  if (end !== undefined) return { word: end, trades: high }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (after(middle) === undefined) high = middle
    else low = middle
  }
  const word = after(low)
  return word === undefined ? undefined : { word, trades: low }
}

const FIELD = 256n

/** Trades that a fee is given to grow in. */
const LEAST_GROWN = 100

const further = (trades: number) => (trades < LINEAR_TRADES ? trades + 1 : Math.ceil(trades * GROWTH))

/** Fields in which contracts keep moments and heights, the wider first. */
const CLOCK_BITS = [64n, 48n, 40n, 32n]

/**
 * What else the trade changed than a moment in the word: what a cooldown remembers moves on without
 * end and without harm, and a count may stand beside it. `undefined` where that is all.
 */
function withoutClock(change: Change | undefined, trade: Trade): Change | undefined {
  if (change === undefined || isMoment(change.after, trade)) return undefined
  for (let shift = 0n; shift < 256n; shift += 8n)
    for (const bits of CLOCK_BITS) {
      const field = ((1n << bits) - 1n) << shift
      if (!isMoment((change.after & field) >> shift, trade)) continue
      const before = (change.before & ~field) | (change.after & field)
      return before === change.after ? undefined : { before, after: change.after }
    }
  return change
}

const isMoment = (value: bigint, { timestamp, number }: Trade): boolean =>
  value === timestamp || (value === number && number > SMALL_NUMBER)

/** Heights below this are also counts. */
const SMALL_NUMBER = 100_000n

const WORD_BITS = 256n
const WORD = 1n << WORD_BITS

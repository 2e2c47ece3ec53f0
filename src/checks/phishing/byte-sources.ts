/** Bytes that come out of something that is given bytes; `undefined` where nothing does. */
export type Produce = (given: Uint8Array) => Uint8Array | undefined

/** Where in what is given a byte that comes out can be chosen. */
export type Sources = ReadonlyMap<number, number>

/** Bytes that are given in one piece: a word of the ABI. */
const PIECE = 32
/** Smaller words are lengths and places, which have all that follows them move. */
const LEAST_CHOSEN = 1n << 24n
/** A byte that more follow is a length or a place. */
const MOST_OUT = 4

/** How a byte is changed by a difference, and which difference shows between two. */
interface Change {
  make(byte: number, difference: number): number
  show(before: number, after: number): number
}

const CHANGES: readonly Change[] = [
  { make: (byte, difference) => byte ^ difference, show: (before, after) => before ^ after },
  { make: (byte, difference) => byte + difference, show: (before, after) => (after - before) & 0xff },
]

/**
 * Which given byte each byte that comes out follows; looks until all have one. Pieces, which begin
 * at `first`, are changed at once, each of their bytes by another difference, so that one which is
 * only moved about or added to shows where each of its bytes went; else half of its bytes are
 * changed at a time, the half that has one bit of its place.
 */
export function findSources(
  given: Uint8Array,
  produce: Produce,
  { first = 0, isFixed = () => false }: { first?: number; isFixed?: (piece: Uint8Array) => boolean } = {},
): Map<number, number> {
  const best = new Map<number, { source: number; outs: number }>()
  const before = produce(given)
  if (before === undefined) return new Map()
  const trial = { given, before, produce }

  /** Of several, the one that decides the least besides. */
  const note = (places: Found) => {
    const outs = countOf(places)
    for (const [at, source] of places) {
      const count = outs.get(source) ?? 0
      if (count < (best.get(at)?.outs ?? Number.POSITIVE_INFINITY)) best.set(at, { source, outs: count })
    }
  }
  const isDone = () => best.size >= before.length && [...best.values()].every(({ outs }) => outs === 1)
  const look = (from: number, to: number): void => {
    if (isDone() || from >= to) return
    const places = ofPiece(trial, from, to) ?? byHalves(trial, from, to)
    if (places !== undefined) note(places)
    if (places !== undefined || to - from <= 1) return
    const middle = (from + to) >> 1
    look(from, middle)
    look(middle, to)
  }

  for (let at = first; at < given.length; at += PIECE) {
    const to = Math.min(at + PIECE, given.length)
    const from = firstUsed(given, at, to)
    if (isChosen(given.subarray(from, to)) && !isFixed(given.subarray(at, to))) look(from, to)
  }
  return new Map([...best].map(([at, { source }]) => [at, source]))
}

interface Trial {
  given: Uint8Array
  /** What comes out of it. */
  before: Uint8Array
  produce: Produce
}

type Found = Map<number, number>

/** How many bytes out follow each. */
function countOf(places: Found): Map<number, number> {
  const outs = new Map<number, number>()
  for (const source of places.values()) outs.set(source, (outs.get(source) ?? 0) + 1)
  return outs
}

/**
 * What each byte of a piece decides, where two trials with other differences tell the same;
 * `undefined` where they do not.
 */
function ofPiece(trial: Trial, from: number, to: number): Found | undefined {
  for (const change of CHANGES) {
    const up = movedBy(trial, change, { from, to, differenceOf: (place) => place - from + 1 })
    if (up === undefined) continue
    if (up.size === 0) return new Map()
    const down = movedBy(trial, change, { from, to, differenceOf: (place) => to - place })
    if (down?.size === up.size && [...up].every(([at, place]) => down.get(at) === place)) return up
  }
  return undefined
}

function movedBy(
  { given, before, produce }: Trial,
  { make, show }: Change,
  { from, to, differenceOf }: { from: number; to: number; differenceOf: (place: number) => number },
): Map<number, number> | undefined {
  const changed = given.slice()
  const placeBy = new Map<number, number>()
  for (let place = from; place < to; place += 1) {
    changed[place] = make(given[place] ?? 0, differenceOf(place))
    placeBy.set(differenceOf(place), place)
  }
  const after = produce(changed)
  if (after === undefined) return undefined
  const moved = new Map<number, number>()
  for (const [at, byte] of after.entries()) {
    if (byte === before[at]) continue
    const place = placeBy.get(show(before[at] ?? 0, byte))
    if (place === undefined) return undefined
    moved.set(at, place)
  }
  return moved
}

/**
 * The bytes of a piece that each byte out follows, by changing those whose place has a bit, and
 * those that have it not; `undefined` where nothing comes out of one of them.
 */
function byHalves({ given, before, produce }: Trial, from: number, to: number): Found | undefined {
  const places = new Map<number, number[]>()
  for (let at = 0; at < before.length; at += 1) places.set(at, range(from, to))
  for (let bit = 1; bit < to - from || bit === 1; bit *= 2) {
    const differing = [false, true].map((isSet) => {
      const changed = given.slice()
      for (const place of range(from, to))
        if ((((place - from) & bit) !== 0) === isSet) changed[place] = (given[place] ?? 0) ^ 1
      const after = produce(changed)
      return after && new Set([...after.keys()].filter((at) => after[at] !== before[at]))
    })
    const [without, having] = differing
    if (without === undefined || having === undefined) return undefined
    for (const [at, left] of places)
      places.set(
        at,
        left.filter((place) => (((place - from) & bit) === 0 ? without : having).has(at)),
      )
  }
  const known: Found = new Map()
  for (const [at, [place, ...others]] of places) {
    if (others.length > 0) return undefined
    if (place !== undefined) known.set(at, place)
  }
  return [...countOf(known).values()].some((outs) => outs > MOST_OUT) ? undefined : known
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)

/** Zeros before what a word says: an address has twelve, and code asks for them. */
function firstUsed(given: Uint8Array, from: number, to: number): number {
  let at = from
  while (at < to && given[at] === 0) at += 1
  return at - from >= PIECE / 4 ? at : from
}

const isChosen = (piece: Uint8Array): boolean =>
  piece.reduce((number, byte) => number * 256n + BigInt(byte), 0n) >= LEAST_CHOSEN

/** Rounds of sums, in which what is carried comes right from the last byte on. */
const MAX_ROUNDS = 40
const VALUES = 256
/** Where none comes right by so many of them, bytes do not follow one another alone. */
const FIRST_VALUES = 32

/**
 * What has to be given for `wanted` to come out: bytes are tried as exclusive ors and sums, as long
 * as more of them come right, then all values that there are. `undefined` where it does not.
 */
export function solveBytes(
  given: Uint8Array,
  wanted: readonly number[],
  { sources, produce }: { sources: Sources; produce: Produce },
): Uint8Array | undefined {
  let best: Uint8Array = given.slice()
  let out = produce(best)
  const differing = (from: Uint8Array | undefined) => [...wanted.keys()].filter((at) => wanted[at] !== from?.[at])
  let open = differing(out)
  if (open.some((at) => !sources.has(at))) return undefined

  const keep = (bytes: Uint8Array): boolean => {
    const after = produce(bytes)
    const left = after && differing(after)
    if (left === undefined || left.length >= open.length) return false
    ;[best, out, open] = [bytes, after, left]
    return true
  }
  /** Moves what has not come right; what does not by this goes back to where it was. */
  const move = (step: Step): boolean => {
    const moved = best.slice()
    for (const at of open) {
      const place = sources.get(at) ?? moved.length
      moved[place] = step(best[place] ?? 0, out?.[at] ?? 0, wanted[at] ?? 0)
    }
    const after = produce(moved)
    if (after === undefined) return false
    for (const at of open) {
      const place = sources.get(at) ?? moved.length
      if (after[at] !== wanted[at]) moved[place] = best[place] ?? 0
    }
    return keep(moved)
  }

  for (let round = 0; round < MAX_ROUNDS && open.length > 0; round += 1) if (!STEPS.some(move)) break
  const before = open.length
  for (let value = 0; value < VALUES && open.length > 0; value += 1) {
    move(() => value)
    if (value >= FIRST_VALUES && open.length === before) return undefined
  }
  return open.length === 0 ? best : undefined
}

/** What a byte is to be, where it is `now` and `from` comes out in place of `to`. */
type Step = (now: number, from: number, to: number) => number

const STEPS: readonly Step[] = [
  (now, from, to) => now ^ from ^ to,
  (now, from, to) => now - from + to,
  (now, from, to) => now + from - to,
]

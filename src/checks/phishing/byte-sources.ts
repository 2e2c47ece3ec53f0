/** Bytes that come out of something that is given bytes; `undefined` where nothing does. */
export type Produce = (given: Uint8Array) => Uint8Array | undefined

/** Where in what is given a byte that comes out can be chosen. */
export type Sources = ReadonlyMap<number, number>

/** Bytes that are given in one piece: a word of the ABI. */
const PIECE = 32
/** Smaller words are lengths and places, which have all that follows them move. */
const LEAST_CHOSEN = 1n << 32n
/** A byte that more depend on is no byte of theirs. */
const MOST_OUT = 2

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
 * Which given byte each of the bytes that come out follows; looks until all have one. Pieces, which
 * begin at `first`, are changed at once, each of their bytes by another difference, so that one
 * which is only moved about or added to shows where each of its bytes went; the rest is halved
 * until single bytes remain.
 */
export function findSources(given: Uint8Array, produce: Produce, first: number): Map<number, number> {
  const found = new Map<number, number>()
  const before = produce(given)
  if (before === undefined) return found

  const look = (from: number, to: number): void => {
    if (found.size >= before.length) return
    const places =
      to - from === 1 ? ofSingle({ given, before, produce }, from) : ofPiece({ given, before, produce }, from, to)
    if (places !== undefined) for (const [at, place] of places) found.set(at, found.get(at) ?? place)
    if (places !== undefined || to - from === 1) return
    const middle = (from + to) >> 1
    look(from, middle)
    look(middle, to)
  }

  for (let at = first; at < given.length; at += PIECE) {
    const to = Math.min(at + PIECE, given.length)
    const from = firstUsed(given, at, to)
    if (isChosen(given.subarray(from, to))) look(from, to)
  }
  return found
}

interface Trial {
  given: Uint8Array
  /** What comes out of it. */
  before: Uint8Array
  produce: Produce
}

/** What a byte alone decides; `undefined` where that is too much, or all. */
function ofSingle({ given, before, produce }: Trial, place: number): Map<number, number> | undefined {
  const changed = given.slice()
  changed[place] = (given[place] ?? 0) ^ 1
  const after = produce(changed)
  const differing = [...(after?.keys() ?? [])].filter((at) => after?.[at] !== before[at])
  return after === undefined || differing.length > MOST_OUT ? undefined : new Map(differing.map((at) => [at, place]))
}

/**
 * What each byte of a piece decides, where two trials with other differences tell the same;
 * `undefined` where they do not.
 */
function ofPiece(trial: Trial, from: number, to: number): Map<number, number> | undefined {
  for (const change of CHANGES) {
    const up = movedBy(trial, change, { from, to, differenceOf: (place) => place - from + 1 })
    if (up === undefined) continue
    if (up.size === 0) return up
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

/** Zeros before what a word says: an address has twelve, and code asks for them. */
function firstUsed(given: Uint8Array, from: number, to: number): number {
  let at = from
  while (at < to && given[at] === 0) at += 1
  return at - from >= PIECE / 4 ? at : from
}

const isChosen = (piece: Uint8Array): boolean =>
  piece.reduce((number, byte) => number * 256n + BigInt(byte), 0n) >= LEAST_CHOSEN

/**
 * What has to be given for `wanted` to come out (`undefined` in it: whatever it is): bytes are
 * tried as exclusive ors, then as sums, then all there are. `undefined` where it does not come out.
 */
export function solveBytes(
  given: Uint8Array,
  wanted: readonly (number | undefined)[],
  { sources, produce }: { sources: Sources; produce: Produce },
): Uint8Array | undefined {
  let best = given.slice()
  let out = produce(best)
  const unmet = () => [...wanted.keys()].filter((at) => wanted[at] !== undefined && wanted[at] !== out?.[at])
  let open = unmet()
  if (open.some((at) => !sources.has(at))) return undefined

  const move = (step: (now: number, from: number, to: number) => number): void => {
    const moved = best.slice()
    for (const at of open) {
      const source = sources.get(at) ?? 0
      moved[source] = step(best[source] ?? 0, out?.[at] ?? 0, wanted[at] ?? 0) & 0xff
    }
    const after = produce(moved)
    if (after === undefined) return
    // What did not come right goes back to where it was.
    for (const at of open) {
      const source = sources.get(at) ?? 0
      if (after[at] !== wanted[at]) moved[source] = best[source] ?? 0
    }
    best = moved
    out = produce(best)
    open = unmet()
  }

  move((now, from, to) => now ^ from ^ to)
  if (open.length > 0) move((now, from, to) => now - from + to)
  if (open.length > 0) move((now, from, to) => now + from - to)
  for (let value = 0; value < 256 && open.length > 0; value += 1) move(() => value)
  return open.length === 0 ? best : undefined
}

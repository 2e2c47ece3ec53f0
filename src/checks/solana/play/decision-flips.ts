import type { EpochSchedule, SolanaClock } from '../../../solana/cluster-clock.js'
import { later } from '../../../solana/cluster-clock.js'
import { packed } from '../../../solana/instruction.js'
import type { Decision } from '../../../solana/sbf/follow-program.js'
import { clockBytes } from '../../../solana/sbf/program-input.js'
import { evaluate, type Instead, leavesOf, littleEndian, type Source } from '../../../solana/sbf/sbf-term.js'

/** Whether a jump would be taken with other sources; `undefined` when that cannot be told. */
export function outcomeOf({ test, a, b }: Decision, instead: Instead): boolean | undefined {
  const left = evaluate(a, instead)
  const right = left === undefined ? undefined : evaluate(b, instead)
  return left === undefined || right === undefined ? undefined : test(left, right) === 1n
}

/** Which bytes of which sources a decision hangs on. */
export function leavesOfDecision({ a, b }: Decision): Map<Source, { at: number; size: number }[]> {
  const leaves = leavesOf(a)
  for (const [source, slices] of leavesOf(b)) leaves.set(source, [...(leaves.get(source) ?? []), ...slices])
  return leaves
}

/** The least value of a grid from which on a decision falls otherwise, found to the unit. */
function firstFlip(grid: readonly bigint[], isOther: (value: bigint) => boolean): bigint | undefined {
  const at = grid.findIndex(isOther)
  if (at < 0) return undefined
  let otherwise = grid[at] ?? 0n
  let same = grid[at - 1] ?? otherwise
  while (otherwise - same > 1n || same - otherwise > 1n) {
    const middle = (otherwise + same) / 2n
    if (isOther(middle)) otherwise = middle
    else same = middle
  }
  return otherwise
}

const MINUTE = 61
const TEN_MINUTES = 607
const HOUR = 3_607
const DAY = 86_413
const WEEK = 7 * 86_400 + 11
/**
 * Seconds from now on at which a decision on the time is looked at. Steps are primes or odd, so
 * that hours of the day and days of the week are met in turn.
 */
export const GRID_SECONDS: readonly bigint[] = [
  ...steps(MINUTE, 7_200),
  ...steps(TEN_MINUTES, 2 * 86_400),
  ...steps(HOUR, 10 * 86_400),
  ...steps(DAY, 400 * 86_400),
  ...steps(WEEK, 10 * 365 * 86_400),
].sort((a, b) => (a < b ? -1 : 1))

function steps(by: number, until: number): bigint[] {
  return Array.from({ length: Math.floor(until / by) }, (_, i) => BigInt((i + 1) * by))
}

/** Seconds from `clock` on after which a decision on the time falls otherwise, within ten years. */
export function flipTime(
  decision: Decision,
  source: Source,
  { clock, epochs }: { clock: SolanaClock; epochs: EpochSchedule },
): number | undefined {
  const isOther = (seconds: bigint) => {
    const outcome = outcomeOf(decision, new Map([[source, clockBytes(later(clock, Number(seconds), epochs))]]))
    return outcome !== undefined && outcome !== decision.taken
  }
  const found = firstFlip([0n, ...GRID_SECONDS], isOther)
  return found === undefined ? undefined : Number(found)
}

/** The amount nearest to the one played, up to `most`, with which a decision falls otherwise. */
export function flipAmount(
  decision: Decision,
  { played, most, instead }: { played: bigint; most: bigint; instead(amount: bigint): Instead },
): bigint | undefined {
  const isOther = (amount: bigint) => {
    const outcome = outcomeOf(decision, instead(amount))
    return outcome !== undefined && outcome !== decision.taken
  }
  const larger: bigint[] = [played]
  for (let amount = played; amount < most; amount = (amount * 21n) / 20n + 1n) larger.push(amount)
  const smaller: bigint[] = [played]
  for (let amount = played; amount > 1n; amount = (amount * 2n) / 3n) smaller.push(amount)
  return firstFlip([...larger, most], isOther) ?? firstFlip([...smaller, 1n], isOther)
}

/**
 * Bytes of a source, with which a decision falls otherwise: what may stand in an account's data.
 */
export function flipBytes(
  decision: Decision,
  source: Source,
  slices: readonly { at: number; size: number }[],
): Uint8Array | undefined {
  const compared = [decision.a, decision.b]
    .map((operand) => evaluate(operand, new Map()))
    .filter((value) => value !== undefined)
  for (const { at, size } of slices) {
    const held = littleEndian(source.bytes, at, size)
    const most = (1n << BigInt(8 * size)) - 1n
    const near = [held, ...compared].flatMap((value) => [value, value + 1n, value - 1n])
    for (const value of [0n, 1n, 2n, most, most >> 1n, ...near]) {
      const bytes = Uint8Array.from(source.bytes)
      bytes.set(littleEndianBytes(value & most, size), at)
      const outcome = outcomeOf(decision, new Map([[source, bytes]]))
      if (outcome !== undefined && outcome !== decision.taken) return bytes
    }
  }
  return undefined
}

function littleEndianBytes(value: bigint, size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn))
}

/** Instruction data of a transfer, with another amount in it. */
export function withOtherAmount(data: Uint8Array, amount: bigint): Uint8Array {
  const other = Uint8Array.from(data)
  other.set(packed([64, amount]), AMOUNT_AT)
  return other
}

const AMOUNT_AT = 8

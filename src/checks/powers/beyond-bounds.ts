import { createDecisionsInspector } from '../../evm/inspectors/decisions.js'
import { bytesToHex, hexToBytes } from '../../hex.js'
import { onBranch } from '../on-branch.js'
import { numberOf } from './borders.js'
import type { ActingHolder } from './holders.js'
import type { Plan } from './plans.js'
import { perform } from './play.js'
import type { Choice } from './power.js'
import { otherwise } from './raw-input.js'
import type { Stage } from './stage.js'

/** A call that a bound may let through, although its number is large. */
export interface Beyond {
  plan: Plan
  choice: Choice
}

/** Widths at which code cuts numbers, and a few between. */
const LEAST_WIDTH = 8n
const WIDTHS = [LEAST_WIDTH, 16n, 32n, 64n, 96n, 128n, 160n, 192n, 224n]
/** Accepted numbers that are tried with more bits above them. */
const MAX_BASES = 2
/** Refusals that are asked for their reason, one after the other, and answers to each. */
const MAX_REFUSALS = 3
const MAX_ANSWERS = 3
/**
 * What a bound that looks at all of a number never lets through, the graver first. The last has
 * bits left above any width when it was divided into whole tokens, and fits when it is multiplied.
 */
const LARGE: readonly Choice['number'][] = ['inflation', 1_000_003n, 1n << 224n]

/**
 * Large numbers that a bound may accept, because it looks at a part of them alone: an accepted one
 * with bits above it, and, of refused ones, the nearest with which the branch that refused them
 * answers otherwise (remainders, masks, signs).
 */
export function listBeyond(
  stage: Stage,
  plan: Plan,
  holder: ActingHolder,
  accepted: ReadonlyMap<Choice, boolean>,
): Beyond[] {
  const tried = [...accepted]
  const refused = tried.filter(([, passed]) => !passed)
  const isNumeric = plan.parameters.some(({ type }) => /^u?int\d*$/.test(type))
  const [base] = tried.find(([, passed]) => passed) ?? tried[0] ?? []
  if (!isNumeric || base === undefined || refused.length === 0) return []
  // The types are what the code makes of each word, which is what is in doubt here.
  const wide = { ...plan, parameters: plan.parameters.map(widen) }
  const passing = tried.filter(([, passed]) => passed).map(([choice]) => numberOf(stage, choice))
  const bases = [...new Set(passing)].filter((number) => number < 1n << LEAST_WIDTH).slice(0, MAX_BASES)
  const above = bases.flatMap((number) => WIDTHS.map((width) => number + (1n << width)))
  const solved = LARGE.flatMap((number) => solve(stage, wide, holder, { ...base, number }, MAX_REFUSALS))
  return [...new Set([...above, ...solved])].map((number) => ({ plan: wide, choice: { ...base, number } }))
}

const widen = (parameter: Plan['parameters'][number]) =>
  /^u?int\d*$/.test(parameter.type) ? { ...parameter, type: 'uint256' } : parameter

/** Numbers near the refused one that the branches which refused it let through. */
function solve(stage: Stage, plan: Plan, holder: ActingHolder, choice: Choice, left: number): bigint[] {
  const decisions = createDecisionsInspector({ isRaw: true })
  const { steps, acted } = onBranch(stage, () => perform(stage, [{ plan, holder, choice }], () => [decisions]))
  const [step] = steps
  const { blocking } = decisions.finish()
  if (acted !== undefined) return [numberOf(stage, choice)]
  if (step === undefined || blocking === undefined || left <= 0) return []
  const input = { from: step.from, data: hexToBytes(step.input), value: 0n, waitSeconds: 0 }
  const near = otherwise(input, blocking.condition)
    .filter(({ from, value, waitSeconds }) => from === input.from && value === 0n && waitSeconds === 0)
    .flatMap(({ data }) => changedWord(input.data, data) ?? [])
    .slice(0, MAX_ANSWERS)
  const [nearest] = near
  const now = numberOf(stage, choice)
  // What is left after a plain bound is small, and was tried.
  const large = near.filter((number) => number > now / 2n)
  if (nearest === undefined || large.length === 0) return []
  return large.flatMap((number) => solve(stage, plan, holder, { ...choice, number }, left - 1)).slice(0, MAX_ANSWERS)
}

/** The first word of the arguments that differs. */
function changedWord(before: Uint8Array, after: Uint8Array): bigint | undefined {
  for (let at = 4; at + 32 <= after.length; at += 32) {
    const [old, word] = [before, after].map((data) => bytesToHex(data.subarray(at, at + 32)))
    if (word !== undefined && old !== word) return BigInt(word)
  }
  return undefined
}

import { approve } from '../../dex/legs.js'
import { FULL_BPS } from '../../dex/tax.js'
import { createDecisionsInspector, type Decisions } from '../../evm/inspectors/decisions.js'
import type { Slot } from '../../evm/inspectors/term.js'
import { bytesToHex } from '../../hex.js'
import { wait } from '../../simulation/fork-verbs.js'
import { onBranch } from '../on-branch.js'
import { type Acted, actAs } from './act.js'
import { gravityOf } from './gravity.js'
import { type Books, openBooks } from './ledger.js'
import { type Effect, lookAtBooks, lookAtTrade } from './look.js'
import { asCalled } from './own-callers.js'
import { perform } from './play.js'
import type { ProofStep } from './power.js'
import { type Goal, isPast } from './raw-goals.js'
import type { RawInput } from './raw-input.js'
import type { Stage } from './stage.js'

/** Tokens make people wait after a transfer: what is over by then was a limit of the moment. */
const SETTLING_MS = 3_600_000

/** What came of one call. */
export interface Attempt {
  decisions: Decisions
  /** It went through; and it changed what a sale depends on. */
  passed: boolean
  changed: boolean
  effect: Effect | undefined
  steps: readonly ProofStep[]
}

/**
 * Makes the call, after those that come before it, on a branch. `undefined` where these do not go
 * through.
 */
export function attempt(stage: Stage, goal: Goal, input: RawInput, mayLook: boolean): Attempt | undefined {
  return onBranch(stage, () => {
    const before = input.before ?? []
    const led = perform(stage, before)
    if (before.length > 0 && led.acted === undefined) return undefined
    const books = goal.words.length === 0 ? openBooks(stage, input.from) : undefined
    const inspector = createDecisionsInspector({ isRaw: true })
    if (input.waitSeconds > 0) wait(stage.fork, input.waitSeconds * 1_000)
    stage.effort.calls += 1
    const step = asCalled(stage, toStep(goal, input))
    const acted = actAs(stage.fork, step, stage.operator, [inspector])
    const decisions = inspector.finish()
    const passed = acted.success
    const changed = passed && (books ? isPast(goal, decisions) : goal.words.some((word) => changes(acted, word)))
    const found = { decisions, passed, changed, steps: [...led.steps, step] }
    if (!changed || !mayLook) return { ...found, effect: undefined }
    return { ...found, effect: worstOf(books ? lookAtTaken(stage, books, acted, input) : lookLater(stage)) }
  })
}

/** What became of trade; what is over when an hour has passed was a limit of the moment. */
function lookLater(stage: Stage): readonly Effect[] {
  wait(stage.fork, SETTLING_MS)
  for (const { context, held } of [stage.buyer, stage.bystander]) approve(context, held)
  return lookAtTrade(stage, { hasNumber: false }, false)
}

/** What became of the books; new tokens that are paid for are a sale. */
function lookAtTaken(stage: Stage, books: Books, acted: Acted, { value }: RawInput): readonly Effect[] {
  const effects = lookAtBooks(stage, books.before, books.read(), acted)
  return effects.filter((effect) => !isIssue(effect) || !isPaidFor(stage, effect, value))
}

const isIssue = ({ kind }: Effect) => kind === 'mints' || kind === 'mints-unseen'

/** What the pool pays for them is more than so many times what they cost where it is no price. */
const LEAST_GAIN = 10n

const isPaidFor = ({ market }: Stage, { lossBps }: Effect, value: bigint) =>
  value * LEAST_GAIN * BigInt(FULL_BPS) >= market.depth * BigInt(lossBps) && value > 0n

const changes = ({ writes }: Acted, { address, slot }: Slot) => {
  const word = writes.get(address)?.get(slot)
  return word !== undefined && word.before !== word.after
}

const worstOf = (effects: readonly Effect[]): Effect | undefined =>
  effects.toSorted((a, b) => gravityOf(b.kind, b.lossBps) - gravityOf(a.kind, a.lossBps))[0]

const toStep = ({ entry }: Goal, { from, data, value, waitSeconds }: RawInput): ProofStep => ({
  ...{ from, to: entry.contract, input: bytesToHex(data) },
  ...(value > 0n && { value }),
  ...(waitSeconds > 0 && { waitSeconds }),
})

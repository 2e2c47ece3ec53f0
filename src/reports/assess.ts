import type { HoneypotReport } from '../checks/honeypot/check-honeypot.js'
import type { PhishingReport } from '../checks/phishing/check-phishing.js'
import { isFailed } from '../checks/settle.js'
import type { SimulationChecks } from '../checks/simulation/simulation-checks.js'
import type { AnalysisTarget } from '../checks/target.js'
import type { Hex } from '../hex.js'
import type { Blame } from '../scheduling/machine-load.js'
import { type OpenDeadline, openDeadline } from '../scheduling/with-deadline.js'
import type { Family } from './family.js'
import { judgeTarget } from './judge-target.js'
import type { Verdict } from './verdict.js'

/** What each part of an assessment finds. */
interface PartReports {
  simulation: SimulationChecks
  honeypot: HoneypotReport
  phishing: PhishingReport
}

export type PartName = keyof PartReports

/** The checks that an assessment is made of. Each rejects when it could not begin. */
export type Checks = { [Name in PartName]: (target: AnalysisTarget) => Promise<PartReports[Name]> }

/** A part that could not be had, and why. */
export interface FailedPart {
  failed: true
  error: unknown
}

/** What became of each part; one that was not asked for is absent. */
export type Parts = { [Name in PartName]?: PartReports[Name] | FailedPart }

/** What was found out about one target, and the one verdict on it. */
export interface Assessment extends Parts {
  verdict: Verdict
  /** What is known of other tokens with its code; absent where that was not asked. */
  family?: Family
  /** Whether all checks went into the verdict. */
  isWhole: boolean
}

/**
 * Judges one target. `only` leaves out every other part, and with it the claim that the verdict is
 * whole.
 */
export type Assess = (target: AnalysisTarget, only?: PartName) => Promise<Assessment>

/**
 * What is done with each assessment before it is given: it may be noted, and it may be replaced by
 * one that says more. Never rejects.
 */
export type Review = (
  assessment: Assessment,
  target: AnalysisTarget,
  only: PartName | undefined,
) => Assessment | Promise<Assessment>

export interface AssessOptions {
  /** Told of each check that failed, with what `blame` made of it. */
  onFailure(part: PartName, error: unknown): void
  blame?: Blame
  /** An assessment that is known and still holds. */
  recall?: ((target: AnalysisTarget, only: PartName | undefined) => Assessment | undefined) | undefined
  /**
   * Whether what was found at this block holds for the head, where it lies before it; where it does
   * not, all is found out once more.
   */
  stands?: (target: AnalysisTarget, hash: Hex) => Promise<boolean>
  /** Each is given what the one before it made. */
  reviews?: readonly Review[]
}

/** Runs all checks at one block; each fails alone. */
export function createAssess(
  checks: Checks,
  {
    onFailure,
    blame = (error) => error,
    recall = () => undefined,
    stands = () => Promise.resolve(true),
    reviews = [],
  }: AssessOptions,
): Assess {
  const run = async <Name extends PartName>(
    name: Name,
    target: AnalysisTarget,
  ): Promise<PartReports[Name] | FailedPart> => {
    let report: PartReports[Name] | FailedPart
    let deadline: OpenDeadline | undefined
    try {
      deadline = openDeadline({ signal: target.signal, graceMs: GRACE_MS })
      report = await deadline.orLate(checks[name](target))
    } catch (cause) {
      const error = blame(cause, target.signal)
      onFailure(name, error)
      report = { failed: true, error }
    } finally {
      deadline?.close()
    }
    if (name !== 'simulation') target.onProgress?.({ step: name, success: !isFailed(report) })
    return report
  }

  const assess = async (
    target: AnalysisTarget,
    only?: PartName,
    { isSecond } = { isSecond: false },
  ): Promise<Assessment> => {
    const known = recall(target, only)
    if (known !== undefined) return known
    const parts: Parts = {}
    if (only !== undefined) Object.assign(parts, { [only]: await run(only, target) })
    else {
      const { first, pinned, giveUp } = untilPinned(target)
      const simulating = run('simulation', first).finally(giveUp)
      // The others find the block that the first has pinned, and what it has read of it.
      await pinned
      const [honeypot, phishing, simulation] = await Promise.all([
        run('honeypot', target),
        run('phishing', target),
        simulating,
      ])
      Object.assign(parts, { simulation, honeypot, phishing })
      const block = isFailed(simulation) ? undefined : simulation.block
      const at = { ...target, ...(block && { blockNumber: block.number }) }
      if (isElsewhere(honeypot, block)) parts.honeypot = await run('honeypot', at)
      if (isElsewhere(phishing, block)) parts.phishing = await run('phishing', at)
    }
    const hash = hashOf(parts)
    const mayDiffer = hash !== undefined && target.blockNumber === undefined && !isSecond
    // Where no node can say, it is found out at whatever head there is, or fails honestly.
    if (mayDiffer && !(await stands(target, hash).catch(() => false))) return assess(target, only, { isSecond: true })
    let assessment: Assessment = { ...parts, verdict: judgeTarget(target, parts), isWhole: only === undefined }
    for (const review of reviews) assessment = await review(assessment, target, only)
    return assessment
  }
  return assess
}

/**
 * How long after it was told to stop a check may take to say what it found, so that the other parts
 * are kept.
 */
const GRACE_MS = 500

/** The block of the first part that could be had. */
export function hashOf({ simulation, honeypot, phishing }: Parts): Hex | undefined {
  for (const part of [simulation, honeypot, phishing]) if (part && 'block' in part) return part.block.hash as Hex
  return undefined
}

/** A report at one block. */
interface Pinned {
  block: { number: bigint; hash: string }
}

/** Whether a part was made at another block than the first, which came between. */
const isElsewhere = (part: Pinned | FailedPart, block: Pinned['block'] | undefined) =>
  block !== undefined && !isFailed(part) && part.block.hash !== block.hash

/** The target for the check that pins the block, and what waits until it has, or has given up. */
function untilPinned(target: AnalysisTarget): { first: AnalysisTarget; pinned: Promise<void>; giveUp(): void } {
  let open = () => {}
  const pinned = new Promise<void>((resolve) => {
    open = resolve
  })
  const onProgress: AnalysisTarget['onProgress'] = (step) => {
    if (step.step === 'block') open()
    target.onProgress?.(step)
  }
  return { first: { ...target, onProgress }, pinned, giveUp: open }
}

/** Whether what was bought could not be sold, to any of the traders that tried. */
export function isTrap({ simulation, honeypot }: Parts): boolean {
  const round = simulation && !isFailed(simulation) ? simulation.trade : undefined
  const isRoundTrap = round !== undefined && !isFailed(round) && round.isHoneypot
  return isRoundTrap || (honeypot !== undefined && !isFailed(honeypot) && honeypot.isHoneypot)
}

/**
 * Whether the same question would be answered the same way at this block: nothing failed, and
 * nothing was left out.
 */
export function isLasting({ simulation, honeypot, phishing, verdict }: Assessment): boolean {
  const isHere = [simulation, honeypot, phishing].every((part) => part === undefined || !isFailed(part))
  const history = simulation && !isFailed(simulation) ? simulation.history : undefined
  return (
    isHere && verdict.inconclusive === undefined && (history === undefined || (!isFailed(history) && history.success))
  )
}

/** The part as it was found out. Rejects with what it failed with. */
export function partOf<Name extends PartName>(
  assessment: Assessment,
  name: Name,
): Exclude<NonNullable<Assessment[Name]>, FailedPart> {
  const part = assessment[name]
  if (part === undefined) throw new RangeError(`the ${name} was not asked for`)
  if (isFailed(part)) throw part.error
  return part as Exclude<NonNullable<Assessment[Name]>, FailedPart>
}

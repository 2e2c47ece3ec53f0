import type { HoneypotReport } from '../checks/honeypot/check-honeypot.js'
import type { PhishingReport } from '../checks/phishing/check-phishing.js'
import { isFailed } from '../checks/settle.js'
import type { SimulationChecks } from '../checks/simulation/simulation-checks.js'
import type { AnalysisTarget } from '../checks/target.js'
import type { Blame } from '../scheduling/machine-load.js'
import { withDeadline } from '../scheduling/with-deadline.js'
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
 * Runs all checks at one block; each fails alone. `onFailure` is told of each that did, with what
 * `blame` made of it.
 */
export function createAssess(
  checks: Checks,
  onFailure: (part: PartName, error: unknown) => void,
  blame: Blame = (error) => error,
): Assess {
  const run = async <Name extends PartName>(
    name: Name,
    target: AnalysisTarget,
  ): Promise<PartReports[Name] | FailedPart> => {
    const work = () => checks[name](target)
    const giveUp = { signal: target.signal, graceMs: GRACE_MS }
    const report = await withDeadline(giveUp, work).catch((cause: unknown): FailedPart => {
      const error = blame(cause, target.signal)
      onFailure(name, error)
      return { failed: true, error }
    })
    if (name !== 'simulation') target.onProgress?.({ step: name, success: !isFailed(report) })
    return report
  }

  async function runAll(target: AnalysisTarget): Promise<Parts> {
    const pinned = createGate()
    const onProgress: AnalysisTarget['onProgress'] = (step) => {
      if (step.step === 'block') pinned.open()
      target.onProgress?.(step)
    }
    const simulating = run('simulation', { ...target, onProgress }).finally(pinned.open)
    // The others find the block that the first has pinned, and what it has read of it.
    await pinned.passed
    const [honeypot, phishing, simulation] = await Promise.all([
      run('honeypot', target),
      run('phishing', target),
      simulating,
    ])
    const block = isFailed(simulation) ? undefined : simulation.block
    const at = block && { ...target, blockNumber: block.number }
    return {
      simulation,
      honeypot: at && isElsewhere(honeypot, block) ? await run('honeypot', at) : honeypot,
      phishing: at && isElsewhere(phishing, block) ? await run('phishing', at) : phishing,
    }
  }

  return async (target, only) => {
    const parts = only === undefined ? await runAll(target) : { [only]: await run(only, target) }
    return { ...parts, verdict: judgeTarget(target, parts), isWhole: only === undefined }
  }
}

/**
 * How long after it was told to stop a check may take to say what it found, so that the other parts
 * are kept.
 */
const GRACE_MS = 500

/** A report at one block. */
interface Pinned {
  block: { number: bigint; hash: string }
}

/** Whether a part was made at another block, which came between. */
const isElsewhere = (part: Pinned | FailedPart, { hash }: Pinned['block']) =>
  !isFailed(part) && part.block.hash !== hash

function createGate(): { passed: Promise<void>; open(): void } {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open: () => open() }
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

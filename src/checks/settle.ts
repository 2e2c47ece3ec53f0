import { BaseError } from '../errors.js'
import { isMachineBusy } from '../scheduling/machine-load.js'

/** A check that could not give its report. The others are not affected. */
export interface FailedCheck {
  failed: true
  /** May reach a client. */
  errorReason: string
  /** The machine was too busy for it, which says nothing about the target. */
  code?: 'machine_busy'
}

/**
 * Lets one check fail alone: a rejection becomes its answer, and `onFailure` is told the whole
 * story.
 */
export async function settle<T>(check: Promise<T>, onFailure: (error: unknown) => void): Promise<T | FailedCheck> {
  try {
    return await check
  } catch (error) {
    onFailure(error)
    const errorReason = error instanceof BaseError ? error.shortMessage : 'Internal error'
    return { failed: true, errorReason, ...(isMachineBusy(error) && { code: 'machine_busy' as const }) }
  }
}

export function isFailed<Check extends object>(check: Check): check is Extract<Check, { failed: true }> {
  return 'failed' in check && check.failed === true
}

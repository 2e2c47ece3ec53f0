import { AnalysisResistedError } from '../../evm/limits.js'
import type { WindowLabel } from './windows.js'

/**
 * What can be left undone after the first window: a later window, or sales in other circumstances
 * than the ordinary ones.
 */
export type Part = Exclude<WindowLabel, 'Immediate'> | 'circumstances'

/**
 * Work under a bound of ours that all of it shares: the parts that finished are kept when a later
 * one meets the bound.
 */
export interface PartialWork {
  /** Plays one part; `undefined` where the bound ended it, or one before it. */
  play<T>(part: Part, work: () => T): T | undefined
  /** The first part that did not finish. */
  unfinished(): Part | undefined
}

export function createPartialWork(): PartialWork {
  let unfinished: Part | undefined
  return {
    play(part, work) {
      if (unfinished !== undefined) return undefined
      try {
        return work()
      } catch (error) {
        if (!(error instanceof AnalysisResistedError)) throw error
        unfinished = part
        return undefined
      }
    },
    unfinished: () => unfinished,
  }
}

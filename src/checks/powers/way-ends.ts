import type { Decision, Decisions } from '../../evm/inspectors/decisions.js'

/** Where the calls that were made left the ways to a write. */
export interface WayEnds {
  /** `end` is the branch at which this call left; `undefined` where that was not seen. */
  note(decisions: Decisions | undefined, end: Decision | undefined): void
  /**
   * Whether calls were made and each of them ended at such a branch; one that another call passed
   * by is no end.
   */
  areAll(isSuch: (end: Decision) => boolean): boolean
}

export function createWayEnds(): WayEnds {
  const ends: (Decision | undefined)[] = []
  const taken = new Set<string>()
  return {
    note(decisions, end) {
      ends.push(end)
      for (const branch of decisions?.branches ?? []) taken.add(turnOf(branch, branch.condition.value !== 0n))
    },
    areAll(isSuch) {
      const last = ends.filter((end) => end === undefined || !taken.has(turnOf(end, end.condition.value === 0n)))
      return last.length > 0 && last.every((end) => end !== undefined && isSuch(end))
    },
  }
}

const turnOf = ({ codeAddress, pc }: Decision, isTaken: boolean) => `${codeAddress} ${pc} ${isTaken}`

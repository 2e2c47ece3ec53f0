import type { PrivilegedFunction } from '../../bytecode/privileged-functions.js'
import type { Subject } from '../bytecode/subject.js'

/** Branches of one function that are looked at. */
const MAX_BRANCHES = 64

/**
 * How the present state decides the branches of a function that depend on nothing else: switches,
 * limits, who the owner is not. Two tokens of one code that differ here may behave differently, so
 * that what was learned of one is not taken for the other.
 */
export function fingerprintOf(subject: Subject, { fn }: Pick<PrivilegedFunction, 'fn'>): string {
  return fn.conditions
    .slice(0, MAX_BRANCHES)
    .map(({ term }) => {
      const value = subject.value(term)
      return value === undefined ? '?' : value === 0n ? '0' : '1'
    })
    .join('')
}

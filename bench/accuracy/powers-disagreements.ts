import type { Address } from '../../src/hex.js'

/** Why the sweep and the reviewers differ, by contract; written by a person who has read the code. */
export const disagreements: Readonly<Record<Address, string>> = {}

import type { Address } from '../../hex.js'
import type { Word } from '../../instructions/word.js'
import { keepCompiled } from '../../keep-compiled.js'
import type { StepEvent } from '../inspector.js'
import { SOURCE_BITS, SOURCES, type TaintSource, taintSources } from './taint-handling.js'

/** A branch that depends on the environment. */
export interface TaintedBranch {
  sources: TaintSource[]
  /** Whose storage the frame uses, and whose code runs. */
  address: Address
  codeAddress: Address
  depth: number
  /** Of the JUMPI. */
  pc: number
  /**
   * What the value was compared with the first time, by the opcode's name; absent where it decided
   * by being zero or not.
   */
  comparison: { operator: string; value: bigint; other: bigint } | undefined
}

export interface Taint {
  branches: TaintedBranch[]
  /** There were more than are kept. */
  isTruncated: boolean
}

const MAX_COMPARISONS = (1 << (31 - SOURCE_BITS)) - 1
const MAX_BRANCHES = 1_000

/**
 * The tainted branches of a run, each once for each set of sources, and the comparisons they came
 * from.
 */
export interface TaintRecord {
  /** Notes a comparison; its number, or 0 if there is no more room. */
  compare(operator: string, value: Word, other: Word): number
  /** Notes the branch that `event` stands at, which the shadow value `shadow` decides. */
  branch(event: StepEvent, shadow: number): void
  read(): Taint
}

export function createTaintRecord(): TaintRecord {
  const branches: TaintedBranch[] = []
  const seen = new Map<string, Set<number>>()
  // As the engine holds the words: most comparisons decide no branch that is new.
  const comparisons: { operator: string; value: Word; other: Word }[] = []
  let isTruncated = false

  const comparisonOf = (shadow: number): TaintedBranch['comparison'] => {
    const found = comparisons[(shadow >>> SOURCE_BITS) - 1]
    return found && { operator: found.operator, value: BigInt(found.value), other: BigInt(found.other) }
  }

  return keepCompiled('taint branches', {
    compare(operator, value, other) {
      if (comparisons.length >= MAX_COMPARISONS) {
        isTruncated = true
        return 0
      }
      return comparisons.push({ operator, value, other })
    },
    branch(event, shadow) {
      const sources = shadow & SOURCES
      const { address, codeAddress, depth, pc } = event
      const place = address === codeAddress ? address : address + codeAddress
      const key = pc * (SOURCES + 1) + sources
      const known = seen.get(place) ?? new Set()
      if (known.has(key)) return
      if (branches.length >= MAX_BRANCHES) {
        isTruncated = true
        return
      }
      seen.set(place, known.add(key))
      const names = taintSources.filter((_, bit) => sources & (1 << bit))
      branches.push({ sources: names, address, codeAddress, depth, pc, comparison: comparisonOf(shadow) })
    },
    read: () => ({ branches, isTruncated }),
  })
}

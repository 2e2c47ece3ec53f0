import { keepCompiled } from '../../keep-compiled.js'

/**
 * Numbers for sets of sources, small enough that each byte of memory can carry one. 0 is the empty
 * set.
 */
export interface SourceSets {
  setOf(sources: number): number
  sourcesOf(set: number): number
}

/**
 * The last number stands for all sources; a run that mixes more combinations than this is told too
 * much rather than too little.
 */
const LAST_SET = 255

export function createSourceSets(allSources: number): SourceSets {
  const numbers = new Map<number, number>([[0, 0]])
  const members = new Int32Array(LAST_SET + 1)
  members[LAST_SET] = allSources
  return keepCompiled('source sets', {
    setOf(sources) {
      if (sources === 0) return 0
      const known = numbers.get(sources)
      if (known !== undefined) return known
      const next = numbers.size
      if (next >= LAST_SET) return LAST_SET
      numbers.set(sources, next)
      members[next] = sources
      return next
    },
    sourcesOf: (set) => members[set] as number,
  })
}

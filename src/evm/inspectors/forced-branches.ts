import { keepCompiled } from '../../keep-compiled.js'
import type { Inspector } from '../inspector.js'
import { type Decision, placeOf } from './decision.js'

/** A branch, as a transaction meets it. */
export type BranchPlace = Pick<Decision, 'address' | 'codeAddress' | 'pc' | 'occurrence'>

const JUMPI = 0x57

/**
 * Makes branches go the other way than their conditions say: what a transaction would do if they
 * answered otherwise, however that may come about. Finishes with how many of them were met.
 */
export function createForcedBranchesInspector(places: readonly BranchPlace[]): Inspector<number> {
  const wanted = new Map(places.map((place) => [placeOf(place), new Set<number>()]))
  for (const { occurrence, ...place } of places)
    if (occurrence !== undefined) wanted.get(placeOf(place))?.add(occurrence)
  const counters = new Set(places.map(({ pc }) => pc))
  const met = new Map<string, number>()
  let forced = 0
  return keepCompiled('forced branches', {
    opcodes: [JUMPI],
    onTransaction: () => met.clear(),
    onStep(event) {
      if (!counters.has(event.pc)) return
      const place = placeOf(event)
      const occurrences = wanted.get(place)
      if (!occurrences) return
      const occurrence = met.get(place) ?? 0
      met.set(place, occurrence + 1)
      if (!occurrences.has(occurrence)) return
      event.replace(CONDITION, event.stackWord(CONDITION) === 0 ? 1 : 0)
      forced += 1
    },
    finish: () => forced,
  })
}

/** Below the target. */
const CONDITION = 1

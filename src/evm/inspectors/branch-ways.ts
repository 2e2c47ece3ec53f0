import { keepCompiled } from '../../keep-compiled.js'
import type { Inspector } from '../inspector.js'
import { type Decision, placeOf } from './decision.js'

const JUMPI = 0x57
/** Below the target. */
const CONDITION = 1

/** Notes which of these branches went another way than they did before, in any transaction. */
export function createBranchWaysInspector(before: readonly Decision[]): Inspector<ReadonlySet<string>> {
  const known = new Map<string, boolean>()
  for (const decision of before) known.set(placeOf(decision), decision.condition.value !== 0n)
  const counters = new Set(before.map(({ pc }) => pc))
  const turned = new Set<string>()
  return keepCompiled('branch ways', {
    opcodes: [JUMPI],
    onStep(event) {
      if (!counters.has(event.pc)) return
      const place = placeOf(event)
      const was = known.get(place)
      if (was !== undefined && (event.stackWord(CONDITION) !== 0) !== was) turned.add(place)
    },
    finish: () => turned,
  })
}

import type { Inspector } from '../../evm/inspector.js'
import type { Address } from '../../hex.js'
import { keepCompiled } from '../../keep-compiled.js'
import { branch } from '../../simulation/fork-verbs.js'
import { dataOf } from './call-data.js'
import type { Stage } from './phishing-stage.js'
import { createReachedCalls, type ReachedCalls } from './reached-calls.js'
import type { EntryPoint } from './read-functions.js'
import type { TakingCall } from './taking-calls.js'

const JUMPI = 0x57
/** Below the target. */
const CONDITION = 1
/** Branches that are turned; a way without loops has fewer. */
const MAX_TURNS = 100

/**
 * What a function does at a place, if all that it asks for on the way were so: branches that lead
 * away from it go the other way, or all go the shortest one. It shows what a call is, and not
 * whether it can be brought about.
 */
export function playTo(stage: Stage, entry: EntryPoint, address: Address, call: TakingCall): ReachedCalls {
  const { fork, target, outsider, victim, marks } = stage
  const reached = createReachedCalls(target)
  const data = dataOf(entry, marks.valuesFor(entry.template))
  for (const makeGuide of [awayFrom(call), along(call)]) {
    for (const from of [outsider, victim.address]) {
      const guide = createGuide(target, address, makeGuide())
      branch(fork, () => fork.evm.read({ from, to: target, data }, [guide, reached.watch()]))
    }
    if (reached.at(address, call.pc).size > 0) break
  }
  return reached
}

/** Which side a branch is to take, where that is not the one that it takes by itself. */
type Guide = (pc: number, isTaken: boolean) => boolean

const awayFrom =
  ({ ways }: TakingCall) =>
  (): Guide =>
  (pc, isTaken) =>
    ways.get(pc)?.has(isTaken) === false ? !isTaken : isTaken

const along =
  ({ shortest }: TakingCall) =>
  (): Guide => {
    let next = 0
    return (pc, isTaken) => {
      const side = shortest[next]
      if (side?.pc !== pc) return isTaken
      next += 1
      return side.taken
    }
  }

function createGuide(account: Address, code: Address, guide: Guide): Inspector<void> {
  let turned = 0
  return keepCompiled('guided play', {
    opcodes: [JUMPI],
    onStep(event) {
      if (turned >= MAX_TURNS || event.codeAddress !== code || event.address !== account) return
      const isTaken = event.stackWord(CONDITION) !== 0
      const wanted = guide(event.pc, isTaken)
      if (wanted === isTaken) return
      turned += 1
      event.replace(CONDITION, wanted ? 1 : 0)
    },
    finish() {},
  })
}

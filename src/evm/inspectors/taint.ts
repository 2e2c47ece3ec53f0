import { DEEP_PLACES, DUPN, lowerPlace, upperPlace } from '../../instructions/deep-stack.js'
import { keepCompiled } from '../../keep-compiled.js'
import type { Inspector } from '../inspector.js'
import { createSourceSets } from './source-sets.js'
import { combine } from './taint-arithmetic.js'
import { createTaintRecord, type Taint } from './taint-branches.js'
import { follow, type TaintState } from './taint-effects.js'
import { createTaintFrame, resetTaintFrame, type TaintFrame, takeOutput } from './taint-frame.js'
import {
  BINARY,
  BRANCH,
  DEEP,
  DUP,
  HANDLING,
  MASK_OF,
  PUSH,
  SOURCE,
  SOURCE_OF,
  SOURCES,
  SWAP,
  WATCHED,
} from './taint-handling.js'
import { createShadowStack, reserveFrame } from './taint-stack.js'
import { createTaintStorage } from './taint-storage.js'

export type { Taint, TaintedBranch } from './taint-branches.js'

/**
 * Follows environment values from the opcode that reads them to the branches they decide: through
 * the stack, memory, calldata, return data and storage of all frames, also from one transaction to
 * the next. It knows which bytes of a word a value has reached, so that a timestamp packed beside a
 * reserve does not make the reserve suspicious. A value looked up under a tainted key is not itself
 * tainted: the balance of the caller is no fact about the caller's address.
 */
export function createTaintInspector(): Inspector<Taint> {
  const frames: TaintFrame[] = []
  const shadow = createShadowStack()
  const record = createTaintRecord()
  const state: TaintState = {
    frame: createTaintFrame(),
    shadow,
    storage: createTaintStorage(),
    transient: createTaintStorage(),
    sets: createSourceSets(SOURCES),
    record,
  }
  // What every step reads.
  let { stack, masks } = shadow
  let base = 0

  const duplicate = (to: number, from: number) => {
    stack[to] = stack[from] as number
    masks[to] = masks[from] as number
  }
  const exchange = (upper: number, lower: number) => {
    const value = stack[upper] as number
    stack[upper] = stack[lower] as number
    stack[lower] = value
    const mask = masks[upper] as number
    masks[upper] = masks[lower] as number
    masks[lower] = mask
  }

  const show = (depth: number) => {
    const frame = frames[depth] ?? createTaintFrame()
    frames[depth] = frame
    state.frame = frame
    return frame
  }

  return keepCompiled('taint', {
    opcodes: WATCHED,
    onTransaction() {
      state.transient.clear()
    },
    onCall({ kind, depth }) {
      if (kind === 'SELFDESTRUCT') return
      const parent = depth === 0 ? undefined : frames[depth - 1]
      const caller = kind === 'CREATE' || kind === 'CREATE2' ? undefined : parent
      base = parent?.top ?? 0
      resetTaintFrame(show(depth), base, caller, state.sets)
      reserveFrame(shadow, base)
      stack = shadow.stack
      masks = shadow.masks
    },
    onCallEnd({ kind, depth, output, error }) {
      if (kind === 'SELFDESTRUCT' || depth === 0) return
      const callee = state.frame
      const frame = show(depth - 1)
      base = frame.base
      takeOutput(frame, callee, output.length, error === undefined || error === 'execution reverted')
    },
    onStep(event) {
      const { opcode } = event
      const top = base + event.stackLength()
      switch (HANDLING[opcode]) {
        case PUSH:
          stack[top] = 0
          return
        case DUP:
          duplicate(top, top - (opcode - 0x7f))
          return
        case SWAP:
          exchange(top - 1, top - (opcode - 0x8e))
          return
        case DEEP: {
          const { operand } = event
          if (opcode === DUPN) duplicate(top, top - (DEEP_PLACES[operand] as number))
          else exchange(top - 1 - upperPlace(opcode, operand), top - 1 - lowerPlace(opcode, operand))
          return
        }
        case BINARY:
          if (stack[top - 1] === 0 && stack[top - 2] === 0) return
          combine(shadow, event, top, record)
          return
        case SOURCE:
          stack[top] = SOURCE_OF[opcode] as number
          masks[top] = MASK_OF[opcode] as number
          return
        case BRANCH: {
          const condition = stack[top - 2] as number
          if ((condition & SOURCES) !== 0) record.branch(event, condition)
          return
        }
        default:
          follow(state, event, top)
      }
    },
    finish: record.read,
  })
}

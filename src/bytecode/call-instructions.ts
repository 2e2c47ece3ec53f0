import type { Running } from './abstract-machine.js'
import { type CallEffect, MAX_CALL_ARGUMENTS } from './effects.js'
import { foldTerm } from './fold.js'
import { loadRegion, loadSelector, loadWord, MAX_REGION_BYTES, own, storeUnknown, storeWord } from './memory.js'
import { charge, pop, popThree, sizeOf } from './operands.js'
import { callSource } from './source.js'
import type { Taint, Term, TermStore } from './terms.js'

const taintOf = (store: TermStore, terms: readonly Term[]): Taint =>
  terms.reduce((all, { taint }) => store.union(all, taint), store.noTaint)

/** `CREATE` and `CREATE2`: what is created is a term of its own. */
export function executeCreate({ store, state, effects }: Running, op: 'CREATE' | 'CREATE2', pc: number): undefined {
  const { stack } = state
  const [value, offset, size] = popThree(store, stack)
  const salt = op === 'CREATE2' ? pop(store, stack) : value
  const words = loadRegion(store, state.memory, offset, sizeOf(size))
  effects.push({ kind: 'create', pc, op, codeTaint: taintOf(store, words), value, words, size })
  state.lastCall = store.union(store.taint(callSource(pc)), salt.taint)
  stack.push(store.makeTainted('created', [], BigInt(pc), 256, state.lastCall))
  return undefined
}

/** The four calls: what comes back is unknown, and depends on what was sent. */
export function executeCall(running: Running, op: CallEffect['op'], pc: number): undefined {
  const { store, state, effects } = running
  const { stack } = state
  const [gas, target] = [pop(store, stack), pop(store, stack)]
  const value = op === 'CALL' || op === 'CALLCODE' ? pop(store, stack) : store.constant(0n)
  const [offset, size, outOffset, outSize] = [
    pop(store, stack),
    pop(store, stack),
    pop(store, stack),
    pop(store, stack),
  ]
  const region = loadRegion(store, state.memory, offset, sizeOf(size))
  const inputTaint = store.union(taintOf(store, region), size.taint)
  const args: Term[] = []
  for (let at = 4; at < Math.min(sizeOf(size) ?? 4 + 32 * MAX_CALL_ARGUMENTS, 4 + 32 * MAX_CALL_ARGUMENTS); at += 32) {
    args.push(loadWord(store, state.memory, foldTerm(store, 'ADD', [offset, store.constant(BigInt(at))])))
  }
  const selector = sizeOf(size) === 0 ? store.unknown(store.noTaint) : loadSelector(store, state.memory, offset)
  effects.push({ kind: 'call', pc, op, target, value, gas, selector, args, inputTaint, inputSize: size })
  const result = store.taint(callSource(pc))
  state.lastCall = store.union(store.union(result, inputTaint), target.taint)
  const outBytes = sizeOf(outSize)
  charge(running, outBytes)
  if (outBytes !== 0) {
    state.memory = own(state.memory)
    storeUnknown(store, state.memory, outOffset, outBytes, state.lastCall)
    for (let at = 0; at + 32 <= Math.min(outBytes ?? 0, MAX_REGION_BYTES); at += 32) {
      const word = store.makeTainted('returned', [target], (BigInt(at) << 32n) | BigInt(pc), 256, state.lastCall)
      storeWord(store, state.memory, foldTerm(store, 'ADD', [outOffset, store.constant(BigInt(at))]), word)
    }
  }
  stack.push(store.makeTainted('call', [target], BigInt(pc), 256, result))
  return undefined
}

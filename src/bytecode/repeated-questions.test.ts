import { expect, test } from 'vitest'
import { hexToBytes } from '../hex.js'
import { assemble } from '../state/assemble.js'
import { readFacts } from './facts.js'
import { findReachable } from './graph.js'
import { createConsistentWays } from './repeated-questions.js'

/** Slots that are written on a way that a call can take. */
function written(source: string): number[] {
  const { functions } = readFacts(hexToBytes(assemble(source)))
  return functions.flatMap(({ run, effects }) => {
    const reached = findReachable(run, createConsistentWays(run))
    return effects.flatMap((effect) =>
      effect.kind === 'write' && reached.has(effect.node) ? [Number(effect.key.value)] : [],
    )
  })
}

/** Refuses an argument of nothing, then asks for it, or for something else, once more. */
const asks = (second: string) => `
  0x0 CALLDATALOAD ISZERO @refuse JUMPI
  ${second} @once JUMPI
  0x1 0x5 SSTORE STOP
  once: 0x1 0x6 SSTORE STOP
  refuse: 0x0 0x0 REVERT`

test.each([
  ['the same', '0x0 CALLDATALOAD ISZERO', [5]],
  ['the same, turned round twice', '0x0 CALLDATALOAD ISZERO ISZERO ISZERO', [5]],
  ['another argument', '0x20 CALLDATALOAD ISZERO', [5, 6]],
  ['the argument for another number', '0x0 CALLDATALOAD 0x7 EQ', [5, 6]],
])('a question after a refusal, about %s', (_, second, slots) => {
  expect(written(asks(second)).toSorted()).toEqual(slots)
})

test('what is stored may change between two questions', () => {
  const code = `
    0x9 SLOAD ISZERO @refuse JUMPI
    0x0 0x9 SSTORE
    0x9 SLOAD ISZERO @once JUMPI STOP
    once: 0x1 0x6 SSTORE STOP
    refuse: 0x0 0x0 REVERT`
  expect(written(code)).toContain(6)
})

test('what a loop brings round is asked anew each time', () => {
  const code = `
    0x0 CALLDATALOAD
    again: DUP1 ISZERO @done JUMPI
    0x1 DUP2 SUB SWAP1 POP DUP1 0x5 SSTORE @again JUMP
    done: 0x1 0x6 SSTORE STOP`
  expect(written(code)).toEqual(expect.arrayContaining([5, 6]))
})

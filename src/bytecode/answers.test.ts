import { expect, test } from 'vitest'
import { type Hex, hexToBytes } from '../hex.js'
import { assemble } from '../state/assemble.js'
import { readFacts } from './facts.js'
import { findWay } from './graph.js'

/** Slots that are written on a way that a call can take. */
function written(code: Hex): number[] {
  const { functions } = readFacts(hexToBytes(code))
  return functions.flatMap(({ effects }) =>
    effects.flatMap((effect) => (effect.kind === 'write' ? [Number(effect.key.value)] : [])),
  )
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
  expect(written(assemble(asks(second))).toSorted()).toEqual(slots)
})

test('a branch whose answer is known still has a side, which a call is led by', () => {
  const { functions } = readFacts(hexToBytes(assemble(asks('0x0 CALLDATALOAD ISZERO'))))
  const ways = functions.flatMap(({ run, effects }) =>
    effects.flatMap(({ kind, node }) => (kind === 'write' ? (findWay(run, node) ?? []).map(({ taken }) => taken) : [])),
  )
  expect(ways).toEqual([false, false])
})

test.each([
  ['what is stored', '54', '55'],
  ['a transient word (EIP-1153)', '5c', '5d'],
])('%s may change between two questions', (_, load, store) => {
  const code = `
    0x9 SLOAD ISZERO @refuse JUMPI
    0x0 0x9 SSTORE
    0x9 SLOAD ISZERO @once JUMPI STOP
    once: 0x1 0x6 SSTORE STOP
    refuse: 0x0 0x0 REVERT`
  const bytes = assemble(code).replaceAll('600954', `6009${load}`).replace('6000600955', `60006009${store}`) as Hex
  expect(written(bytes)).toContain(6)
})

test('an account may get code between two questions', () => {
  const code = `
    0x0 CALLDATALOAD EXTCODESIZE ISZERO @refuse JUMPI
    0x0 CALLDATALOAD EXTCODESIZE ISZERO @once JUMPI STOP
    once: 0x1 0x6 SSTORE STOP
    refuse: 0x0 0x0 REVERT`
  expect(written(assemble(code))).toContain(6)
})

test('what one of two ways has asked is open where they meet', () => {
  const code = `
    0x20 CALLDATALOAD @other JUMPI
    0x0 CALLDATALOAD ISZERO @refuse JUMPI
    other: 0x0 CALLDATALOAD ISZERO @once JUMPI STOP
    once: 0x1 0x6 SSTORE STOP
    refuse: 0x0 0x0 REVERT`
  expect(written(assemble(code))).toContain(6)
})

test('what a loop brings round is asked anew each time', () => {
  const code = `
    0x0 CALLDATALOAD
    again: DUP1 ISZERO @done JUMPI
    0x1 DUP2 SUB SWAP1 POP DUP1 0x5 SSTORE @again JUMP
    done: 0x1 0x6 SSTORE STOP`
  expect(written(assemble(code))).toEqual(expect.arrayContaining([5, 6]))
})

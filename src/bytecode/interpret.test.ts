import { expect, test } from 'vitest'
import { hexToBytes } from '../hex.js'
import { assemble } from '../state/assemble.js'
import { readFacts } from './facts.js'

const facts = (code: string) => readFacts(hexToBytes(code))
const reachable = (code: string) => facts(code).reachable.map(({ pc }) => pc)

test('a branch on a constant has one side', () => {
  expect(reachable('0x6001600557fe5b00')).not.toContain(5)
  expect(reachable('0x5f600657005bff')).toEqual([0, 1, 3, 4])
})

test('both sides of a branch on something unknown are seen', () => {
  expect(reachable('0x34600557005b00')).toEqual([0, 1, 3, 4, 5, 6])
})

test('a function called from two places returns to both', () => {
  // calls 0x0e with return address 0x05, then with 0x0b, which ends in SELFDESTRUCT
  const twice = '0x6005600e565b600b600e565b33ff5b56'
  const { gaps, functions } = facts(twice)
  expect(gaps).toEqual([])
  expect(functions.flatMap(({ effects }) => effects.map(({ kind }) => kind))).toContain('destruct')
})

test('a jump that cannot be told is a gap', () => {
  expect(facts('0x60043556').gaps).toEqual(['jump'])
})

test('a stack that grows for ever is a gap or folds, and ends', () => {
  expect(facts('0x5b5f5f565b').gaps.length).toBeLessThanOrEqual(2)
  expect(facts('0x5b34600056').functions).toHaveLength(1)
})

test('an exhausted budget is a gap', () => {
  const code = hexToBytes(`0x${'5b346003575b'.repeat(200)}00`)
  expect(readFacts(code, { steps: 50 }).gaps).toContain('steps')
  expect(readFacts(code, { isOverdue: () => true }).gaps.length).toBeGreaterThan(0)
})

test('a single block that copies memory all the time ends with the budget', () => {
  // MSTORE of the caller at 64 places, then MCOPY of two kilobytes without end
  const stores = Array.from({ length: 64 }, (_, n) => `3361${(n * 32).toString(16).padStart(4, '0')}52`).join('')
  const code = hexToBytes(`0x${stores}${'61080060006101005e'.repeat(2_000)}00`)
  const { gaps, functions } = readFacts(code, { steps: 5_000 })
  expect(gaps).toContain('steps')
  expect(functions[0]?.run.steps).toBeLessThan(10_000)
})

test('a function that the dispatcher leads to begins where the dispatcher ends', () => {
  const compare = (selector: string, at: string) => `8063${selector}14${at}57`
  // the halving of the list, three comparisons, and a body each
  const halves = `0x5f3560e01c80632222222211602557`
  const code = `${halves}${compare('22222222', '6036')}${compare('33333333', '603b')}5ffd5b${compare('11111111', '6033')}5ffd00`
  const bodies = '5b33ff5b60015f555b00'
  const { functions, reachable } = facts(`${code}${bodies}`)
  expect(functions.map(({ selector, effects }) => [selector, effects.map(({ kind }) => kind)])).toEqual([
    [undefined, []],
    ['0x11111111', ['destruct']],
    ['0x22222222', ['return', 'write']],
    ['0x33333333', ['return']],
  ])
  expect(reachable.map(({ pc }) => pc)).toEqual(expect.arrayContaining([0x0f, 0x19, 0x26, 0x33, 0x36, 0x3b]))
})

test('each function is followed with its own selector', () => {
  // dispatcher of 0x11111111 and 0x22222222; the second one self-destructs
  const code = `0x5f3560e01c8063111111111460205763222222221460225700${'00'.repeat(7)}5b005b33ff`
  const { functions } = facts(code)
  const kinds = functions.map(({ selector, effects }) => [selector, effects.some(({ kind }) => kind === 'destruct')])
  expect(kinds).toEqual([
    [undefined, false],
    ['0x11111111', false],
    ['0x22222222', true],
  ])
})

test('selectors another finder proposes are followed too', () => {
  // jumps to calldata-selected place: target = (selector & 0xff)
  const code = '0x5f3560e01c60ff16565b' + '5b33ff'
  expect(facts(code).gaps).toEqual(['dispatch'])
  const resolved = readFacts(hexToBytes(code), { candidates: [0x0000000a] })
  expect(resolved.gaps).toEqual([])
  expect(resolved.functions.at(-1)?.effects.map(({ kind }) => kind)).toEqual(['destruct'])
})

test('a write to a packed field is a write of that field alone', () => {
  // storage[0] = storage[0] & ~0xff | (calldata[4] != 0)
  const code = '0x60043515155f5460ff1916175f5500'
  const [write] = facts(code).functions[0]?.effects.filter(({ kind }) => kind === 'write') ?? []
  expect(write).toMatchObject({ shift: 0, width: 8 })
})

test('a caller check guards what follows it, on the right side only', () => {
  // if (caller == storage[0]) storage[1] = 1 else storage[2] = 1
  const code = '0x335f5414600d57600160025500 5b600160015500'.replaceAll(' ', '')
  const [fn] = facts(code).functions
  const guards = fn?.effects
    .filter(({ kind }) => kind === 'write')
    .map((effect) => fn.guardsOf(effect.node).map(({ kind }) => kind))
  expect(guards?.sort()).toEqual([[], ['slot']])
})

/** The keys of all writes, by the operation that makes them. */
const keysOf = (source: string) =>
  readFacts(hexToBytes(assemble(source))).functions.flatMap(({ effects }) =>
    effects.flatMap((effect) => (effect.kind === 'write' ? [effect.key.op] : [])),
  )

test('an argument that was found to be nothing on one way is the argument again where ways meet', () => {
  const code = `
    0x0 CALLDATALOAD 0x9 DUP2 ISZERO @meet JUMPI
    0x1 DUP3 SSTORE
    meet: 0x7 DUP3 SSTORE STOP`
  expect(keysOf(code)).toEqual(['calldata', 'calldata'])
})

test('what is known of the first round of a loop does not stand beside all rounds', () => {
  const code = `
    0x0 0x9
    again: 0x20 CALLDATALOAD DUP3 LT ISZERO @done JUMPI
    DUP2 0x100 ADD
    0x40 CALLDATALOAD @skip JUMPI
    0x5 0x6 SSTORE
    skip: 0x1 SWAP1 SSTORE
    SWAP1 0x1 ADD SWAP1 @again JUMP
    done: STOP`
  expect(keysOf(code).toSorted()).toEqual(['ADD', 'const'])
})

test('ways that bring different numbers leave both open', () => {
  const code = `
    0x0 CALLDATALOAD @other JUMPI
    0x20 CALLDATALOAD @meet JUMP
    other: 0x40 CALLDATALOAD
    meet: 0x7 SWAP1 SSTORE STOP`
  expect(keysOf(code)).toEqual(['phi'])
})

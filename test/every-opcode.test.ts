import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { disassemble } from '../src/bytecode/disassemble.js'
import { executeBlock } from '../src/bytecode/execute-block.js'
import { foldTerm } from '../src/bytecode/fold.js'
import { createMemory } from '../src/bytecode/memory.js'
import { SOURCE } from '../src/bytecode/source.js'
import { createTermStore } from '../src/bytecode/terms.js'
import { createEvm } from '../src/evm/create-evm.js'
import type { Inspector } from '../src/evm/inspector.js'
import { createDecisionsInspector } from '../src/evm/inspectors/decisions.js'
import { createTaintInspector } from '../src/evm/inspectors/taint.js'
import { valueIf } from '../src/evm/inspectors/term.js'
import { createTestState, TEST_BLOCK, TEST_SENDER } from '../src/evm/testing.js'
import { type Address, type Hex, hexToBytes, toPaddedHex } from '../src/hex.js'
import { arithmetic } from '../src/instructions/arithmetic.js'
import { type Opcode, opcodeByName, opcodes, opcodeTable } from '../src/instructions/opcodes.js'

/*
 * One table says what opcodes there are; each engine that reads code must know every one of them.
 * What an engine leaves out shifts its stack, or is computed as something else.
 */

const CODE: Address = '0x00000000000000000000000000000000000c0de0'
const byte = (value: number) => value.toString(16).padStart(2, '0')
const code = (...names: string[]) => names.map((name) => byte(opcodeByName(name))).join('')
const push = (value: bigint) => code('PUSH32') + toPaddedHex(value, 32).slice(2)

function run(runtime: string, inspectors: readonly Inspector[] = [], slot = 1n) {
  const account = { code: `0x${runtime}` as Hex, storage: { 7: slot } }
  const evm = createEvm({ state: createTestState({ [CODE]: account }), block: TEST_BLOCK, hardfork: 'amsterdam' })
  return evm.read({ from: TEST_SENDER, to: CODE, data: '0x' }, inspectors)
}

/** Never goes on to the next byte. */
const LAST = ['STOP', 'JUMP', 'RETURN', 'REVERT', 'INVALID', 'SELFDESTRUCT']
const goingOn = opcodes.filter(({ name }) => !LAST.includes(name))

/**
 * An opcode on operands that are all zero: no jump is taken, no memory is touched. DUPN, SWAPN and
 * EXCHANGE reach as deep as they must.
 */
const withOperands = ({ code: opcode, name, pops, immediate }: Opcode) =>
  code('PUSH0').repeat(pops) + byte(opcode) + (LEAST_DEEP[name] ?? '00'.repeat(immediate))
const LEAST_DEEP: Record<string, string> = { DUPN: '80', SWAPN: '80', EXCHANGE: '8e' }

describe('the interpreter', () => {
  test.each(goingOn)('runs $name, which takes $pops and puts $pushes', (opcode) => {
    const heights: number[] = []
    const watch: Inspector<void> = {
      opcodes: [opcodeByName('GASLIMIT'), opcodeByName('STOP')],
      onStep: (event) => void heights.push(event.stackLength()),
      finish: () => {},
    }
    const { status } = run(`${withOperands(opcode)}${code('GASLIMIT', 'STOP')}`, [watch])
    expect(status).toBe('success')
    expect(heights.at(-1)).toBe(opcode.pushes + 1)
  })

  test('knows no byte that the table does not', () => {
    const known = opcodeTable.flatMap((opcode, value) => {
      const { error } = run(`${code('PUSH0').repeat(8)}${byte(value)}`)
      return error?.includes('invalid opcode') && opcode?.name !== 'INVALID' ? [] : [value]
    })
    expect(known).toEqual(opcodes.map((each) => each.code).toSorted((a, b) => a - b))
  })
})

describe('the reader of bytecode', () => {
  const read = (runtime: string) => {
    const store = createTermStore()
    const program = disassemble(hexToBytes(`0x${runtime}`))
    const machine = { store, program, entry: { kind: 'fallback' } as const, pushed: [], isOver: () => false }
    return executeBlock(machine, 0, { stack: [], memory: createMemory(store), lastCall: store.taint(SOURCE.selector) })
  }

  test.each(goingOn.filter(({ name }) => name !== 'JUMPI'))('runs $name', (opcode) => {
    const { end, state } = read(withOperands(opcode))
    expect(end.kind).toBe('success')
    expect(state.stack).toHaveLength(opcode.pushes)
  })

  test('ends at a byte that the table does not know', () => {
    const unknown = opcodeTable.flatMap((opcode, value) => (opcode === undefined ? [byte(value)] : []))
    expect(unknown.filter((each) => read(code('PUSH0').repeat(8) + each).end.kind !== 'failure')).toEqual([])
  })
})

/**
 * A branch on what lay below the operands all the time: found only by an engine whose shadow of the
 * stack is still in step.
 */
const branchBelow = (below: string, opcode: Opcode) =>
  below + withOperands(opcode) + code('POP').repeat(opcode.pushes) + code('PUSH0', 'JUMPI', 'STOP')

describe('what follows values', () => {
  test.each(goingOn)('to branches keeps in step over $name', (opcode) => {
    const decisions = createDecisionsInspector()
    run(branchBelow(`6007${code('SLOAD')}`, opcode), [decisions], 0n)
    const { branches } = decisions.finish()
    expect(branches.at(-1)?.condition).toMatchObject({ kind: 'slot', slot: 7n })
  })

  test.each(goingOn)('of the environment keeps in step over $name', (opcode) => {
    const taint = createTaintInspector()
    run(branchBelow(code('TIMESTAMP', 'TIMESTAMP', 'XOR'), opcode), [taint])
    expect(taint.finish().branches.map(({ sources }) => sources)).toContainEqual(['TIMESTAMP'])
  })

  /** Of the frame or the code itself, or fixed by who sends: no other time brings another. */
  const FIXED = ['ADDRESS', 'CALLDATASIZE', 'CODESIZE', 'RETURNDATASIZE', 'BLOBHASH', 'CALLDATALOAD']
  const asked = opcodes.filter((each) => each.code >= 0x30 && each.code <= 0x4b && each.pushes === 1)
  test.each(asked.filter(({ name }) => !FIXED.includes(name)))('to branches knows what $name asks for', (opcode) => {
    const decisions = createDecisionsInspector()
    run(withOperands(opcode) + code('PUSH0', 'MUL', 'PUSH0', 'JUMPI', 'STOP'), [decisions])
    const leaf = { kind: 'environment', name: opcode.name }
    expect(decisions.finish().branches[0]?.condition).toMatchObject({ operands: [{ value: 0n }, leaf] })
  })
})

/** From ADD to the last before the hash: pure operations on words. */
const pure = opcodes.filter((each) => each.code >= 0x01 && each.code < 0x20)
const word = fc.oneof(
  fc.bigInt(0n, 2n ** 256n - 1n),
  fc.bigInt(0n, 300n),
  fc.bigInt(0n, 40n).map((n) => 2n ** 256n - 1n - n),
)

describe('arithmetic is one', () => {
  test.each(pure)('$name: run, folded, and as a formula of what was read', ({ name, pops, code: opcode }) => {
    const compute = arithmetic.get(name)
    const store = createTermStore()
    fc.assert(
      fc.property(fc.tuple(word, word, word), ([a, b, c]) => {
        const others = [b, c].slice(0, pops - 1)
        const operation = `${others.toReversed().map(push).join('')}6007${code('SLOAD')}${byte(opcode)}`
        const { output } = run(`${operation}${code('PUSH0', 'MSTORE')}6020${code('PUSH0', 'RETURN')}`, [], a)
        expect(compute?.(a, b, c)).toBe(BigInt(output))

        const operands = [a, ...others].map(store.constant)
        expect(foldTerm(store, name, operands)).toBe(store.constant(BigInt(output)))

        const decisions = createDecisionsInspector()
        run(`${operation}${code('PUSH0', 'JUMPI', 'STOP')}`, [decisions], a)
        const condition = decisions.finish().branches[0]?.condition
        expect(condition).toMatchObject({ kind: 'operation', name, value: BigInt(output) })
        expect(condition && valueIf(condition, () => undefined)).toBe(BigInt(output))
      }),
      { numRuns: 60 },
    )
  })
})

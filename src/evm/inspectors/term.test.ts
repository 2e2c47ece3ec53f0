import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Address, bytesToHex, type Hex, toPaddedHex } from '../../hex.js'
import { opcodeByName } from '../../instructions/opcodes.js'
import { createEvm } from '../create-evm.js'
import { createTestState, TEST_BLOCK, TEST_SENDER } from '../testing.js'
import { createDecisionsInspector } from './decisions.js'
import { isCut, isSmall, operation, type Term, termsIn, valueIf } from './term.js'

const CODE: Address = '0x00000000000000000000000000000000000c0de0'
const NOW = TEST_BLOCK.timestamp

function run(code: Hex, storage: Record<string, bigint> = {}) {
  const evm = createEvm({ state: createTestState({ [CODE]: { code, storage } }), block: TEST_BLOCK, hardfork: 'osaka' })
  const decisions = createDecisionsInspector()
  const result = evm.read({ from: TEST_SENDER, to: CODE, data: toPaddedHex(5n, 32) }, [decisions])
  return { result, ...decisions.finish() }
}

const push = (value: bigint) => `7f${value.toString(16).padStart(64, '0')}`
const operationCode = (name: string) => opcodeByName(name).toString(16).padStart(2, '0')

describe('term arithmetic', () => {
  test('a term of constants is a constant, and deep ones stand for their value', () => {
    expect(
      operation('ADD', [
        { kind: 'constant', value: 1n },
        { kind: 'constant', value: 2n },
      ]),
    ).toEqual({
      kind: 'constant',
      value: 3n,
    })
    let term: Term = { kind: 'environment', name: 'TIMESTAMP', value: NOW }
    for (let i = 0; i < 1_000; i += 1) term = operation('ADD', [term, { kind: 'constant', value: 1n }])
    expect(term.value).toBe(NOW + 1_000n)
  })
})

describe('decisions', () => {
  /** JUMPI over a REVERT on the truth on the stack. */
  const orRevert = (code: string): Hex => {
    const target = (code.length / 2 + 6).toString(16).padStart(2, '0')
    return `0x${code}60${target}575f5ffd5b00`
  }

  test('a branch on storage names the slot and its value', () => {
    const { blocking, result } = run(orRevert('600754'), { 7: 0n })
    expect(result.status).toBe('revert')
    expect(blocking).toMatchObject({
      address: CODE,
      selector: '0x00000000',
      condition: { kind: 'slot', slot: 7n, value: 0n },
    })
  })

  test('a run that went well was blocked by nothing', () => {
    const { blocking, branches, result } = run(orRevert('600754'), { 7: 1n })
    expect(result.status).toBe('success')
    expect(blocking).toBeUndefined()
    expect(branches).toHaveLength(1)
  })

  test('tells what a branch would do at another time', () => {
    // TIMESTAMP > slot 7
    const { branches } = run(orRevert('60075442' + '11'), { 7: NOW + 100n })
    const [branch] = branches
    if (!branch) throw new Error('no branch')
    const answerAt = (timestamp: bigint) =>
      valueIf(branch.condition, (leaf) =>
        leaf.kind === 'environment' && leaf.name === 'TIMESTAMP' ? timestamp : undefined,
      )
    expect([NOW, NOW + 100n, NOW + 101n].map(answerAt)).toEqual([0n, 0n, 1n])
  })

  test('follows values through memory, and knows an entry of a mapping by its key and place', () => {
    // MSTORE(0, CALLER) MSTORE(32, 0) SLOAD(KECCAK256(0, 64)) to memory and back
    const { branches } = run(orRevert('335f525f60205260405f2054608052608051'))
    expect(branches[0]?.condition).toMatchObject({ kind: 'slot', entry: { key: BigInt(TEST_SENDER), place: 0n } })
  })

  test('learns what was read also where a jump comes next, and nothing where the jump took it', () => {
    // JUMPDEST behind SLOAD; then a SLOAD whose word is where the JUMPDEST behind it lies.
    expect(run(orRevert('6007545b'), { 7: 3n }).branches[0]?.condition).toMatchObject({ kind: 'slot', value: 3n })
    expect(run(orRevert('600754565b6001'), { 7: 4n }).branches).toEqual([])
  })

  test('an argument is known as such', () => {
    const { branches } = run(orRevert('5f35'))
    expect(branches[0]?.condition).toEqual({ kind: 'argument', offset: 0, value: 5n })
  })

  test('random code never breaks it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (code) => {
        run(bytesToHex(code))
      }),
      { numRuns: 300 },
    )
  })
})

describe('formulas that are not kept whole', () => {
  const time: Term = { kind: 'environment', name: 'TIMESTAMP', value: NOW }
  const nested = (depth: number): Term =>
    Array.from({ length: depth }).reduce<Term>((term) => operation('NOT', [term]), time)

  test('stand for their value, and say so, also in what is computed from them alone', () => {
    expect(isCut(nested(40))).toBe(false)
    expect(nested(60)).toMatchObject({ kind: 'constant', value: NOW, isCut: true })
    expect(isCut(operation('ISZERO', [nested(60)]))).toBe(true)
    expect(
      isCut(
        operation('ADD', [
          { kind: 'constant', value: 1n },
          { kind: 'constant', value: 2n },
        ]),
      ),
    ).toBe(false)
  })

  test('are walked through once for each part, however often it is shared', () => {
    const doubled = Array.from({ length: 40 }).reduce<Term>((term) => operation('ADD', [term, term]), time)
    expect([...termsIn(doubled)]).toHaveLength(41)
    expect(isSmall(doubled)).toBe(true)
  })

  test('a branch that they decide is kept, and what went through transient storage is followed', () => {
    const not = operationCode('NOT').repeat(60)
    const [timestamp, jumpi] = [operationCode('TIMESTAMP'), operationCode('JUMPI')]
    const cut = run(`0x${timestamp}${not}${push(0n)}${jumpi}00`)
    expect(cut.branches.map(({ condition }) => isCut(condition))).toEqual([true])
    const [tstore, tload] = [operationCode('TSTORE'), operationCode('TLOAD')]
    const through = run(`0x${timestamp}5f${tstore}5f${tload}${operationCode('ISZERO')}5f${jumpi}00`)
    expect(through.branches.map(({ condition }) => valueIf(condition, () => 0n))).toEqual([1n])
  })
})

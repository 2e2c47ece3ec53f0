import { describe, expect, test } from 'vitest'
import { ethereum } from '../../chains/ethereum.js'
import type { Decision } from '../../evm/inspectors/decisions.js'
import { operation, type Term } from '../../evm/inspectors/term.js'
import { areAllInstants, findInstants } from './instants.js'

const NOW = 1_800_000_000n
const HEIGHT = 25_000_000n
const TOKEN = '0x00000000000000000000000000000000000a11ce'
const block = {
  chainId: 1,
  number: HEIGHT,
  timestamp: NOW,
  coinbase: TOKEN,
  gasLimit: 60_000_000n,
  baseFeePerGas: 1n,
  blobBaseFee: 1n,
  prevRandao: '0x01',
  slotNumber: 13_000_000n,
} as const
const time: Term = { kind: 'environment', name: 'TIMESTAMP', value: NOW }
const height: Term = { kind: 'environment', name: 'NUMBER', value: HEIGHT }
const slot: Term = { kind: 'environment', name: 'SLOTNUM', value: 13_000_000n }
const constant = (value: bigint): Term => ({ kind: 'constant', value })
const on = (condition: Term): Decision => ({
  address: TOKEN,
  codeAddress: TOKEN,
  selector: '0x23b872dd',
  pc: 1,
  occurrence: 0,
  condition,
})
const DAY = 86_400n

describe('findInstants', () => {
  test.each<[string, Term, number | undefined]>([
    ['a timer within a day', operation('LT', [time, constant(NOW + 1_234n)]), 1_234],
    ['a timer beyond the windows', operation('GT', [time, constant(NOW + 40n * DAY)]), 40 * 86_400 + 1],
    ['a timer of years', operation('GT', [time, constant(NOW + 1_400n * DAY)]), 1_400 * 86_400 + 1],
    ['a timer of slots', operation('GT', [slot, constant(13_000_299n)]), 300 * 12],
    ['what is long over', operation('GT', [time, constant(NOW - DAY)]), undefined],
    [
      'an hour of the day',
      operation('EQ', [
        operation('MOD', [operation('DIV', [time, constant(3_600n)]), constant(24n)]),
        constant(((NOW / 3_600n) % 24n) + 3n),
      ]),
      3 * 3_600 - Number(NOW % 3_600n),
    ],
  ])('finds %s to the second', (_, condition, seconds) => {
    const [first] = findInstants(ethereum, block, [on(condition)])
    expect(first?.afterMs).toBe(seconds === undefined ? undefined : seconds * 1_000)
  })

  test('says where a bound left out a branch or a moment', () => {
    const timer = on(operation('LT', [time, constant(NOW + 1_234n)]))
    expect(areAllInstants([timer], findInstants(ethereum, block, [timer]))).toBe(true)
    expect(areAllInstants(Array(30).fill(timer), [])).toBe(false)
    const many = Array.from({ length: 9 }, (_, i) => on(operation('GT', [time, constant(NOW + BigInt(i + 1) * DAY)])))
    expect(areAllInstants(many, findInstants(ethereum, block, many))).toBe(false)
  })

  test('says that the height decides', () => {
    const [first] = findInstants(ethereum, block, [on(operation('LT', [height, constant(HEIGHT + 1_000_000n)]))])
    expect(first).toEqual({ afterMs: 12_000_000 * 1_000, by: 'number' })
  })

  test('looks at nothing that does not depend on time', () => {
    const slot: Term = { kind: 'slot', address: TOKEN, slot: 7n, value: 1n, entry: undefined }
    expect(findInstants(ethereum, block, [on(slot)])).toEqual([])
  })

  test('many windows give few moments', () => {
    const minute = operation('MOD', [operation('DIV', [time, constant(1_800n)]), constant(97n)])
    expect(findInstants(ethereum, block, [on(minute)]).length).toBeLessThanOrEqual(6)
  })
})

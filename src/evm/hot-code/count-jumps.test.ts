import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createManualClock } from '../../clock.js'
import { type Hex, hexToBytes } from '../../hex.js'
import { opcodes } from '../../instructions/opcodes.js'
import type { Code, CodeCache } from '../code.js'
import { createCodeCache, prepareCode } from '../code.js'
import { createEvm } from '../create-evm.js'
import { type HeatOptions, HOT_AT_ONCE } from '../heat.js'
import type { Inspector } from '../inspector.js'
import { createOpcodeSetInspector } from '../inspectors/opcode-set.js'
import { keccakHex } from '../keccak-words.js'
import { type RuleSet, rulesFor } from '../rules.js'
import { createTestState, TEST_BLOCK, TEST_SENDER } from '../testing.js'
import { readBlocks } from './blocks.js'
import { runtime } from './runtime.js'
import { groupBlocks, writeFunction } from './write-function.js'

const TARGET = '0x00000000000000000000000000000000000c0de0'

/** Adds 3 for each of the `turns` of a loop, and returns the sum. */
const adding = (turns: number): Hex =>
  `0x5f62${turns.toString(16).padStart(6, '0')}5b90600301906001900380600557505f5260205ff3`

const codeOf = (cache: CodeCache, code: Hex): Code => cache.prepare(keccakHex(hexToBytes(code)), hexToBytes(code))

interface RunOptions {
  hardfork?: RuleSet
  inspectors?: Inspector[]
  data?: Hex
}

function run(cache: CodeCache, code: Hex, { hardfork = 'osaka', inspectors = [], data = '0x' }: RunOptions = {}) {
  const state = createTestState({ [TARGET]: { code } })
  // Gas is to end a loop, and not a busy machine.
  const evm = createEvm({ state, block: TEST_BLOCK, hardfork, codeCache: cache, clock: createManualClock() })
  return evm.transact({ from: TEST_SENDER, to: TARGET, data, gasLimit: 15_000_000n }, inspectors)
}

/** As in a service, but sooner. */
const SOON: HeatOptions = { warmAfter: 4_096, lookEvery: 4_096, hotAfter: 1_024 }

test('a loop gets a function once it has run often, and then answers the same', () => {
  const cache = createCodeCache(SOON)
  const code = adding(20_000)
  const cold = run(cache, code)
  expect(BigInt(cold.output)).toBe(60_000n)
  expect(codeOf(cache, code).heat?.functions).toHaveLength(1)
  expect(run(cache, code)).toEqual(cold)
})

test('what ran a few times is left to the interpreter', () => {
  const cache = createCodeCache(SOON)
  run(cache, adding(1_000))
  expect(codeOf(cache, adding(1_000)).heat?.functions).toHaveLength(0)
})

test('what is run on the way to a hot loop gets a function with it, what is passed once does not', () => {
  const cache = createCodeCache({ ...SOON, hotAfter: 2_048 })
  // Five turns with a loop of 20 in each, and a place behind them.
  const code: Hex = '0x60055b60145b6001900380600557506001900380600257805b00'
  for (let i = 0; i < 100; i += 1) run(cache, code)
  const { entries } = codeOf(cache, code).heat ?? {}
  expect([2, 5, 24].map((place) => entries?.[place] !== 0)).toEqual([true, true, false])
})

test('an inspector of instructions sees those of hot code as well', () => {
  const [hot, cold] = [createCodeCache(HOT_AT_ONCE), createCodeCache()].map((cache) => {
    run(cache, adding(10))
    const set = createOpcodeSetInspector()
    run(cache, adding(10), { inspectors: [set] })
    return set.finish()
  })
  expect(hot).toEqual(cold)
  expect([...(hot?.values() ?? [])].flatMap((opcodes) => [...opcodes])).toContain(0x57)
})

test('an inspector of what the interpreter runs anyway sees it between hot blocks', () => {
  const times = (cache: CodeCache) => {
    let seen = 0
    const countOne = () => {
      seen += 1
    }
    const clock: Inspector = { opcodes: [0x42], onStep: countOne, finish: () => undefined }
    // TIMESTAMP in each of ten turns.
    run(cache, '0x600a5b42506001900380600257', { inspectors: [clock] })
    return seen
  }
  const hot = createCodeCache(HOT_AT_ONCE)
  expect(times(hot)).toBe(10)
  expect(codeOf(hot, '0x600a5b42506001900380600257').heat?.functions).toHaveLength(1)
  expect(times(createCodeCache())).toBe(10)
})

/** A run within a run, as an inspector makes it that asks another engine. */
function asking(hook: 'onStorageRead' | 'onStep', ask: () => void): Inspector {
  let isAsking = false
  const once = () => {
    if (isAsking) return
    isAsking = true
    ask()
    isAsking = false
  }
  return { opcodes: [0x42], [hook]: once, finish: () => undefined }
}

test('a hook of a read that runs another engine changes no price', () => {
  // Reads slot 3 eight times, and returns the gas that is left.
  const reading: Hex = '0x5f60085b906003540190600190038061000357505a5f5260205ff3'
  // Reads two slots of its own in a loop.
  const other: Hex = '0x60025b600190038054508060025700'
  const gasIn = (cache: CodeCache) =>
    run(cache, reading, { inspectors: [asking('onStorageRead', () => void run(cache, other))] }).gasUsed
  expect(gasIn(createCodeCache(HOT_AT_ONCE))).toBe(gasIn(createCodeCache()))
})

test('code that gets hot in another engine while it runs goes on as it was', () => {
  // Two loops, the first of which runs only where there is call data, with TIMESTAMP between them.
  const code: Hex = '0x36601e0260095b6001900380610006575042506001015b60019003806100165700'
  const outcome = (cache: CodeCache) => {
    const ask = () => void run(cache, code, { data: '0x01' })
    return run(cache, code, { inspectors: [asking('onStep', ask)] })
  }
  const soon = { warmAfter: 1, lookEvery: 1, hotAfter: 1 }
  expect(outcome(createCodeCache(soon))).toEqual(outcome(createCodeCache()))
})

test('functions that were made under other rules are not entered', () => {
  const cache = createCodeCache(HOT_AT_ONCE)
  // PUSH0 is an instruction since Shanghai.
  expect(run(cache, adding(3)).status).toBe('success')
  expect(run(cache, adding(3), { hardfork: 'paris' }).status).toBe('halt')
  expect(run(cache, adding(3)).status).toBe('success')
})

test('codes that have been hot longest cool down where all are too many', () => {
  const cache = createCodeCache(HOT_AT_ONCE)
  const large = (index: number): Hex => `0x61${index.toString(16).padStart(4, '0')}${'8050'.repeat(9_000)}00`
  for (let index = 0; index < 20; index += 1) run(cache, large(index))
  const sizes = Array.from({ length: 20 }, (_, index) => codeOf(cache, large(index)).heat?.size ?? 0)
  expect(sizes[0]).toBe(0)
  expect(sizes[19]).toBeGreaterThan(0)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(65_536)
  expect(run(cache, large(0)).status).toBe('success')
})

test('nothing of a contract gets into the text of its functions but whole numbers', () => {
  const names = [...Object.keys(runtime), ...Object.keys(runtime), 'runtime', 'RangeError', 'Math', 'floor', 'ceil']
  const fields = ['stack', 'view', 'memory', 'memorySize', 'self', 'word', 'slots', 'size', 'caller', 'value', 'origin']
  const more = ['inputLength', 'returnData', 'length', 'block', 'timestamp', 'number', 'chainId']
  const words = 'use strict const let if for switch case default throw new return function continue typeof true false'
  const text = 'no such block number'
  const known = new Set([...names, ...fields, ...more, ...words.split(' '), ...text.split(' ')])
  const wordOrNumber = /[A-Za-z_$][\w$]*|\d[\w.]*/g
  const isKnown = (part: string) => known.has(part) || /^(\d+|[a-zA-Z]|[ekt]\d+)$/.test(part)
  const byte = fc.oneof(fc.constantFrom(...opcodes.map(({ code }) => code)), fc.integer({ min: 0, max: 255 }))
  let written = 0
  const property = fc.property(fc.array(byte, { minLength: 1, maxLength: 300 }), (bytes) => {
    const code = prepareCode('0x', Uint8Array.from(bytes))
    const rules = rulesFor('osaka')
    const entries = new Uint32Array(code.ops.length)
    for (const blocks of groupBlocks(readBlocks(code, rules, [0, ...code.jumpDestinations.keys()], 1_000))) {
      const source = writeFunction({ code, rules, blocks, index: 0, entries }, [])
      expect([...source.matchAll(wordOrNumber)].map(([part]) => part).filter((part) => !isKnown(part))).toEqual([])
      expect(source).toMatch(/^[\w\s"'.,;:?!&|<>=%+\-*/()[\]{}]*$/)
      written += 1
    }
  })
  fc.assert(property, { numRuns: 300 })
  expect(written).toBeGreaterThan(200)
})

test.each([
  { name: 'a jump into push data', code: '0x600456605b00' },
  { name: 'a jump that only the stack knows', code: '0x5f356004575b00' },
  { name: 'a stack that is too short', code: '0x5b0100' },
  { name: 'a stack that is too high', code: `0x5b${'5f'.repeat(90)}5f56` },
  { name: 'more gas than there is', code: '0x5b5f56' },
  { name: 'memory that costs more than there is', code: '0x5b60016610000000000000525f56' },
  { name: 'a hash of more than there is', code: '0x5b661000000000000060002000' },
  { name: 'an offset that is no number', code: '0x5b600119515000' },
  { name: 'an instruction that does not exist', code: '0x5b600160020c00' },
  { name: 'the end of the code within push data', code: '0x5b62' },
] as const)('$name ends as it does when it is interpreted', ({ code }) => {
  const outcome = (cache: CodeCache) => run(cache, code)
  expect(outcome(createCodeCache(HOT_AT_ONCE))).toEqual(outcome(createCodeCache()))
})

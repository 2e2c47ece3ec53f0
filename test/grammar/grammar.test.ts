import { expect, test } from 'vitest'
import { seededRandom } from '../../src/bytecode/random-program.conformance.js'
import { GRAMMAR_SETTINGS } from './compile-grammar.js'
import { type GrammarResult, judgeGrammar } from './judge-grammar.js'
import { listPairs } from './token-grammar.js'

/** `FUZZ_SEED` asks for others; `bench/accuracy/grammar.bench.ts` judges all. */
const SEED = Number(process.env.FUZZ_SEED ?? 1)
/** Sentences of each setting: all settings together take some seconds. */
const SAMPLE = 3

test.each(GRAMMAR_SETTINGS)(
  '$label: a trap of the grammar is said, and its twin stays calm',
  { timeout: 120_000 },
  (setting) => {
    const next = seededRandom(SEED + GRAMMAR_SETTINGS.indexOf(setting))
    const pairs = listPairs()
    const sample = Array.from({ length: SAMPLE }, () => pairs[Math.floor(next() * pairs.length)]).flatMap(
      (pair, index, all) => (pair && all.indexOf(pair) === index ? [pair] : []),
    )
    const results = judgeGrammar(sample, setting)
    const named = (of: readonly GrammarResult[]) => of.map(({ pair }) => pair.name)
    expect(named(results.filter(({ trap }) => trap.length === 0))).toEqual([])
    expect(named(results.filter(({ twin }) => twin.length > 0))).toEqual([])
  },
)

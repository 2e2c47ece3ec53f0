import { expect, test } from 'vitest'
import { seededRandom } from '../../src/bytecode/random-program.conformance.js'
import { GRAMMAR_WAYS, type GrammarResult, judgeGrammar } from './judge-grammar.js'
import { listPairs } from './token-grammar.js'

/** `FUZZ_SEED` asks for others; `bench/accuracy/grammar.bench.ts` judges all. */
const SEED = Number(process.env.FUZZ_SEED ?? 1)
/** Sentences of each way: all ways together take some seconds. */
const SAMPLE = 3

test.each(GRAMMAR_WAYS)(
  '$label: a trap of the grammar is said, and its twin stays calm',
  { timeout: 120_000 },
  (way) => {
    const next = seededRandom(SEED + GRAMMAR_WAYS.indexOf(way))
    const pairs = listPairs()
    const sample = Array.from({ length: SAMPLE }, () => pairs[Math.floor(next() * pairs.length)]).flatMap(
      (pair, index, all) => (pair && all.indexOf(pair) === index ? [pair] : []),
    )
    const results = judgeGrammar(sample, way)
    const named = (of: readonly GrammarResult[]) => of.map(({ pair }) => pair.name)
    expect(named(results.filter(({ trap }) => trap.length === 0))).toEqual([])
    expect(named(results.filter(({ twin }) => twin.length > 0))).toEqual([])
  },
)

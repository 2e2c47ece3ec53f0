import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generations } from '../../scripts/trap-compilers.js'
import { someOf } from '../some-of.js'
import { judgePowerGrammar } from './judge-power-grammar.js'
import { type Sentence, writePair } from './power-grammar.js'
import { type SweepStage, startSweepStage } from './sweep-stage.js'

/** One sentence for each thing that a sweep has to do, in the words of the grammar. */
const sentences: Record<string, string> = {
  'lists decide who may call what is no function': 'Role Odd Packed One Token Taxed',
  'a hash of the caller decides, after two calls by the same': 'Hashed Odd None Three Token Approver',
  'a computation on the caller decides who may call a function': 'Masked Named Magic Two Registry Sellers',
  'what is no function asks for a call before, and for a day to come': 'Fixed Fallback Packed Wait Token Robbed',
  'what is no function issues tokens after a call by anyone': 'Anyone Fallback None Two Token Holders',
  'a list among the call data names the victim': 'Anyone Odd Array Wait Token Named',
  'a byte in a text decides': 'Hashed Odd Bytes Two Token Taxed',
  'another contract has what is no function': 'Masked Fallback Array Three Registry Sellers',
  'another contract has an open function, and a call before it': 'Anyone Named Packed Two Registry Later',
  'those who buy afterwards are the victims': 'Role Odd Magic One Token Later',
  'an approval takes from the pool': 'Owner Approve Magic One Token Pool',
  'a secret stands before an allowance in a transfer': 'Fixed Transfer Secret Three Token Approver',
  'a secret stands before what is no function of another contract': 'Anyone Odd Secret Wait Registry Named',
}
/** They take some seconds each: one in so many has its turn each day. */
const SHARE = 4

const toSentence = (text: string): Sentence => {
  const [guard, entry, argument, chain, place, victim] = text.split(' ')
  return { guard, entry, argument, chain, place, victim } as Sentence
}

describe('a power of the grammar is shown, and its twin is not, where', () => {
  let stage: SweepStage
  beforeAll(async () => {
    stage = await startSweepStage()
  })
  afterAll(() => stage?.stop())

  // Each row by another compiler.
  const rows = Object.entries(sentences).map(([name, text], i) => {
    return { name, text, generation: generations[i % generations.length] }
  })
  test.each(someOf(rows, SHARE))('$name, as $generation.label compiles it', async ({ text, generation }) => {
    const results = generation && (await judgePowerGrammar(stage, [writePair(toSentence(text))], generation))
    expect(results).toMatchObject([{ trap: { isSaid: true }, twin: { isCalm: true } }])
  })
})

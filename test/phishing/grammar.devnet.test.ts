import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Address } from '../../src/hex.js'
import { allSentences, compileSentences, somePairs } from './grammar.js'
import { type PhishingOnDevnet, startPhishingOnDevnet } from './phishing-on-devnet.js'

/** Pairs of the gate; all of them are `npm run bench:phishing`. */
const PAIRS = 12
const SEED = 7
/** From here on a report warns. */
const LEAST_HARM = 40

const sentences = somePairs(PAIRS, SEED)

let stage: PhishingOnDevnet
let addresses: Map<string, Address>
beforeAll(async () => {
  stage = await startPhishingOnDevnet()
  addresses = await stage.deploy(compileSentences(sentences))
})
afterAll(() => stage?.stop())

test('a sentence has a twin that says the same of everything but the reward', () => {
  const all = allSentences()
  expect(all.length).toBe(2_304)
  for (let i = 0; i < all.length; i += 2) {
    const { name: _, reward, ...harmful } = all[i] as (typeof all)[number]
    const { name: __, reward: credit, ...twin } = all[i + 1] as (typeof all)[number]
    expect([twin, credit, reward === 'credit']).toEqual([harmful, 'credit', false])
  }
})

test.each(sentences)('$name', async ({ name, reward }) => {
  const { verdict, riskScore, findings } = await stage.check(addresses.get(name) ?? '0x')
  if (reward === 'credit') expect([verdict, findings.map(({ id }) => id)]).toEqual(['SAFE', []])
  else expect(riskScore).toBeGreaterThanOrEqual(LEAST_HARM)
})

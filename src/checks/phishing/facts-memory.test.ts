import { expect, test } from 'vitest'
import { createFactsMemory } from './facts-memory.js'
import type { PhishingFacts } from './phishing-facts.js'

const key = { chainId: 1, blockHash: '0xaa', address: '0xbb', seed: '0xcc' } as const
const facts: PhishingFacts = {
  ...{ kind: 'contract', isUnused: false, delegate: undefined, findings: [] },
  ...{ gaps: [], plays: 3 },
}

test('what was seen is kept for its block, chain and people alone', () => {
  const memory = createFactsMemory()
  memory.keep(key, facts)
  expect(memory.get(key)).toBe(facts)
  for (const other of [{ chainId: 2 }, { blockHash: '0xab' }, { address: '0xbc' }, { seed: '0xcd' }] as const)
    expect(memory.get({ ...key, ...other })).toBeUndefined()
})

test('what was not seen whole is looked at again', () => {
  const memory = createFactsMemory()
  memory.keep(key, { ...facts, gaps: ['Analysis resisted: time'] })
  expect(memory.get(key)).toBeUndefined()
})

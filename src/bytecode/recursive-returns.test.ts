import { expect, test } from 'vitest'
import { readContract } from '../devnet/artifacts.js'
import { hexToBytes } from '../hex.js'
import { readFacts } from './facts.js'
import { storageSource } from './source.js'
import { readTokenFacts } from './token-facts.js'

test('code that calls itself from several places is read to its end', () => {
  const facts = readFacts(hexToBytes(readContract('FeeByTransfers').runtimeBytecode))
  expect(facts.gaps).toEqual([])
  const { transfers, balanceChanges } = readTokenFacts(facts)
  expect(transfers).toHaveLength(2)
  // The last payment comes after all calls, and its amount is what they left.
  for (const fn of transfers) {
    const credits = balanceChanges.filter((change) => change.fn === fn && change.kind === 'add')
    expect(credits.some(({ effect }) => effect.value.taint.sources.includes(storageSource('0x4')))).toBe(true)
    expect(fn.run.nodes.length).toBeLessThan(4_000)
  }
})

import { expect, test } from 'vitest'
import { type FunctionFacts, readFacts } from '../../bytecode/facts.js'
import { gatesOf, readTokenFacts } from '../../bytecode/token-facts.js'
import { ethereum } from '../../chains/ethereum.js'
import { readContract } from '../../devnet/artifacts.js'
import { readSubject } from './read-subject.js'
import type { Subject } from './subject.js'
import { deploy } from './test-state.conformance.js'
import { fromNowOn } from './ways.js'

const DAY = 86_400n

/** A token whose fee is over two days after it was made. */
function readAfter(days: bigint): Subject {
  const { state, address } = deploy(readContract('SwitchBesideOldFee').bytecode)
  const { timestamp } = state.block
  const later = { ...state, block: { timestamp: timestamp + days * DAY } }
  const [subject] = readSubject(address, { state: later, chain: ethereum, analyse: readFacts })?.subjects ?? []
  if (!subject) throw new Error('the token has no code')
  return subject
}

test('a transfer is read again once a date has closed ways of it, and not before', () => {
  for (const [days, isAgain] of [
    [1n, false],
    [3n, true],
  ] as const) {
    const subject = readAfter(days)
    const [transfer] = readTokenFacts(subject.facts).transfers
    if (!transfer) throw new Error('the token has no transfer')
    expect(fromNowOn(subject, transfer) !== transfer).toBe(isAgain)
  }
})

test('what is read again has the gates that no date has closed', () => {
  const subject = readAfter(3n)
  const { transfers } = readTokenFacts(subject.facts)
  expect(transfers.length).toBe(2)
  for (const written of transfers) {
    const later = fromNowOn(subject, written)
    const left = new Set(later.conditions.map(({ pc }) => pc))
    const placesOf = (fn: FunctionFacts) => new Set(gatesOf(subject.facts, fn).map(({ condition }) => condition.pc))
    const stillThere = [...placesOf(written)].filter((pc) => left.has(pc))
    expect(stillThere.length).toBeGreaterThan(3)
    expect([...placesOf(later)]).toEqual(expect.arrayContaining(stillThere))
    expect(gatesOf(subject.facts, later).every(({ fn }) => fn === later)).toBe(true)
  }
})

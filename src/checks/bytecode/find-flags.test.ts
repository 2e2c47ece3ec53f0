import { expect, test } from 'vitest'
import { hexToBytes } from '../../hex.js'
import { limitTime } from './deadline.js'
import { defineDetector } from './detector.js'
import { detectors } from './detectors/index.js'
import { findFlags } from './find-flags.js'
import { readPower } from './subject.js'
import { createUnknownSubject } from './unknown-storage.conformance.js'

/** `selfdestruct(caller)` for any caller. */
const DESTRUCTIBLE = hexToBytes('0x33ff')

test('a detector without time left counts as failed, so that the report is never clean', () => {
  const { flags, failed } = findFlags(detectors, [createUnknownSubject(DESTRUCTIBLE)], () => true)
  expect(flags).toEqual([])
  expect(failed).toEqual(detectors.map(({ id }) => `detector ${id}`))
})

test('time that ends in the middle keeps what was found and names what was not', () => {
  let looks = 0
  const { flags, failed } = findFlags(detectors, [createUnknownSubject(DESTRUCTIBLE)], () => {
    looks += 1
    return looks > 2
  })
  expect(flags.map(({ id }) => id)).toEqual(['kill-switch'])
  expect(failed.length).toBe(detectors.length - 1)
})

test('a detector that is at work is stopped where it asks who holds a power', () => {
  const subject = createUnknownSubject(DESTRUCTIBLE)
  limitTime(subject, () => true)
  const [fn] = subject.facts.functions
  const [node] = fn?.run.nodes ?? []
  expect(() => fn && node && readPower(subject, fn, node)).toThrow('could not finish within their time')
})

test('with time enough nothing fails', () => {
  const { flags, failed } = findFlags(detectors, [createUnknownSubject(DESTRUCTIBLE)])
  expect(failed).toEqual([])
  expect(flags.map(({ id }) => id)).toEqual(['kill-switch'])
})

test('says of what any address can reach that any address can, and of the rest who has the privilege', () => {
  const told = (holder: string) => {
    const detector = defineDetector({
      ...{ id: 'x', title: 'X', description: 'an owner', openDescription: 'anyone', confidence: 'high' },
      detect: () => [{ pc: 0, holder, severity: 'high' }],
    })
    return findFlags([detector], [createUnknownSubject(DESTRUCTIBLE)]).flags[0]?.description
  }
  expect([told('anyone'), told(`0x${'ab'.repeat(20)}`)]).toEqual(['anyone', 'an owner'])
})

import { expect, test } from 'vitest'
import { follow, NOTHING_YET } from '../../portal/src/api/stream.js'
import { sayExpected } from '../../portal/src/report/expected-time.js'

const MEASURED = { usualMs: 840, slowMs: 2_310, mostMs: 15_000 }

test.each([
  ['what is usual', MEASURED, 0, 'Usually it takes 0.8 s here, and nine in ten are done within 2.3 s.'],
  ['still usual', MEASURED, 2_310, 'Usually it takes 0.8 s here, and nine in ten are done within 2.3 s.'],
  ['longer than most', MEASURED, 2_311, 'It takes longer than most; after 15 s at the latest it ends'],
  [
    'not known',
    { usualMs: null, slowMs: null, mostMs: 15_000 },
    0,
    'How long it takes here is not known yet; after 15 s',
  ],
])('%s', (_, expected, passedMs, words) => {
  expect(sayExpected(expected, passedMs).replaceAll('\u00a0', ' ')).toContain(words)
})

test('it is what the service told first, and stays when parts are done', () => {
  const told = follow(NOTHING_YET, { name: 'expected', data: MEASURED })
  expect(follow(told, { name: 'progress', data: { step: 'block', success: true } }).expected).toEqual(MEASURED)
  expect(NOTHING_YET.expected).toBeUndefined()
})

import { expect, test } from 'vitest'
import { toPaddedHex } from '../hex.js'
import { createStanding } from './follow-standing.js'

const at = (isCurrent: boolean) => ({
  ...{ block: { number: 7n, hash: toPaddedHex(7n, 32) }, reachedAt: Date.UTC(2026, 0), isCurrent },
})

test('that no node tells the newest blocks is said once, and that one does again', () => {
  const told: string[] = []
  const look = createStanding((text) => told.push(text))
  for (const isCurrent of [true, false, false, true, true]) look(at(isCurrent))
  expect(told).toEqual([
    'No node tells the newest blocks since 2026-01-01T00:00:00.000Z: nothing is seen.\n',
    'The newest blocks are seen again.\n',
  ])
})

test('a chain that was not seen yet has half a minute', () => {
  const told: string[] = []
  let now = 0
  const look = createStanding(
    (text) => told.push(text),
    () => now,
  )
  for (now = 0; now < 30_000; now += 10_000) look(undefined)
  expect(told).toEqual([])
  look(undefined)
  expect(told).toEqual(['No node tells the newest blocks: nothing is seen.\n'])
})

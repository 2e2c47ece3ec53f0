import { expect, test } from 'vitest'
import { keepsSchedule, later, MAINNET_EPOCHS, parseEpochSchedule } from './cluster-clock.js'
import { packed } from './instruction.js'

/** As a cluster that began with short epochs says it. */
const WARMED_UP = packed([64, 432_000], [64, 432_000], [8, 1], [64, 14], [64, 524_256])
const clockAt = (slot: bigint, epoch: bigint) => ({
  slot,
  epoch,
  epochStart: 0n,
  leaderEpoch: epoch + 1n,
  unixTime: 0n,
})

test('a clock keeps to the schedule of its cluster, or one of the two is wrong', () => {
  const warmedUp = parseEpochSchedule(WARMED_UP)
  expect(warmedUp).toMatchObject({ slotsPerEpoch: 432_000n, warmup: true, firstNormalEpoch: 14n })
  if (warmedUp === undefined) return
  expect(keepsSchedule(clockAt(400_000_000n, 925n), MAINNET_EPOCHS)).toBe(true)
  expect(keepsSchedule(clockAt(400_000_000n, 926n), MAINNET_EPOCHS)).toBe(false)
  expect(keepsSchedule(clockAt(524_256n + 432_000n, 15n), warmedUp)).toBe(true)
  expect(keepsSchedule(clockAt(524_256n + 432_000n, 2n), warmedUp)).toBe(false)
  expect(keepsSchedule(clockAt(100n, 1n), warmedUp)).toBe(true)
  expect(keepsSchedule(clockAt(1n, 0n), { ...warmedUp, firstNormalSlot: 0n, slotsPerEpoch: 0n })).toBe(false)
})

test('a week later is at least three epochs later', () => {
  const { epoch, unixTime } = later(clockAt(400_000_000n, 925n), 7 * 86_400, MAINNET_EPOCHS)
  expect([epoch, unixTime]).toEqual([929n, 604_800n])
})

test('data that is too short is no schedule', () => {
  expect(parseEpochSchedule(WARMED_UP.subarray(0, 32))).toBeUndefined()
})

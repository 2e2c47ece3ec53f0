import { viewOf } from './account.js'

/** The cluster's idea of time, as its clock account says. */
export interface SolanaClock {
  slot: bigint
  epochStart: bigint
  epoch: bigint
  leaderEpoch: bigint
  /** Seconds since 1970. */
  unixTime: bigint
}

const CLOCK_BYTES = 40

/** Reads the clock account; `undefined` when it is none. */
export function parseClock(data: Uint8Array): SolanaClock | undefined {
  if (data.length < CLOCK_BYTES) return undefined
  const view = viewOf(data)
  return {
    slot: view.getBigUint64(0, true),
    epochStart: view.getBigInt64(8, true),
    epoch: view.getBigUint64(16, true),
    leaderEpoch: view.getBigUint64(24, true),
    unixTime: view.getBigInt64(32, true),
  }
}

/**
 * The clock `seconds` later: slot, epoch and time together, because transfer fees change by epoch
 * and hooks look at the time. Slots are taken to last 0.4 s, as the cluster aims for.
 */
export function later(clock: SolanaClock, seconds: number, slotsPerEpoch: bigint): SolanaClock {
  const slot = clock.slot + BigInt(Math.round(seconds * SLOTS_PER_SECOND))
  const epochs = slotsPerEpoch > 0n ? slot / slotsPerEpoch - clock.slot / slotsPerEpoch : 0n
  return {
    slot,
    epochStart: epochs > 0n ? clock.unixTime + BigInt(seconds) : clock.epochStart,
    epoch: clock.epoch + epochs,
    leaderEpoch: clock.leaderEpoch + epochs,
    unixTime: clock.unixTime + BigInt(seconds),
  }
}

const SLOTS_PER_SECOND = 2.5
/** Mainnet's epochs, of about two days. */
export const DEFAULT_SLOTS_PER_EPOCH = 432_000n

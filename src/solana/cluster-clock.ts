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

/** How a cluster counts epochs, as its account says (solana-epoch-schedule, `EpochSchedule`). */
export interface EpochSchedule {
  slotsPerEpoch: bigint
  leaderScheduleSlotOffset: bigint
  /** Epochs began short and doubled until `firstNormalEpoch`. */
  warmup: boolean
  firstNormalEpoch: bigint
  firstNormalSlot: bigint
}

const EPOCH_SCHEDULE_BYTES = 33

/** Reads the account; `undefined` when it is none. */
export function parseEpochSchedule(data: Uint8Array): EpochSchedule | undefined {
  if (data.length < EPOCH_SCHEDULE_BYTES) return undefined
  const view = viewOf(data)
  return {
    slotsPerEpoch: view.getBigUint64(0, true),
    leaderScheduleSlotOffset: view.getBigUint64(8, true),
    warmup: view.getUint8(16) === 1,
    firstNormalEpoch: view.getBigUint64(17, true),
    firstNormalSlot: view.getBigUint64(25, true),
  }
}

/** Of mainnet, since its first block: epochs of about two days. */
export const MAINNET_EPOCHS: EpochSchedule = {
  slotsPerEpoch: 432_000n,
  leaderScheduleSlotOffset: 432_000n,
  warmup: false,
  firstNormalEpoch: 0n,
  firstNormalSlot: 0n,
}

/** The epoch of a slot. Those before the first normal one are short, and taken for one. */
const epochOf = (slot: bigint, { slotsPerEpoch, firstNormalEpoch, firstNormalSlot }: EpochSchedule): bigint =>
  slot < firstNormalSlot || slotsPerEpoch === 0n
    ? firstNormalEpoch
    : firstNormalEpoch + (slot - firstNormalSlot) / slotsPerEpoch

/** Whether slot and epoch of a clock are what the schedule makes of each other. */
export const keepsSchedule = ({ slot, epoch }: SolanaClock, schedule: EpochSchedule): boolean =>
  slot < schedule.firstNormalSlot ? epoch < schedule.firstNormalEpoch : epoch === epochOf(slot, schedule)

/**
 * The clock `seconds` later: slot, epoch and time together, because transfer fees change by epoch
 * and hooks look at the time. Slots are taken to last 0.4 s, as the cluster aims for.
 */
export function later(clock: SolanaClock, seconds: number, schedule: EpochSchedule): SolanaClock {
  const slot = clock.slot + BigInt(Math.round(seconds * SLOTS_PER_SECOND))
  const epochs = epochOf(slot, schedule) - epochOf(clock.slot, schedule)
  return {
    slot,
    epochStart: epochs > 0n ? clock.unixTime + BigInt(seconds) : clock.epochStart,
    epoch: clock.epoch + epochs,
    leaderEpoch: clock.leaderEpoch + epochs,
    unixTime: clock.unixTime + BigInt(seconds),
  }
}

const SLOTS_PER_SECOND = 2.5

import type { Address, Hex } from '../hex.js'
import type { Fork } from '../simulation/scenario.js'
import type { StateMiss } from '../state/state-reader.js'
import { mappingSlot } from './mapping-slot.js'
import type { PoolPrice } from './pool-curve.js'
import type { Pool, PoolReserves } from './venue.js'

/*
 * PoolManager keeps `pools[id]` at 6 (V4's StateLibrary): price with tick 0, growth of fees 1 and
 * 2, liquidity 3, the bitmap of ticks 5.
 */
const POOLS_SLOT = 6n
const PRICE_OFFSET = 0n
const GROWTH_OFFSETS = [1n, 2n]
const LIQUIDITY_OFFSET = 3n
const TICK_BITMAP_OFFSET = 5n
const stateSlot = (id: Hex) => mappingSlot(POOLS_SLOT, id)

/** What {@link readV4Reserves} reads first. */
export const v4PriceSlots = ({ address, id = '0x' }: Pool) => slotsAt(address, id, [PRICE_OFFSET, LIQUIDITY_OFFSET])
/** What a trade in the pool reads besides. */
export const v4GrowthSlots = ({ address, id = '0x' }: Pool) => slotsAt(address, id, GROWTH_OFFSETS)

const slotsAt = (address: Address, id: Hex, offsets: readonly bigint[]): StateMiss[] =>
  offsets.map((offset) => ({ kind: 'storage', address, slot: stateSlot(id) + offset }))

const PRICE_BITS = 160
const TICK_BITS = 24
/** Prices at ticks are needed for a comparison of depths: this many binary digits of them. */
const FRACTION_BITS = 48

/**
 * What the pool could pay out before its liquidity changes for the first time, as far as some words
 * of the bitmap show: all pools share one balance, so there is no other bound to what a narrow
 * position pretends.
 */
export function readV4Reserves(fork: Fork, pool: Pool, tickSpacing: number): PoolReserves | undefined {
  const { token, quote } = pool
  const { liquidity, sqrtPriceX96, state } = readV4Price(fork, pool)
  if (liquidity === 0n || sqrtPriceX96 === 0n) return undefined
  const tokenIsFirst = token < quote
  const tick = Number(BigInt.asIntN(TICK_BITS, state >> BigInt(PRICE_BITS)))
  const ticks = ticksUntilChange(fork, pool, Math.floor(tick / tickSpacing), tokenIsFirst ? -1 : 1) * tickSpacing
  const share = BigInt(Math.floor((1 - TICK_BASE ** (-ticks / 2)) * 2 ** FRACTION_BITS))
  const virtual = tokenIsFirst ? (liquidity * sqrtPriceX96) >> 96n : (liquidity << 96n) / sqrtPriceX96
  const quoteReserve = (virtual * share) >> BigInt(FRACTION_BITS)
  const square = sqrtPriceX96 * sqrtPriceX96
  const tokenReserve = tokenIsFirst ? (quoteReserve << 192n) / square : (quoteReserve * square) >> 192n
  return quoteReserve > 0n && tokenReserve > 0n ? { quoteReserve, tokenReserve } : undefined
}

/** The present price, with the word that holds it. */
export function readV4Price({ evm }: Fork, { address, id = '0x' }: Pool): PoolPrice & { state: bigint } {
  const slot = stateSlot(id)
  const liquidity = BigInt.asUintN(128, evm.storage(address, slot + LIQUIDITY_OFFSET))
  const state = evm.storage(address, slot + PRICE_OFFSET)
  return { liquidity, sqrtPriceX96: BigInt.asUintN(PRICE_BITS, state), state }
}

/** A tick is this much of a price. */
const TICK_BASE = 1.0001
const WORD_BITS = 256
/**
 * At the spacing of the 0.3 % tier these cover nine tenths of what liquidity over all prices would
 * pay.
 */
const BITMAP_WORDS = 4

/**
 * How many ticks, counted in spacings from `compressed`, liquidity stays as it is when the price
 * falls (-1) or rises (1).
 */
function ticksUntilChange({ evm }: Fork, { address, id = '0x' }: Pool, compressed: number, step: -1 | 1): number {
  const bitmapSlot = stateSlot(id) + TICK_BITMAP_OFFSET
  const firstWord = compressed >> 8
  const words = Array.from({ length: BITMAP_WORDS }, (_, i) => {
    const position = BigInt.asUintN(WORD_BITS, BigInt(firstWord + i * step))
    return evm.storage(address, mappingSlot(bitmapSlot, position))
  })
  const isUsed = (at: number) => ((words[Math.abs((at >> 8) - firstWord)] ?? 0n) >> BigInt(at & (WORD_BITS - 1))) & 1n
  let at = step === 1 ? compressed + 1 : compressed
  while (Math.abs((at >> 8) - firstWord) < BITMAP_WORDS && !isUsed(at)) at += step
  return Math.abs(at - compressed)
}

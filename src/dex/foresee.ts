import { wordToAddress, ZERO_ADDRESS } from '../hex.js'
import type { Fork } from '../simulation/scenario.js'
import type { StateMiss } from '../state/state-reader.js'
import { guessDollarSlots, guessTokenSlots, IMPLEMENTATION_SLOTS } from './guess-slots.js'

import type { Pool, Route, Venue } from './venue.js'

/**
 * Asks for all that a trade on this route is known to read, once a run has found it and lacks a
 * part: what is unknown is fetched together, and without this one value would lead to the next, a
 * round trip each. Where nothing is lacking, nothing is asked: a wrong guess would cost a round
 * trip every time.
 */
export function foreseeTrade(fork: Fork, venue: Venue, { pool, via }: Route): void {
  for (const each of via ? [pool, via] : [pool]) foreseePool(fork, venue, each)
}

function foreseePool(fork: Fork, venue: Venue, pool: Pool): void {
  const { evm, chain } = fork
  const missed = evm.misses.length
  touch(fork, venue.seeds(pool))
  if (evm.misses.length === missed) return
  touch(fork, guessTokenSlots(chain, pool.token, [{ venue, pool }]))
  const { quote } = pool
  if (quote === chain.wrappedNative || quote === ZERO_ADDRESS) return
  const implementations = IMPLEMENTATION_SLOTS.map((slot) => wordToAddress(evm.storage(quote, slot)))
  touch(fork, [
    ...[quote, ...implementations].map((address) => ({ kind: 'account', address }) as const),
    ...guessDollarSlots(quote, [pool.address, ...(venue.spender ? [venue.spender] : [])]),
  ])
}

/** Reading is enough: what is not known is written down as missing. */
function touch({ evm }: Fork, wanted: readonly StateMiss[]): void {
  for (const miss of wanted) {
    if (miss.kind === 'account') evm.account(miss.address)
    if (miss.kind === 'storage') evm.storage(miss.address, miss.slot)
  }
}

import type { Chain } from '../../src/chains/chain.js'
import { quotesOf, venuesOf } from '../../src/dex/venues.js'
import type { Address } from '../../src/hex.js'
import { UnknownStateError } from '../../src/state/witness.js'
import type { Witness } from './async-witness.js'
import { TOKENS } from './witness-chains.js'

/** A token on one exchange, in the pools whose price the block's state holds. */
export interface Case {
  token: string
  address: Address
  venue: string
  /** The chain with that exchange alone, and of its pools only those that are held. */
  chain: Chain
  pools: readonly Address[]
  factory: Address
  /**
   * Where the exchange's factory keeps its pools: what stands there follows from the pools'
   * addresses (CREATE2), which are held.
   */
  registered: ReadonlyMap<Address, ReadonlyMap<bigint, bigint>>
}

/** Every token on every exchange that has a pool of it in this state, against the native coin. */
export async function findCases(chain: Chain, witness: Witness): Promise<Case[]> {
  const found: Case[] = []
  for (const [token, address] of Object.entries(TOKENS[chain.id] ?? {}))
    for (const alone of eachExchange(chain)) {
      const one = await findCase(alone, witness, token, address)
      if (one) found.push(one)
    }
  return found
}

/** Nothing but the counter of the wrapped coin, then each exchange on its own, with one tier. */
function eachExchange(chain: Chain): Chain[] {
  const none = { ...chain, v2: [], v3: [], v4: [], solidly: [], slipstream: [], algebra: [], watchedTokens: [] }
  return [
    none,
    ...chain.v2.map((each) => ({ ...none, v2: [each] })),
    ...chain.v3.flatMap((each) => each.feeTiers.map((tier) => ({ ...none, v3: [{ ...each, feeTiers: [tier] }] }))),
    ...chain.v4.flatMap((each) => each.tiers.map((tier) => ({ ...none, v4: [{ ...each, tiers: [tier] }] }))),
    ...chain.solidly.map((each) => ({ ...none, solidly: [each] })),
    ...chain.slipstream.flatMap((each) =>
      each.tickSpacings.map((tier) => ({ ...none, slipstream: [{ ...each, tickSpacings: [tier] }] })),
    ),
  ]
}

async function findCase(chain: Chain, witness: Witness, token: string, address: Address): Promise<Case | undefined> {
  const isCounter = address === chain.wrappedNative
  const [counter, other] = venuesOf(chain)
  // The counter of the wrapped coin is on every chain, and counts where it is alone.
  const venue = isCounter && !other ? counter : isCounter ? undefined : other
  if (!venue || !(await holds(witness, address))) return undefined
  const pools: Address[] = []
  const registered = new Map<Address, Map<bigint, bigint>>()
  let tier: number | undefined
  for (const pool of venue.guessPools(address, isCounter ? [] : quotesOf(chain, address))) {
    const probes = venue.probes(pool).filter((probe) => probe.kind === 'storage')
    const own = probes.filter((probe) => probe.address === pool.address)
    const prices = await Promise.all(own.map((probe) => read(witness, probe.address, probe.slot)))
    if (!(await holds(witness, pool.address)) || !prices.every(Boolean)) continue
    if (chain.slipstream.length > 0 && (await read(witness, pool.address, SLIPSTREAM_TOKEN0)) === undefined) continue
    pools.push(pool.address)
    tier = pool.tier
    const entries = probes.filter((probe) => !own.includes(probe))
    for (const { address: factory, slot } of entries)
      registered.set(factory, (registered.get(factory) ?? new Map()).set(slot, BigInt(pool.address)))
  }
  const name = nameOf(chain, tier)
  return pools.length > 0
    ? { token, address, venue: name, chain, pools, factory: venue.factory, registered }
    : undefined
}

/**
 * A pool of Slipstream keeps its tokens in storage. In most blocks others ask such a pool for its
 * price alone; one that was traded in has read this.
 */
const SLIPSTREAM_TOKEN0 = 1n

/** As in `V3 500`: an exchange by its kind, and the fee or tick spacing of its pool. */
function nameOf({ v2, v3, v4, solidly, slipstream }: Chain, tier: number | undefined): string {
  if (v2.length > 0) return 'V2'
  if (solidly.length > 0) return 'Velodrome'
  if (slipstream.length > 0) return `Slipstream ${tier}`
  const kind = v3.length > 0 ? 'V3' : 'V4'
  return v3.length + v4.length > 0 ? `${kind} ${tier}` : 'counter'
}

/** The value, or `undefined` where it is not held. */
function read(witness: Witness, address: Address, slot: bigint): Promise<bigint | undefined> {
  return witness.storage(address, slot).catch(unlessUnknown)
}

const holds = async (witness: Witness, address: Address) =>
  ((await witness.code(address).catch(unlessUnknown)) ?? []).length > 0

function unlessUnknown(error: unknown): undefined {
  if (!(error instanceof UnknownStateError)) throw error
  return undefined
}

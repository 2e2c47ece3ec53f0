import type { Chain } from '../../chains/chain.js'

import { readInitialize, V4_INITIALIZE_TOPIC } from '../../dex/v4-pool-key.js'
import { type Address, type Hex, toPaddedHex, wordToAddress, ZERO_ADDRESS } from '../../hex.js'
import { createLogReader, type LogReader } from '../../rpc/read-logs.js'
import type { RpcClient } from '../../rpc/rpc-client.js'
import type { StateSource } from '../../state/state-source.js'
import type { ReadTransfers } from '../history/read-transfers.js'
import type { MarketHints } from '../market-hints.js'
import type { AnalysisTarget } from '../target.js'

/** Asks the nodes for hints. What cannot be read is left out: it proves nothing. */
export type ReadMarketHints = (target: AnalysisTarget, state: StateSource) => Promise<MarketHints>

/**
 * Pools that are looked at; an attacker that opens many for one token wants to be looked at for
 * ever.
 */
const MAX_POOL_KEYS = 12
const MAX_PARTIES = 12
/** A token's pools are few: nodes that want it in many pieces are not asked to the end. */
const LOG_BOUNDS = { maxHttpRequests: 4, maxLogs: 500, maxMs: 4_000 }

export function createReadMarketHints(
  rpcOf: (chain: Chain) => RpcClient,
  readTransfers: ReadTransfers,
): ReadMarketHints {
  const readers = new Map<number, LogReader>()
  return async (target, state) => {
    const { chain, address, signal } = target
    const rpc = rpcOf(chain)
    const reader = readers.get(chain.id) ?? createLogReader({ rpc })
    readers.set(chain.id, reader)
    const budget = rpc.createBudget(signal ? { signal } : {})
    const word = toPaddedHex(BigInt(address), 32)
    const orNothing = <T>(reading: Promise<readonly T[]>) => reading.catch((): readonly T[] => [])
    const ofEitherPlace: readonly (readonly (Hex | null)[])[] = [
      [V4_INITIALIZE_TOPIC, null, word],
      [V4_INITIALIZE_TOPIC, null, null, word],
    ]
    const ofPools = chain.v4.flatMap(({ poolManager }) =>
      ofEitherPlace.map((topics) => {
        const query = { address: poolManager, suspect: address, topics, fromBlock: 0n, toBlock: state.block.number }
        const scan = reader.read(query, { budget, bounds: LOG_BOUNDS })
        return orNothing(scan.then(({ logs }) => logs.flatMap((log) => readInitialize(log) ?? [])))
      }),
    )
    const transfers = readTransfers({ chain, token: address, head: state.block, ...(signal && { signal }) })
    const [poolKeys, parties] = await Promise.all([
      Promise.all(ofPools),
      orNothing(transfers.then(({ logs }) => partiesOf(logs, address))),
    ])
    return { poolKeys: poolKeys.flat().slice(0, MAX_POOL_KEYS), parties: parties.slice(0, MAX_PARTIES) }
  }
}

/**
 * All addresses that stand in a transfer, but for the token itself and the zero address, by how
 * often.
 */
export function partiesOf(logs: readonly { topics: readonly Hex[] }[], token: Address): Address[] {
  const times = new Map<Address, number>()
  for (const { topics } of logs) {
    for (const topic of topics.slice(1, 3)) {
      const party = wordToAddress(BigInt(topic))
      if (party !== token && party !== ZERO_ADDRESS) times.set(party, (times.get(party) ?? 0) + 1)
    }
  }
  return [...times].toSorted(([, a], [, b]) => b - a).map(([party]) => party)
}

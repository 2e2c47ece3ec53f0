import { PROXY_SLOTS } from '../../bytecode/proxy.js'
import type { Chain } from '../../chains/chain.js'
import { mappingSlot } from '../../dex/mapping-slot.js'
import { ADDRESS_MASK, type Address, toPaddedHex, ZERO_ADDRESS } from '../../hex.js'
import type { ReadAhead } from '../../state/rpc-state-source.js'
import type { StateMiss } from '../../state/state-reader.js'
import type { StateSnapshot } from '../../state/state-source.js'
import { subjectSeeds } from '../bytecode/read-subject.js'
import { PERMIT2 } from './assets.js'

/**
 * What victims own is the same for every target, so that what one check read of it the next one
 * foresees.
 */
export interface WorldMemory {
  plan(target: { chain: Chain; address: Address }): ReadAhead
  learn(target: { chain: Chain; address: Address }, snapshot: StateSnapshot): void
}

interface KnownToken {
  slots: Set<bigint>
  /** Mappings that were read under the target's address. */
  bases: Set<bigint>
}

interface KnownWorld {
  tokens: Map<Address, KnownToken>
  /** Code behind proxies. */
  accounts: Set<Address>
}

/**
 * Tokens keep their switches, owners and fees in the first slots; a transfer looks at some of them.
 */
const FIRST_SLOTS = Array.from({ length: 16 }, (_, slot) => BigInt(slot))
/** Mappings are looked for at the first slots, where compilers put them. */
const MAX_BASE = 24n
/**
 * Of one token, and of code behind all of a chain's. More is not what an approval and a transfer
 * read.
 */
const MAX_SLOTS = 48
const MAX_ACCOUNTS = 16
const LEAST_HASH = 1n << 64n

export function createWorldMemory(): WorldMemory {
  const worlds = new Map<number, KnownWorld>()
  const worldOf = ({ id, watchedTokens }: Chain): KnownWorld => {
    const known = worlds.get(id)
    if (known !== undefined) return known
    const slots = [...FIRST_SLOTS, ...Object.values(PROXY_SLOTS)]
    const tokens = watchedTokens.map(
      ({ address }) => [address, { slots: new Set(slots), bases: new Set<bigint>() }] as const,
    )
    const made: KnownWorld = { tokens: new Map(tokens), accounts: new Set([PERMIT2, ZERO_ADDRESS]) }
    worlds.set(id, made)
    return made
  }
  return {
    plan({ chain, address }) {
      const { tokens, accounts } = worldOf(chain)
      const seeds = [...tokens].flatMap(([token, { slots, bases }]): StateMiss[] => [
        { kind: 'account', address: token },
        ...[...slots, ...[...bases].map((base) => mappingSlot(base, address))].map(
          (slot): StateMiss => ({ kind: 'storage', address: token, slot }),
        ),
      ])
      const others = [...accounts].map((each): StateMiss => ({ kind: 'account', address: each }))
      return { key: `phishing:${address}`, seeds: [...subjectSeeds(address), ...others, ...seeds] }
    },
    learn({ chain, address }, { storage, accounts }) {
      const world = worldOf(chain)
      for (const [token, known] of world.tokens) {
        for (const [slot, value] of storage.get(token) ?? []) {
          learnSlot(known, slot, address)
          const named = value >= LEAST_HASH && value <= ADDRESS_MASK ? toPaddedHex(value, 20) : undefined
          if (named !== undefined && accounts.has(named) && world.accounts.size < MAX_ACCOUNTS)
            world.accounts.add(named)
        }
      }
    },
  }
}

function learnSlot({ slots, bases }: KnownToken, slot: bigint, target: Address): void {
  if (slots.has(slot)) return
  for (let base = 0n; slot >= LEAST_HASH && base < MAX_BASE; base += 1n) {
    if (mappingSlot(base, target) !== slot) continue
    bases.add(base)
    return
  }
  if (slots.size < MAX_SLOTS) slots.add(slot)
}

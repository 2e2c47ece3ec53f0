import type { Address } from '../hex.js'
import type { Capabilities } from '../rpc/capabilities.js'
import type { BlockParameter } from '../rpc/methods.js'
import { readPrefetch } from './prefetch-accounts.js'
import { readAccountsByOverride, readBlockHashesByOverride, readSlotsByOverride } from './read-by-override.js'
import {
  readAccountsOneByOne,
  readBlockHashesOneByOne,
  readSlotsByValues,
  readSlotsOneByOne,
} from './read-one-by-one.js'
import { type JoinedParts, joinParts, type ReadPart, type Wanted } from './read-plan.js'

export interface ReadStyle {
  capabilities: Pick<Capabilities, 'stateOverride' | 'storageValues'>
  block: BlockParameter
  /** Contracts that were seen to run in spite of an override. */
  unoverridable: ReadonlySet<Address>
  /**
   * The block is a tag, so the answers must say which block they are from: nothing but programs
   * will do.
   */
  mustIdentify: boolean
}

/** Chooses the cheapest way to read that this node is known to have. */
export function planReads(wanted: Wanted, style: ReadStyle): JoinedParts {
  return joinParts([
    // It does not tell nonces: what is read for itself counts instead.
    ...planPrefetch(wanted, style),
    ...planAccounts(wanted, style),
    ...planBlockHashes(wanted, style),
    ...planSlots(wanted, style),
  ])
}

function planAccounts({ accounts }: Wanted, { capabilities, block }: ReadStyle): ReadPart[] {
  if (accounts.length === 0) return []
  return capabilities.stateOverride ? readAccountsByOverride(accounts, block) : readAccountsOneByOne(accounts, block)
}

function planBlockHashes({ blockHashes }: Wanted, { capabilities, block }: ReadStyle): ReadPart[] {
  if (blockHashes.length === 0) return []
  return capabilities.stateOverride
    ? [readBlockHashesByOverride(blockHashes, block)]
    : readBlockHashesOneByOne(blockHashes)
}

function planSlots({ slots }: Wanted, { capabilities, block, unoverridable, mustIdentify }: ReadStyle): ReadPart[] {
  const { stateOverride, storageValues } = capabilities
  if (storageValues && !mustIdentify) return readSlotsByValues(slots, block)
  if (!stateOverride) return readSlotsOneByOne(slots, block)
  const isReadable = (address: Address) => !isPrecompile(address) && !unoverridable.has(address)
  const readable = new Map([...slots].filter(([address]) => isReadable(address)))
  const others = new Map([...slots].filter(([address]) => !isReadable(address)))
  const parts = readable.size === 0 ? [] : readSlotsByOverride(readable, block)
  return [...parts, ...(mustIdentify ? [] : readSlotsOneByOne(others, block))]
}

function planPrefetch({ prefetch }: Wanted, { capabilities, block, unoverridable }: ReadStyle): ReadPart[] {
  if (prefetch === undefined || !capabilities.stateOverride) return []
  const isReadable = !isPrecompile(prefetch.contract) && !unoverridable.has(prefetch.contract)
  return isReadable ? readPrefetch(prefetch, block) : []
}

/**
 * Overrides of precompiles are ignored or worse. Their range is kept wide, because chains add their
 * own.
 */
function isPrecompile(address: Address): boolean {
  return BigInt(address) <= MAX_PRECOMPILE
}

const MAX_PRECOMPILE = 0xffffn

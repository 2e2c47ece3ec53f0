import { type AccountEntry, isEmpty } from '../evm/account-entry.js'
import type { World } from '../evm/world.js'
import type { Account } from '../state/state-reader.js'
import { type AccountChange, UnknownStateError, type Witness } from '../state/witness.js'

/** What a run has made of the state that it began with. */
export function* changesOf(world: World, witness: Witness): Generator<AccountChange> {
  for (const entry of world.entries()) {
    const change = changeOf(entry, witness)
    if (change) yield change
  }
}

function changeOf(entry: AccountEntry, witness: Witness): AccountChange | undefined {
  const { address, freshStorage: isFresh } = entry
  const slots = changedSlots(entry, witness)
  if (!entry.known && slots.size === 0) return touchedAlone(entry, witness)
  const before = witness.account(address)
  const account = entry.known ? { balance: entry.balance, nonce: entry.nonce, codeHash: entry.codeHash } : before
  // EIP-161: an account that is empty when it is touched goes, and none comes to be.
  if (isEmpty(account)) return isGone(entry, before) ? { address, account: undefined, isFresh, slots } : undefined
  const isSame = isEqual(before, account) && slots.size === 0 && !(isFresh && witness.hasStorage(address))
  return isSame ? undefined : { address, account, isFresh, slots }
}

/**
 * What was touched and never looked at, as precompiles are: it goes where it is there and empty
 * (EIP-161). A witness that does not hold it is of a node that left it alone.
 */
function touchedAlone({ address, touchedIn }: AccountEntry, witness: Witness): AccountChange | undefined {
  if (touchedIn === 0) return undefined
  try {
    return isEmpty(witness.account(address))
      ? { address, account: undefined, isFresh: false, slots: new Map() }
      : undefined
  } catch (error) {
    if (error instanceof UnknownStateError) return undefined
    throw error
  }
}

const isGone = ({ touchedIn, destroyedIn }: AccountEntry, before: Account) =>
  touchedIn > 0 || destroyedIn > 0 || !isEmpty(before)

function changedSlots({ address, slots, freshStorage }: AccountEntry, witness: Witness): Map<bigint, bigint> {
  const changed = new Map<bigint, bigint>()
  for (const [word, slot] of slots) {
    if (!slot.known) continue
    const [key, value] = [BigInt(word), BigInt(slot.value)]
    if (value !== (freshStorage ? 0n : witness.storage(address, key))) changed.set(key, value)
  }
  return changed
}

const isEqual = (a: Account, b: Account) => a.balance === b.balance && a.nonce === b.nonce && a.codeHash === b.codeHash

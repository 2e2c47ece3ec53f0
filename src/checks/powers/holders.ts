import { needsConsent } from '../../bytecode/consent.js'
import { storageKeyOf } from '../../bytecode/guards.js'
import { membershipSlot, type Privilege } from '../../bytecode/privilege.js'
import type { PrivilegedFunction } from '../../bytecode/privileged-functions.js'
import { classifyKey, type StorageClass, variableAt } from '../../bytecode/storage-key.js'
import { isNumber } from '../../bytecode/terms.js'
import { ADDRESS_MASK, type Address, toPaddedHex } from '../../hex.js'
import { isHidden, isRenounced } from '../bytecode/power-severity.js'
import { type Power as CodePower, isNumbered, isUpForGrabs, readPower, writersOf } from '../bytecode/subject.js'
import { isDeadAddress } from '../dead-address.js'
import { readHolderKind } from './holder-kind.js'
import type { Holder } from './power.js'
import type { TokenCode } from './read-contracts.js'
import type { Stage } from './stage.js'

/**
 * A holder of a function's privilege, and the storage that makes it one where that is only assumed.
 */
export interface ActingHolder extends Holder {
  /** Set before it acts: membership of a role whose members could not be found. */
  assumed?: { account: Address; slot: bigint; value: bigint }
}

/** Different accounts that are tried per function. */
const MAX_HOLDERS = 3
/** Accounts that are looked up in the roles. */
const MAX_CANDIDATES = 16
/** First words of storage in which accounts with something to say stand. */
const FIRST_SLOTS = 16n
/** Smaller numbers are amounts, or short addresses that tokens burn to. */
const LEAST_ADDRESS = 1n << 120n

/**
 * Finds who may call what, and what stands there. `members` are accounts that events name; storage
 * decides whether they are. Answers are remembered for the sweep.
 */
export function createHolderFinder(stage: Stage, codes: readonly TokenCode[], members: readonly Address[]) {
  const kinds = new Map<Address, ReturnType<typeof readHolderKind>>()
  const kindOf = (address: Address) => {
    const known = kinds.get(address) ?? readHolderKind(stage, address)
    kinds.set(address, known)
    return known
  }
  const isExchange = (address: Address) => stage.exchange.has(address)
  const candidates = [...new Set([...listCandidates(stage, codes), ...members])].filter((each) => mayHold(stage, each))
  const describe = (address: Address, hidden: boolean): ActingHolder => {
    const kind = kindOf(address)
    return { ...kind, ...(kind.kind !== 'renounced' && { address }), isHidden: hidden }
  }

  return {
    describe,
    candidates,
    /** Who may call the function now; a single `renounced` or `unset` where no address may. */
    holdersOf(code: TokenCode, fn: PrivilegedFunction): ActingHolder[] {
      const { subject } = code
      const powers = fn.changes.map(({ effect }) => readPower(subject, fn.fn, effect.node))
      const guarded = fn.privileges.filter(({ kind }) => kind !== 'self' && kind !== 'record')
      const found = new Map<Address, ActingHolder>()
      // An exchange does what its code says for each trader: what only it may do, it does for all.
      const living = guarded.filter((privilege) => !isNamed(code, privilege, isDead))
      const isForExchange = living.length > 0 && living.every((privilege) => isNamed(code, privilege, isExchange))
      if (fn.access === 'anyone' || isForExchange) {
        // What pays out once was promised; what names a holder or a contract once is still to come.
        const isPromise = fn.changes.some(({ kind }) => kind === 'balance' || kind === 'supply') && !isNumbered(fn.fn)
        if (powers.every(({ kind, once }) => kind === 'closed' || (once && isPromise))) return []
        return [anyone(stage)]
      }
      for (const privilege of guarded) {
        const hidden = isHiddenHere(subject, powers, privilege)
        for (const address of membersOf(code, privilege, candidates)) {
          if (mayHold(stage, address) && found.size < MAX_HOLDERS) found.set(address, describe(address, hidden))
        }
      }
      // What a function does for some accounts alone, it does beside what it does for all.
      const isForAll = fn.changes.some(({ kind, privileges }, i) => {
        const power = privileges.length === 0 ? powers[i] : undefined
        return kind !== 'other' && power?.kind === 'anyone' && !power.once
      })
      const others = isForAll ? [anyone(stage)] : []
      if (found.size > 0) return [...others, ...found.values()]
      // Of what another contract keeps for its users, a refusal tells whose it is.
      if (guarded.length === 0 && fn.privileges.some(({ kind }) => kind === 'record') && code.account !== stage.token)
        return [anyone(stage)]
      const role = guarded.flatMap((privilege) => assumeMember(stage, code, privilege) ?? [])[0]
      // Other code in the same storage may name members.
      if (role !== undefined) return [...others, codes.length === 1 ? role : { ...role, isHidden: false }]
      return guarded.length === 0 || isAgreedTo(code, fn) ? others : [...others, noHolder(code, powers, guarded)]
    },
  }
}

const anyone = ({ fresh }: Stage): ActingHolder => ({
  kind: 'anyone',
  address: fresh,
  delaySeconds: 0,
  isHidden: false,
})

/** Whether it does to each account only what that account has agreed to, and uses that up. */
const isAgreedTo = ({ facts }: TokenCode, { fn, changes }: PrivilegedFunction) =>
  changes.some(({ kind }) => kind === 'transfer') &&
  changes.every(({ kind, effect, value }) => {
    if (kind === 'other' || (kind === 'holder' && isNumber(value, 0n))) return true
    return effect.kind === 'write' && needsConsent(facts, { fn, effect })
  })

const isDead = (address: Address) => isDeadAddress(BigInt(address))

/** Whether the privilege is that of one account, and of such a one. */
function isNamed({ subject }: TokenCode, { kind, holder }: Privilege, is: (address: Address) => boolean): boolean {
  const value = kind === 'slot' || kind === 'constant' ? subject.value(holder) : undefined
  return value !== undefined && value <= ADDRESS_MASK && is(toPaddedHex(value, 20))
}

export type HolderFinder = ReturnType<typeof createHolderFinder>

const isHiddenHere = (subject: TokenCode['subject'], powers: readonly CodePower[], { holder }: Privilege) =>
  powers.some((power) => power.guards.some((guard) => guard.holder === holder) && isHidden(subject, power))

function noHolder({ subject }: TokenCode, powers: readonly CodePower[], guarded: readonly Privilege[]): ActingHolder {
  const base = { delaySeconds: 0, isHidden: false }
  // An empty seat that a call fills, such as one for callers of a certain code.
  if (guarded.some(({ kind, holder }) => kind === 'slot' && isUpForGrabs(subject, holder)))
    return { ...base, kind: 'unknown', isHidden: true }
  // A slot that names no one yet, such as the next owner in a hand-over of two steps.
  if (guarded.every(({ kind, holder }) => kind === 'slot' && ((subject.value(holder) ?? -1n) & ADDRESS_MASK) === 0n))
    return { ...base, kind: isRenounced(subject) ? 'renounced' : 'unset' }
  // A check that names no account that could be read, such as a computation on the caller.
  if (powers.some(({ kind }) => kind === 'holder'))
    return { ...base, kind: 'unknown', isHidden: powers.some((power) => isHidden(subject, power)) }
  return { ...base, kind: isRenounced(subject) ? 'renounced' : 'unset' }
}

function membersOf({ facts, subject }: TokenCode, privilege: Privilege, candidates: readonly Address[]): Address[] {
  const { kind, holder } = privilege
  if (kind === 'slot' || kind === 'constant') {
    const value = subject.value(holder)
    const address = value === undefined ? undefined : toAccount(value)
    return address === undefined ? [] : [address]
  }
  if (kind !== 'role') return []
  const read = (slot: bigint) => subject.word(slot) ?? 0n
  const mask = holder.op === 'field' ? ((1n << BigInt(holder.width)) - 1n) << holder.value : -1n
  return candidates.filter((candidate) => {
    const slot = membershipSlot(facts, privilege, candidate, read)
    return slot !== undefined && (read(slot) & mask) !== 0n
  })
}

/** A member that was never made one: shows what the role can do in any hands. */
function assumeMember(
  stage: Stage,
  { account, facts, subject }: TokenCode,
  privilege: Privilege,
): ActingHolder | undefined {
  const read = (slot: bigint) => stage.fork.evm.storage(account, slot)
  const slot = membershipSlot(facts, privilege, stage.operator, read)
  if (slot === undefined) return undefined
  const shift = privilege.holder.op === 'field' ? privilege.holder.value : 0n
  const value = read(slot) | (1n << shift)
  return {
    kind: 'unknown',
    address: stage.operator,
    delaySeconds: 0,
    isHidden: isOfConstructor(subject, privilege),
    assumed: { account, slot, value },
  }
}

/**
 * Whether no function writes the list of members: it has those of the constructor, which no event
 * of the code names. Of several lists in a mapping none may be written, nor a word whose place was
 * not understood: another key may lead to the same.
 */
function isOfConstructor(subject: TokenCode['subject'], { holder }: Privilege): boolean {
  const { facts } = subject
  const key = storageKeyOf(holder)
  if (key === undefined || facts.gaps.length > 0) return false
  const { slot, keys } = classifyKey(key)
  if (slot === undefined || keys.length === 0) return false
  const isNumbered = variableAt(slot) !== undefined
  if (isNumbered && keys.length === 1) return writersOf(subject, holder).length === 0
  // What lies between the numbers of compilers and hashes is an account.
  if (!isNumbered && slot <= ADDRESS_MASK) return false
  // Compilers hash a key that they know: of which mapping that was is not to be seen.
  const isOfList = (written: StorageClass) =>
    written.slot === slot || (!isNumbered && written.keys.length > 1 && !facts.roles.holdings.has(written.id))
  const writes = facts.functions.flatMap(({ effects }) =>
    effects.flatMap((effect) => (effect.kind === 'write' ? [classifyKey(effect.key)] : [])),
  )
  return writes.every((written) => written.slot !== undefined && !isOfList(written))
}

/**
 * Accounts that may have roles: those that `owner()` names, those that guards name, and all that
 * stand in the first words of storage.
 */
function listCandidates({ fork, token, reads, exchange }: Stage, codes: readonly TokenCode[]): Address[] {
  const found = new Set<Address>()
  const add = (value: bigint | undefined) => {
    const address = value === undefined ? undefined : toAccount(value)
    if (address !== undefined && found.size < MAX_CANDIDATES && !exchange.has(address)) found.add(address)
  }
  for (const { facts, subject } of codes) {
    for (const term of facts.roles.owners) add(subject.value(term))
    for (const { guards } of facts.functions)
      for (const { kind, holder } of guards) if (kind === 'slot' || kind === 'constant') add(subject.value(holder))
  }
  const slots = new Set([
    ...Array.from({ length: Number(FIRST_SLOTS) }, (_, i) => BigInt(i)),
    ...(reads.get(token) ?? []),
  ])
  for (const slot of slots) {
    const word = fork.evm.storage(token, slot)
    if (isShortText(word)) continue
    for (const value of [word & ADDRESS_MASK, word >> 96n, (word >> 8n) & ADDRESS_MASK]) add(value)
  }
  found.delete(token)
  return [...found]
}

/**
 * A name or a symbol as Solidity keeps texts below 32 bytes: the bytes from the left, twice their
 * number in the last one.
 */
function isShortText(word: bigint): boolean {
  const twice = word & 0xffn
  const length = twice / 2n
  if (twice % 2n !== 0n || length === 0n || length > 31n) return false
  const rest = word >> 8n
  const text = rest >> (8n * (31n - length))
  if (text << (8n * (31n - length)) !== rest) return false
  for (let left = text; left > 0n; left >>= 8n) if ((left & 0xffn) < 0x20n) return false
  return text >> (8n * (length - 1n)) > 0n
}

/**
 * Whether an account that a call would have to come from has a power by that: what a buyer does to
 * himself, as the owner of a numbered part of what he bought, is none.
 */
export const mayHold = ({ exchange, buyer }: Stage, address: Address): boolean =>
  !exchange.has(address) && address !== buyer.context.trader.address

/** The account of this number, unless it is too small for one, or no key belongs to it. */
export function toAccount(value: bigint): Address | undefined {
  if (value > ADDRESS_MASK || value < LEAST_ADDRESS || isDeadAddress(value)) return undefined
  return toPaddedHex(value, 20)
}

import { evaluateTerm, slotsOf } from '../../bytecode/evaluate.js'
import type { ContractFacts } from '../../bytecode/facts.js'
import { readDesignator } from '../../bytecode/proxy.js'
import { returnedTerms } from '../../bytecode/roles.js'
import { readSafe, SAFE_SLOTS } from '../../bytecode/safe.js'
import { findFunction } from '../../bytecode/token-facts.js'
import { type Address, toPaddedHex, ZERO_ADDRESS } from '../../hex.js'
import { type ReadSubjectOptions, readStoredCode, subjectSeeds } from './read-subject.js'

/** Who stands behind an address that holds a power, told from its code and storage alone. */
export type AdminKind =
  | { kind: 'account' }
  | { kind: 'delegated account' }
  | { kind: 'multisig'; threshold: bigint; owners: bigint }
  | { kind: 'timelock'; delaySeconds: bigint }
  | { kind: 'contract' }
  | { kind: 'renounced' }

/**
 * A proxy's admin is often a contract of its own (ProxyAdmin) with an owner, which may be a
 * timelock: that many steps.
 */
const MAX_STEPS = 2
/** Slots that an answer is computed from. */
const MAX_SLOTS = 8
/** `getMinDelay()` of OpenZeppelin's controller, `delay()` of Compound's. */
const DELAYS = [0xf27a0c92, 0x6a42b8f8] as const
/**
 * `schedule(address,uint256,bytes,bytes32,bytes32,uint256)` and
 * `queueTransaction(address,uint256,string,bytes,uint256)`.
 */
const QUEUES = [0x01d5062a, 0x3a66f901] as const
/**
 * `owner()` (EIP-173), and what only a ProxyAdmin has besides: `upgrade(address,address)`,
 * `upgradeAndCall(address,address,bytes)`.
 */
const OWNER = 0x8da5cb5b
const UPGRADES = [0x99a88ec4, 0x9623609d] as const

/** Reads the kind at the state's block. */
export function readAdminKind(address: Address, options: ReadSubjectOptions, steps = MAX_STEPS): AdminKind {
  const { state, analyse } = options
  if (address === ZERO_ADDRESS) return { kind: 'renounced' }
  state.load([...subjectSeeds(address), { kind: 'storage', address, slot: SAFE_SLOTS.firstModule }])
  const code = readStoredCode(state, address)
  if (code === undefined || code.length === 0) return { kind: 'account' }
  if (readDesignator(code) !== undefined) return { kind: 'delegated account' }
  const facts = analyse(code)
  const storage = (slot: bigint) => state.storage(address, slot)
  const safe = readSafe(facts, storage)
  // One signature of many is no more than an account.
  if (safe !== undefined) return safe.threshold === 1n ? { kind: 'account' } : { kind: 'multisig', ...safe }
  const has = (selectors: readonly number[]) =>
    selectors.some((selector) => findFunction(facts, selector) !== undefined)
  if (has(QUEUES)) {
    for (const selector of DELAYS) {
      const delaySeconds = answer(facts, selector, address, options)
      if (delaySeconds !== undefined && delaySeconds > 0n) return { kind: 'timelock', delaySeconds }
    }
  }
  const owner = has(UPGRADES) && steps > 0 ? answer(facts, OWNER, address, options) : undefined
  return owner === undefined ? { kind: 'contract' } : readAdminKind(toPaddedHex(owner, 20), options, steps - 1)
}

/** What a getter without arguments returns in the present state. */
function answer(
  facts: ContractFacts,
  selector: number,
  address: Address,
  { state }: ReadSubjectOptions,
): bigint | undefined {
  const terms = returnedTerms(findFunction(facts, selector)?.run)
  const missing = slotsOf(terms, MAX_SLOTS).filter((slot) => state.storage(address, slot) === undefined)
  if (missing.length > 0) state.load(missing.map((slot) => ({ kind: 'storage', address, slot })))
  const [term, ...others] = terms
  if (term === undefined || others.length > 0) return undefined
  const value = evaluateTerm(facts.store, term, (slot) => state.storage(address, slot))
  return value === undefined || value >= 1n << 160n ? undefined : value
}

/** The kind in words for the evidence. */
export function describeAdmin(admin: AdminKind): string {
  switch (admin.kind) {
    case 'multisig':
      return `exchanged by a multisig (${admin.threshold} of ${admin.owners} signatures)`
    case 'timelock':
      return `exchanged by a timelock (${admin.delaySeconds} seconds)`
    case 'renounced':
      return 'no address can exchange it (renounced)'
    case 'contract':
      return 'exchanged by another contract'
    default:
      return `exchanged by one ${admin.kind}`
  }
}

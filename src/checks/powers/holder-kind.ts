import { readAnnouncedDelay } from '../../bytecode/announced-calls.js'
import type { ContractFacts } from '../../bytecode/facts.js'
import { readDesignator } from '../../bytecode/proxy.js'
import { readSafe, SAFE_SLOTS, type Safe } from '../../bytecode/safe.js'
import type { Address } from '../../hex.js'
import { isDeadAddress } from '../dead-address.js'
import type { Holder } from './power.js'
import { readPrincipal } from './principal.js'
import { readCode } from './read-contracts.js'
import type { Stage } from './stage.js'
import { tryTimelock } from './try-timelock.js'

type Kind = Pick<Holder, 'kind' | 'threshold' | 'owners' | 'delaySeconds'>

/** Contracts that obey one account each, one behind the other. */
const MAX_PRINCIPALS = 3

/** What stands at an address that can do something to the token. */
export const readHolderKind = (stage: Stage, address: Address): Kind => readKind(stage, address, MAX_PRINCIPALS)

function readKind(stage: Stage, address: Address, further: number): Kind {
  // It obeys no one any more, as the administrator of a proxy whose owner has left.
  if (isDeadAddress(BigInt(address))) return { kind: 'renounced', delaySeconds: 0 }
  const { fork } = stage
  foresee(stage, address)
  const code = fork.evm.code(address)
  if (code.length === 0) return { kind: 'account', delaySeconds: 0 }
  if (readDesignator(code) !== undefined) return { kind: 'delegated', delaySeconds: 0 }
  const { facts } = readCode(code)
  const read = (slot: bigint) => fork.evm.storage(address, slot)
  const safe = readSafe(facts, read)
  if (safe !== undefined) return toKind(safe)
  const delaySeconds = tryTimelock(stage, address) ?? readHomeMade(facts, read)
  if (delaySeconds !== undefined) return { kind: 'timelock', delaySeconds }
  const principal = further > 0 ? readPrincipal(facts, read) : undefined
  const behind = principal && readKind(stage, principal, further - 1)
  // A contract whose one account is a person may still ask for more than he says.
  return behind && PASSED_ON.has(behind.kind) ? behind : { kind: 'contract', delaySeconds: 0 }
}

/** What holds for a contract as for the one that it obeys. */
const PASSED_ON: ReadonlySet<Kind['kind']> = new Set(['timelock', 'multisig', 'renounced'])

/** Longer delays are no promise that can be checked. Seconds: ten years. */
const MAX_DELAY = 315_360_000n

/** A timelock in no known words, as far as its code proves it. */
function readHomeMade(facts: ContractFacts, read: (slot: bigint) => bigint): number | undefined {
  const delay = readAnnouncedDelay(facts, read)
  return delay === undefined || delay === 0n || delay > MAX_DELAY ? undefined : Number(delay)
}

/** Words in which contracts that hold powers keep owners, delays and thresholds. */
const FIRST_SLOTS = 6n

/**
 * Asks at once for what a Safe or a timelock would be asked for after its code was read: most
 * holders then cost one round trip.
 */
function foresee({ fork }: Stage, address: Address): void {
  for (let slot = 0n; slot < FIRST_SLOTS; slot += 1n) fork.evm.storage(address, slot)
  fork.evm.storage(address, SAFE_SLOTS.firstModule)
}

/** One signature of many is no more than an account. */
function toKind({ threshold, owners }: Safe): Kind {
  const kind = threshold > 1n ? 'multisig' : 'account'
  return { kind, threshold: Number(threshold), owners: Number(owners), delaySeconds: 0 }
}

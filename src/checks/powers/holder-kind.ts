import { readDesignator } from '../../bytecode/proxy.js'
import { readSafe, SAFE_SLOTS, type Safe } from '../../bytecode/safe.js'
import type { Address } from '../../hex.js'
import type { Holder } from './power.js'
import { readCode } from './read-contracts.js'
import type { Stage } from './stage.js'
import { tryTimelock } from './try-timelock.js'

type Kind = Pick<Holder, 'kind' | 'threshold' | 'owners' | 'delaySeconds'>

/** What stands at an address that can do something to the token. */
export function readHolderKind(stage: Stage, address: Address): Kind {
  const { fork } = stage
  foresee(stage, address)
  const code = fork.evm.code(address)
  if (code.length === 0) return { kind: 'account', delaySeconds: 0 }
  if (readDesignator(code) !== undefined) return { kind: 'delegated', delaySeconds: 0 }
  const safe = readSafe(readCode(code).facts, (slot) => fork.evm.storage(address, slot))
  if (safe !== undefined) return toKind(safe)
  const delaySeconds = tryTimelock(stage, address)
  return delaySeconds === undefined ? { kind: 'contract', delaySeconds: 0 } : { kind: 'timelock', delaySeconds }
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

import type { Address } from '../../hex.js'
import type { BytecodeReport } from '../bytecode/bytecode-report.js'
import type { FailedTrade } from './honeypot-facts.js'

/** Why a trade failed, and who can change what decided. */
export interface ExplainedFailure extends FailedTrade {
  /**
   * The addresses that may call a function that writes the deciding storage, as the code and its
   * present state say; absent where none is known.
   */
  setBy: Address | undefined
}

/**
 * Detectors whose evidence names the field that a holder writes. That of others names where the
 * writer's name stands.
 */
const FIELD_WRITERS = [
  'blacklist',
  'whitelist',
  'trading-switch',
  'transfer-limit',
  'transfer-cooldown',
  'modifiable-fee',
]
const ADDRESS = /0x[0-9a-f]{40}/

/** Puts a name to the hand behind each cause, where the analysis of the code knows one. */
export function nameSetters(
  causes: readonly FailedTrade[],
  report: Pick<BytecodeReport, 'riskFlags'> | undefined,
): ExplainedFailure[] {
  const written = (report?.riskFlags ?? [])
    .filter(({ id }) => FIELD_WRITERS.includes(id))
    .flatMap(({ evidence }) => evidence)
    .flatMap(({ slot, holder }) => {
      const setter = ADDRESS.exec(holder ?? '')?.[0] as Address | undefined
      return slot !== undefined && setter ? [{ slot: BigInt(slot), setter }] : []
    })
  return causes.map((cause) => {
    const place = cause.mapping ?? cause.slot
    const setBy = written.find(({ slot }) => slot === place)?.setter
    if (!setBy) return { ...cause, setBy }
    const what = cause.mapping === undefined ? `slot ${cause.slot}` : `mapping ${cause.mapping}`
    return { ...cause, setBy, reason: `${cause.reason}; ${what} is set by ${setBy}` }
  })
}

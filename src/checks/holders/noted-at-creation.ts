import { findCandidateSelectors } from '../../bytecode/candidate-selectors.js'
import { needsConsent } from '../../bytecode/consent.js'
import { readFacts } from '../../bytecode/facts.js'
import { UNKNOWN_VARIABLE } from '../../bytecode/source.js'
import { classifyKey } from '../../bytecode/storage-key.js'
import { sell, type TradeContext } from '../../dex/legs.js'
import { createDecisionsInspector } from '../../evm/inspectors/decisions.js'
import type { Slot } from '../../evm/inspectors/term.js'
import { holds, readLedger } from '../conditions/balance-words.js'
import { leavesOf } from '../conditions/conditions.js'
import { onBranch } from '../on-branch.js'

/**
 * Whether all that keeps this holder from selling is what the token noted of him when it was
 * created, as of a team that may sell by and by. No function writes such notes, unless their
 * holder agrees, so that none who bought later has one; and without his own he could sell.
 */
export function isNotedAtCreation(context: TradeContext, amount: bigint): boolean {
  const { fork, market, trader } = context
  const { token } = market.pool
  const decisions = createDecisionsInspector()
  onBranch(context, () => sell({ ...context, watch: () => [decisions] }, amount))
  const { blocking } = decisions.finish()
  if (blocking === undefined || blocking.address !== token) return false
  const ledger = readLedger(context, trader.address)
  const notes = leavesOf(blocking.condition).filter(
    (leaf): leaf is Slot =>
      leaf.kind === 'slot' && leaf.entry?.key === BigInt(trader.address) && !holds(ledger, leaf.address, leaf.slot),
  )
  if (notes.length === 0 || !notes.every((note) => note.address === token && isNeverWritten(context, note)))
    return false
  return onBranch(context, () => {
    for (const { slot } of notes) fork.evm.setStorage(token, slot, 0n)
    return sell(context, amount).success
  })
}

/** Facts of a token are read once for the few holders that are refused. */
const factsKnown = new WeakMap<Uint8Array, ReadonlySet<string> | undefined>()

/** Whether no function of the token's own code writes entries of that mapping unasked. */
function isNeverWritten({ fork, market }: TradeContext, { entry }: Slot): boolean {
  const code = fork.evm.code(market.pool.token)
  if (!factsKnown.has(code)) factsKnown.set(code, readWritten(code))
  const written = factsKnown.get(code)
  if (written === undefined || entry === undefined || entry.within !== undefined) return false
  const variable = `0x${entry.place.toString(16)}[]`
  return ![...written].some((id) => id === UNKNOWN_VARIABLE || id.startsWith(variable))
}

/**
 * Classes of storage that the code writes without consent; `undefined` where it was not read, or is
 * not all that runs.
 */
function readWritten(code: Uint8Array): ReadonlySet<string> | undefined {
  const facts = readFacts(code, { candidates: findCandidateSelectors(code) })
  const { functions, gaps } = facts
  const effects = functions.flatMap((fn) => fn.effects)
  const isAll = effects.every((effect) => effect.kind !== 'call' || effect.op === 'CALL' || effect.op === 'STATICCALL')
  if (gaps.length > 0 || !isAll) return undefined
  const written = functions.flatMap((fn) =>
    fn.effects.flatMap((effect) =>
      effect.kind === 'write' && !needsConsent(facts, { fn, effect }) ? [classifyKey(effect.key).id] : [],
    ),
  )
  return new Set(written)
}

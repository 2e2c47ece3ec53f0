import type { TradeContext } from '../../dex/legs.js'
import type { Decision, Decisions } from '../../evm/inspectors/decisions.js'
import { isCut, operation, type Term } from '../../evm/inspectors/term.js'
import { readLedger } from './balance-words.js'

/** Of what the pool was credited: less than this share is a loss that matters. */
const SHARE = { part: 3n, of: 4n }

/**
 * Whether the pool would be credited much less, as a condition: what a sale loses by arithmetic
 * alone is decided by no branch. One for each word that the pool's balance is told from and that
 * the sale raised.
 */
export function creditConditions(context: TradeContext, { stores }: Pick<Decisions, 'stores'>): Decision[] {
  const ledger = readLedger(context, context.market.pool.address)
  return stores.flatMap(({ slot, entry: _, value, ...where }) => {
    const before = ledger.get(where.address)?.get(slot)
    if (before === undefined || value.value <= before) return []
    const least = before + ((value.value - before) * SHARE.part) / SHARE.of
    const condition = operation('LT', [value, constant(least)])
    return condition.kind === 'operation' || isCut(condition) ? [{ ...where, occurrence: undefined, condition }] : []
  })
}

const constant = (value: bigint): Term => ({ kind: 'constant', value })

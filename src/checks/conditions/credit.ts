import { encodeCall } from '../../dex/encode-call.js'
import type { TradeContext } from '../../dex/legs.js'
import { erc20Abi } from '../../dex/read-contract.js'
import type { Decision, Decisions } from '../../evm/inspectors/decisions.js'
import { createStorageAccessInspector } from '../../evm/inspectors/storage-access.js'
import { isSmall, operation, type Term } from '../../evm/inspectors/term.js'

/** Of what the pool was credited: less than this share is a loss that matters. */
const SHARE = { part: 3n, of: 4n }

/**
 * Whether the pool would be credited much less, as a condition: what a sale loses by arithmetic
 * alone is decided by no branch. One for each word that the pool's balance is told from and that
 * the sale raised; `before` reads a word as it was before the sale.
 */
export function creditConditions(
  { fork, market: { pool } }: TradeContext,
  { stores }: Pick<Decisions, 'stores'>,
): Decision[] {
  const storage = createStorageAccessInspector()
  fork.evm.read(
    { to: pool.token, data: encodeCall({ abi: erc20Abi, functionName: 'balanceOf', args: [pool.address] }) },
    [storage],
  )
  const { reads } = storage.finish()
  return stores.flatMap(({ slot, value, ...where }) => {
    const before = reads.get(where.address)?.get(slot)
    if (before === undefined || value.value <= before || !isSmall(value)) return []
    const least = before + ((value.value - before) * SHARE.part) / SHARE.of
    const condition = operation('LT', [value, constant(least)])
    return condition.kind === 'operation' ? [{ ...where, occurrence: undefined, condition }] : []
  })
}

const constant = (value: bigint): Term => ({ kind: 'constant', value })

import { approve, buy, sell } from '../../dex/legs.js'
import { FULL_BPS } from '../../dex/tax.js'
import type { StorageAccess } from '../../evm/inspectors/storage-access.js'
import { wait } from '../../simulation/fork-verbs.js'
import { onBranch } from '../on-branch.js'
import { failureReason } from '../trade/failure-reason.js'
import type { Effect } from './look.js'
import type { Stage } from './stage.js'

/** A tax that is higher by less than this is rounding. Basis points. */
export const LEAST_RISE_BPS = 50
/** Longer than honest tokens make a buyer wait. */
const PATIENCE_MS = 86_400_000
/** Some tokens refuse to part with the last unit, which is no loss. */
const KEPT_SHARE = 100n

/**
 * Whether a purchase leaves a record of its buyer besides a balance: the time, a number, a mark.
 * Then a later buyer may be treated otherwise than those who bought before.
 */
export const marksBuyers = (
  { exchange }: Pick<Stage, 'exchange'>,
  { writes }: Pick<StorageAccess, 'writes'>,
  bought: bigint,
): boolean =>
  [...writes].some(
    ([address, slots]) =>
      !exchange.has(address) && [...slots.values()].some(({ before, after }) => before === 0n && after !== bought),
  )

/** What becomes of one who buys after the call. Nothing where no purchase goes through. */
export function lookAtLater(stage: Stage): Effect[] {
  const { newcomer, amount, baseline, effort, fork, token } = stage
  effort.trades += 2
  const sold = onBranch(stage, () => {
    const { success, tokenDelta: bought } = buy(newcomer, amount)
    if (!success || bought <= 0n) return undefined
    wait(fork, PATIENCE_MS)
    const held = bought - bought / KEPT_SHARE
    approve(newcomer, held)
    const { success: isSold, taxBps, sent } = sell(newcomer, held)
    return { taxBps, reason: isSold ? undefined : failureReason(sent.call, token) }
  })
  if (sold === undefined) return []
  if (sold.reason !== undefined)
    return [
      {
        ...{ kind: 'blocks-sells', lossBps: FULL_BPS, purchasesGoOn: true },
        outcome: `all who bought afterwards could not sell, while purchases went on (${sold.reason})`,
      },
    ]
  const { taxBps = 0 } = sold
  if (taxBps < baseline.sellTaxBps + LEAST_RISE_BPS) return []
  const outcome = `the sell tax was ${taxBps / 100} % for all who bought afterwards`
  return [{ kind: 'raises-tax', lossBps: taxBps, outcome }]
}

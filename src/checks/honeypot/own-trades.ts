import { approve, buy, type Leg, sell, type TradeContext } from '../../dex/legs.js'
import { balanceOf } from '../../dex/read-contract.js'
import { createDecisionsInspector, type Decisions } from '../../evm/inspectors/decisions.js'
import { createStorageAccessInspector, type StorageAccess } from '../../evm/inspectors/storage-access.js'
import type { Address } from '../../hex.js'
import { holds, readLedger, type Words } from '../conditions/balance-words.js'
import { isCodeOfToken } from '../conditions/code-of-token.js'
import { onBranch } from '../on-branch.js'
import { worst } from './crowd.js'
import { DIVERGENCE_BPS, lossOf } from './findings.js'
import type { SellFacts } from './honeypot-facts.js'
import { pass } from './pass.js'
import { playSell } from './play-window.js'

/** What the ordinary sale came to, and the storage that it read. */
interface Usual {
  held: bigint
  /** Wei that it was bought for. */
  amount: bigint
  sold: SellFacts
  reads: Words
}

/** Purchases after which the sale is tried; most wallets buy a token once or twice. */
const TRIED_AFTER = [2, 3, 6, 12]
/** The later ones are small, so that the price stays about where it is. */
const SMALL_PART = 20n

/**
 * The trader buys once more and sells all. Where a purchase changes a word that the sale asks for,
 * he buys again, up to a dozen times: what is counted decides by a formula, and not always by a
 * branch (an address or an amount computed from it).
 */
export function sellAfterPurchases(context: TradeContext, { held, amount, sold, reads }: Usual): SellFacts | undefined {
  const { fork, trader, market } = context
  const played: SellFacts[] = []
  let most = TRIED_AFTER[0] ?? 0
  for (let count = 2; count <= most; count += 1) {
    const spent = count === 2 ? amount : amount / SMALL_PART
    const seen = count === 2 ? watched(context, (watch) => buy({ ...context, watch }, spent)) : undefined
    const leg = seen?.leg ?? buy(context, spent)
    if (!leg.success || leg.tokenDelta <= 0n) break
    pass(fork, 0)
    if (seen && changesWhatIsRead(context, seen, reads)) most = Math.max(...TRIED_AFTER)
    if (!TRIED_AFTER.includes(count)) continue
    const holding = count === 2 ? held + leg.tokenDelta : (balanceOf(fork, market.pool.token, trader.address) ?? held)
    const all = onBranch(context, () => playSell(context, holding))
    // What may be sent at once has a limit in many tokens: as much as before can be sold of it.
    const now = all.success || holding <= held ? all : onBranch(context, () => playSell(context, held))
    played.push(now)
    if (lossOf(now) >= lossOf(sold) + DIVERGENCE_BPS) break
  }
  return played.length > 0 ? worst(played) : undefined
}

/** The trader has sold all, buys again and sells that: some are served once. */
export function sellAfterReturning(context: TradeContext, { held, amount, sold }: Usual): SellFacts | undefined {
  const { fork } = context
  if (!playSell(context, held).success) return undefined
  pass(fork, 0)
  const again = buy(context, amount)
  if (!again.success || again.tokenDelta <= 0n) return undefined
  pass(fork, 0)
  const now = onBranch(context, () => playSell(context, again.tokenDelta))
  const isWorse = lossOf(now) >= lossOf(sold) + DIVERGENCE_BPS
  return isWorse && worksNextDay(context, again.tokenDelta, sold) ? undefined : now
}

/** Sales in a row, a block each; many where a sale changes a word that the next one asks for. */
const FEW_PARTS = 5n
const MANY_PARTS = 16n

/** The trader sells in parts. The first that does not go as the first did, or the last one. */
export function sellInParts(context: TradeContext, { held, reads }: Usual): SellFacts | undefined {
  if (held < MANY_PARTS) return undefined
  const counts = onBranch(context, () => {
    approve(context, held)
    pass(context.fork, 0)
    const seen = watched(context, (watch) => sell({ ...context, watch }, held / MANY_PARTS))
    return seen.leg.success && changesWhatIsRead(context, seen, reads)
  })
  const parts = counts ? MANY_PARTS : FEW_PARTS
  const part = held / parts
  let sold = playSell(context, part)
  for (let i = 1n; i < parts && sold.success; i += 1n) {
    pass(context.fork, 0)
    const amount = i + 1n < parts ? part : held - part * i
    const next = playSell(context, amount)
    const isWorse = !next.success || (next.taxBps ?? 0) > (sold.taxBps ?? 0)
    if (isWorse && i >= FEW_PARTS && worksNextDay(context, amount, sold)) return sold
    if (isWorse) sold = next
  }
  return sold
}

/** So many sales a day are a limit that no wallet meets. */
const worksNextDay = (context: TradeContext, amount: bigint, before: SellFacts): boolean =>
  onBranch(context, () => {
    pass(context.fork, A_DAY_MS)
    return lossOf(playSell(context, amount)) < lossOf(before) + DIVERGENCE_BPS
  })

const A_DAY_MS = 24 * 3_600_000

interface Watched {
  leg: Leg
  storage: StorageAccess
  /** Words that were stored, with the mapping of each. */
  stores: Decisions['stores']
}

function watched(context: TradeContext, trade: (watch: NonNullable<TradeContext['watch']>) => Leg): Watched {
  const [storage, decisions] = [createStorageAccessInspector(), createDecisionsInspector()]
  const leg = trade(() => [...(context.watch?.() ?? []), storage, decisions])
  return { leg, storage: storage.finish(), stores: decisions.finish().stores }
}

/** Words of the token's side that the sale reads, but for anyone's balance and what was allowed. */
function changesWhatIsRead(context: TradeContext, { storage, stores }: Watched, reads: Words): boolean {
  const isOurs = isCodeOfToken(context)
  const { trader, market } = context
  const ledgers = [trader.address, market.pool.address].map((account) => readLedger(context, account))
  const isLedger = (address: Address, slot: bigint) => ledgers.some((ledger) => holds(ledger, address, slot))
  const books = stores.flatMap(({ address, slot, entry }) =>
    entry && isLedger(address, slot) ? [`${address} ${entry.place}`] : [],
  )
  const balances = new Set(
    stores.flatMap(({ address, slot, entry }) =>
      entry && books.includes(`${address} ${entry.place}`) ? [`${address} ${slot}`] : [],
    ),
  )
  return [...storage.writes].some(
    ([address, words]) =>
      isOurs(address) &&
      [...words.keys()].some(
        (slot) => holds(reads, address, slot) && !isLedger(address, slot) && !balances.has(`${address} ${slot}`),
      ),
  )
}

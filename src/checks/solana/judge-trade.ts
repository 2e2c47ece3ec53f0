import type { SolanaAddress } from '../../solana/address.js'
import type { Mint } from '../../solana/token/mint.js'
import type { LegFacts, PlayFacts, SwapFacts, WindowFacts } from './play/play-facts.js'
import type { FindingId } from './solana-findings.js'
import type { NodeTrial } from './solana-report.js'
import type { WindowLabel } from './solana-windows.js'

/** A finding before it is weighed: which, what was seen. */
export interface Seen {
  id: FindingId
  detail: string
}

/** What one window amounts to. */
export interface JudgedWindow {
  label: WindowLabel
  buy: LegFacts
  sell: LegFacts
  buyTaxBps: number
  sellTaxBps: number
  seen: Seen[]
  /** Selling fails, or half or more is lost. */
  hostile: boolean
}

const FULL_BPS = 10_000
export const CONFISCATORY_BPS = 5_000
export const HIGH_BPS = 1_000
/**
 * Exchanges take up to one percent on each way, and prices move: what is lost beyond this is the
 * token's doing.
 */
const SWAP_TOLERANCE_BPS = 1_000

/** What was tried in a window, as taxes and findings. The worst of what was tried counts. */
export function judgeWindow(facts: WindowFacts, mintFindings: readonly FindingId[]): JudgedWindow {
  const plain = sizeOf(facts, 'plain')
  const sells = [plain.sell, ...(facts.held ? [facts.held] : [])]
  const sell = worst(sells)
  const swap = facts.swap
  const large = sizeOf(facts, 'large')
  const buyTaxBps = Math.max(plain.buy.taxBps, large.buy.ok ? large.buy.taxBps : 0)
  const tokenTaxBps = Math.max(sell.taxBps, large.sell.ok ? large.sell.taxBps : 0)
  const sellTaxBps = Math.max(tokenTaxBps, swap ? lossBeyond(swap, buyTaxBps, tokenTaxBps) : 0)
  const blocked = !sell.ok || (swap?.buy.ok === true && !swap.sell.ok)
  const failed = sell.ok ? swap?.sell : sell
  const seen: Seen[] = []
  if (blocked) seen.push({ id: blockedBy(mintFindings), detail: failed?.reason ?? '' })
  if (!plain.buy.ok && !blocked) seen.push({ id: 'buy-blocked', detail: plain.buy.reason })
  if (!blocked) seen.push(...limits(facts), ...taxes(Math.max(plain.buy.ok ? buyTaxBps : 0, sellTaxBps), facts))
  return {
    label: facts.label,
    buy: plain.buy,
    sell: blocked && failed ? failed : sell,
    buyTaxBps,
    sellTaxBps: blocked ? FULL_BPS : sellTaxBps,
    seen,
    hostile: blocked || sellTaxBps >= CONFISCATORY_BPS || (plain.buy.ok && buyTaxBps >= CONFISCATORY_BPS),
  }
}

function sizeOf({ sizes }: WindowFacts, size: string) {
  const found = sizes.find((each) => each.size === size)
  if (found === undefined) throw new RangeError(`no ${size} trade was tried`)
  return found
}

/**
 * What the exchange kept besides the token's own taxes, as a tax on the sale; nothing when it is no
 * more than exchanges take and prices move.
 */
function lossBeyond({ buy, lossBps }: SwapFacts, buyTaxBps: number, sellTaxBps: number): number {
  const keptOfTaxes = ((FULL_BPS - buyTaxBps) * (FULL_BPS - sellTaxBps)) / FULL_BPS
  if (!buy.ok || keptOfTaxes < MIN_KEPT_BPS) return 0
  const beyond = FULL_BPS - ((FULL_BPS - lossBps) * FULL_BPS) / keptOfTaxes
  return beyond > SWAP_TOLERANCE_BPS ? Math.min(FULL_BPS, Math.round(sellTaxBps + beyond)) : 0
}

/** With taxes that leave less than this, rounding is all that can be seen. */
const MIN_KEPT_BPS = 1_000

const worst = (legs: readonly LegFacts[]): LegFacts => legs.reduce((a, b) => (b.taxBps > a.taxBps ? b : a))

/** The mint's own word for why nothing moves is clearer than the failure it leads to. */
function blockedBy(mintFindings: readonly FindingId[]): FindingId {
  return mintFindings.find((id) => BLOCKING.has(id)) ?? 'sell-blocked'
}

/** Properties of the mint that mean that no holder can sell. */
export const BLOCKING: ReadonlySet<FindingId> = new Set(['not-transferable', 'paused', 'accounts-frozen'])

function limits(facts: WindowFacts): Seen[] {
  const [large, dust] = [sizeOf(facts, 'large'), sizeOf(facts, 'dust')]
  const seen: Seen[] = []
  if (!large.sell.ok)
    seen.push({ id: 'sell-limit', detail: `a sale of ${large.amount} base units: ${large.sell.reason}` })
  if (!dust.sell.ok)
    seen.push({ id: 'minimum-sale', detail: `a sale of ${dust.amount} base units: ${dust.sell.reason}` })
  return seen
}

/** What a tax is called. */
function taxFinding(bps: number): Seen[] {
  const detail = `${bps / 100} %`
  if (bps >= CONFISCATORY_BPS) return [{ id: 'confiscatory-tax', detail }]
  if (bps > HIGH_BPS) return [{ id: 'high-tax', detail }]
  return bps > 0 ? [{ id: 'tax', detail }] : []
}

function taxes(bps: number, facts: WindowFacts): Seen[] {
  if (bps > 0) return taxFinding(bps)
  const dust = sizeOf(facts, 'dust')
  // Fees round up, so that one base unit of ten is no tax; a cap hides a fee in large trades.
  const isTaxed = dust.sell.ok && dust.sell.taxBps > DUST_ROUNDING_BPS
  return isTaxed ? [{ id: 'tax', detail: `${dust.sell.taxBps / 100} % of small amounts only: the fee has a cap` }] : []
}

/** Of a sale of ten base units, where a token has no more, rounding takes one. */
const DUST_ROUNDING_BPS = 1_000

/**
 * What a node's simulation of one trade says against the token. It says nothing for it: it is one
 * size, now.
 */
export function judgeTrial({ buy, sell }: NodeTrial): Seen[] {
  const by = (seen: Seen): Seen => ({ ...seen, detail: `simulated by the node: ${seen.detail}` })
  if (!buy.ok) return [by({ id: 'buy-blocked', detail: buy.reason })]
  if (!sell.ok) return [by({ id: 'sell-blocked', detail: sell.reason })]
  return taxFinding(Math.max(buy.taxBps, sell.taxBps)).map(by)
}

/**
 * What a later window shows that none before it did, as bad as if it were so now. A window that is
 * hostile is told as such.
 */
export function beginsLater(
  windows: readonly JudgedWindow[],
  { extensions: { transferFee } }: Pick<Mint, 'extensions'>,
  epoch: bigint,
): (Seen & { begins?: WindowLabel })[] {
  const [now] = windows
  const isScheduled = transferFee !== undefined && transferFee.newer.epoch > epoch
  const since = isScheduled ? `, from epoch ${transferFee.newer.epoch} on` : ''
  return windows.flatMap(({ label, hostile, seen }, i) => {
    if (i === 0 || hostile) return []
    const before = windows.slice(0, i).flatMap((window) => window.seen)
    const isNew = (each: Seen) => !before.some(({ id, detail }) => id === each.id && detail === each.detail)
    return seen.filter(isNew).map(({ id, detail }) => ({
      id,
      detail: `in ${label.toLowerCase()}${TAXES.has(id) ? since : ''}: ${detail}`,
      ...(now?.seen.every((each) => each.id !== id) && { begins: label }),
    }))
  })
}

const TAXES: ReadonlySet<FindingId> = new Set(['tax', 'high-tax', 'confiscatory-tax'])

/** Whether something in a later window is hostile that is not now. */
export function isTimeDelayed(windows: readonly JudgedWindow[]): boolean {
  const [now, ...laterWindows] = windows
  return now !== undefined && !now.hostile && laterWindows.some(({ hostile }) => hostile)
}

/**
 * Why the exchange itself refused all trades, where the token would have allowed them; empty when
 * it did. What the token's own programs refuse here may be due to us: a hook that looks at the
 * amount cannot be asked before the exchange has said how much it is.
 */
export function poolRefusal({ windows }: PlayFacts, exchange: SolanaAddress): string {
  const swap = windows[0]?.swap
  return swap !== undefined && !swap.buy.ok && swap.buy.reason.startsWith(exchange) ? swap.buy.reason : ''
}

import type { Finding } from '../../checks/finding.js'
import type { HoneypotFinding } from '../../checks/honeypot/findings.js'
import type { Part } from '../../checks/honeypot/partial-work.js'
import type { LaterTrade, SellOutcome, TradeDoubt, WindowVerdict } from '../../checks/honeypot/score.js'
import { levelOf } from '../../checks/levels.js'
import type { TradeReport } from '../../checks/trade/trade-report.js'
import type { Doubt } from '../verdict.js'

/** What trading in all windows showed. */
export interface TradeFacts {
  windows: readonly WindowVerdict[]
  later: LaterTrade | undefined
  findings: readonly HoneypotFinding[]
  isHoneypot: boolean
  isTimeHoneypot: boolean
  riskScore: number
  doubt: TradeDoubt | undefined
  unfinished: Part | undefined
}

const percent = (bps: number) => `${Math.round(bps / 10) / 10} %`

/** What trading it cost, and whether what was bought could be sold. */
export function findInTrade(trade: TradeFacts | undefined, round: TradeReport | undefined): Finding[] {
  return [
    ...(trade ? findInWindows(trade) : []),
    ...(round ? findInRoundTrip(round, trade) : []),
    ...(trade?.findings ?? []).flatMap(toFinding),
  ]
}

const SELLS: Record<Exclude<SellOutcome, 'whole'>, { headline: string; reason: string }> = {
  none: { headline: 'It can be bought and not sold.', reason: 'What is bought now cannot be sold.' },
  'nothing-delivered': {
    headline: 'Buying it brings nothing.',
    reason: 'A purchase takes the money and delivers no tokens.',
  },
  'in-parts': {
    headline: 'It can only be sold in parts.',
    reason: 'What is bought now can be sold in parts, and not all at once.',
  },
  'around-the-router': {
    headline: 'Exchanges cannot sell it.',
    reason: "It can be sold only by bringing the tokens to the pool by hand, which wallets and exchanges don't do.",
  },
}

function findInWindows({ windows: [now], later, isTimeHoneypot, riskScore }: TradeFacts): Finding[] {
  if (!now) return []
  const found = findAtOnce(now)
  if (!later) return found
  const when = later.label === undefined ? 'at a moment that its code names' : `in ${later.label.toLowerCase()}`
  if (!isTimeHoneypot) return [...findInLater(later, when), ...found]
  const lost = later.sells === 'whole' && later.sellTaxBps < FULL_BPS ? `costs ${percent(later.sellTaxBps)}` : 'fails'
  const reason = `It can be sold now; ${when}, selling ${lost}.`
  const headline = 'It cannot be sold later.'
  return [{ id: 'trade/time-honeypot', basis: 'observed', score: riskScore, headline, reason }, ...found]
}

/** A loss to come that leaves a part. */
function findInLater({ sells, buyTaxBps, sellTaxBps, riskScore: score }: LaterTrade, when: string): Finding[] {
  if (levelOf(score) === 'Safe') return []
  const isWhole = sells === 'whole' || sells === undefined
  const costs = `it keeps ${percent(buyTaxBps)} of a purchase and ${percent(sellTaxBps)} of a sale`
  return [
    {
      ...{ id: 'trade/later-loss', basis: 'observed', score },
      headline: isWhole ? 'It will cost more to trade.' : 'It will be harder to sell.',
      reason: `Trading costs less now; ${when} ${isWhole ? costs : 'what was bought cannot be sold whole'}.`,
    },
  ]
}

const FULL_BPS = 10_000

/** Of the trade itself; what other circumstances showed is told apart. */
function findAtOnce({ sells, buyTaxBps, sellTaxBps, isHostile, riskScore }: WindowVerdict): Finding[] {
  const costs = `It keeps ${percent(buyTaxBps)} of a purchase and ${percent(sellTaxBps)} of a sale.`
  if (sells !== undefined && sells !== 'whole')
    return [{ id: `trade/sells-${sells}`, basis: 'observed', score: riskScore, ...SELLS[sells] }]
  const score = taxScoreOf(buyTaxBps, sellTaxBps, riskScore)
  if (levelOf(score) === 'Safe') return []
  const headline = isHostile ? 'Trading it costs most of the money.' : 'It trades, and keeps a share.'
  return [{ id: 'trade/tax', basis: 'observed', score, headline, reason: costs }]
}

/**
 * A window's score holds what was found in other circumstances too; without a tax, none of it is
 * the tax's.
 */
const taxScoreOf = (buyTaxBps: number, sellTaxBps: number, riskScore: number) =>
  Math.max(buyTaxBps, sellTaxBps) > 0 ? riskScore : 0

function toFinding({ id, meaning, score }: HoneypotFinding): Finding[] {
  if (levelOf(score) === 'Safe') return []
  return [
    { id: `trade/${id}`, basis: 'observed', score, headline: HEADLINES[id] ?? `${meaning}.`, reason: `${meaning}.` },
  ]
}

const HEADLINES: Partial<Record<HoneypotFinding['id'], string>> = {
  crowd: 'Selling stops once others have bought.',
  'second-sell': 'Only one sale works.',
  'simulation-aware': 'It behaves otherwise when it is watched.',
  'router-blocked': SELLS['around-the-router'].headline,
  'pool-allowance': 'The pool can be emptied.',
  cooldown: 'It makes its buyers wait before they sell.',
}

/** As bad as a trap that has closed. */
const TRAPPED_SCORE = 100
/** An allowance that the trader never gave lets its spender take everything. */
const UNASKED_ALLOWANCE_SCORE = 80
/** Types in which allowances are kept; their largest value means without limit. */
const UNLIMITED: ReadonlySet<bigint> = new Set([96n, 128n, 160n, 256n].map((bits) => 2n ** bits - 1n))

/** What the round trip of another trader adds: a token may choose its victims. */
function findInRoundTrip(round: TradeReport, trade: TradeFacts | undefined): Finding[] {
  const found: Finding[] = []
  if (round.isHoneypot && trade?.isHoneypot !== true)
    found.push({ id: 'trade/sells-none', basis: 'observed', score: TRAPPED_SCORE, ...SELLS.none })
  if (round.allowanceChanges.some(({ delta }) => UNLIMITED.has(delta)))
    found.push({
      ...{ id: 'trade/unasked-allowance', basis: 'observed', score: UNASKED_ALLOWANCE_SCORE },
      headline: 'Trading it lets others spend your tokens.',
      reason: 'The trade gave another address an unlimited allowance that was not asked for.',
    })
  return found
}

/**
 * Why trading proved nothing, or not everything; a contract that is no token is not meant to be
 * traded.
 */
export function doubtsOfTrade({ doubt, unfinished }: Pick<TradeFacts, 'doubt' | 'unfinished'>): Doubt[] {
  if (doubt === undefined || doubt === 'no-token') return []
  const known = TRADE_DOUBTS[doubt]
  return [unfinished === undefined ? known : { ...known, reason: PARTS_LEFT[unfinished] }]
}

const LIMIT = 'because we met a limit of our own; what was traded before counts'
/** What was not traded to its end, and whose doing that is. */
const PARTS_LEFT: Record<Part, string> = {
  '24 Hours': `It was not traded to the end 24 hours from now, ${LIMIT}.`,
  '7 Days': `It was not traded to the end 7 days from now, ${LIMIT}.`,
  circumstances: `Not every other way to sell it was tried, ${LIMIT}.`,
}

const TRADE_DOUBTS: Record<Exclude<TradeDoubt, 'no-token'>, Doubt> = {
  'no-code': {
    headline: 'There is no contract here.',
    reason: 'The address has no code: it is an ordinary account, or nothing was deployed there yet.',
    isOurs: false,
  },
  'no-market': {
    headline: 'No market was found.',
    reason: 'No pool was found in which it could be traded, so that trading proves nothing.',
    isOurs: false,
  },
  'no-exchange': {
    headline: 'It cannot be judged here.',
    reason: 'The exchange that it would be traded on has no code on this chain as its node tells it.',
    isOurs: false,
  },
  'no-purchase': {
    headline: 'It cannot be bought now.',
    reason: 'It could not be bought, so that selling could not be tried.',
    isOurs: false,
  },
  'too-little': {
    headline: 'The amount is too small to judge.',
    reason: 'With the amount that was asked for, the pool itself refuses to trade, which says nothing about the token.',
    isOurs: false,
  },
  'not-measured': {
    headline: 'Its tax could not be measured.',
    reason: 'It was traded, and the pool kept no account of what it cost.',
    isOurs: false,
  },
  'other-pool': {
    headline: 'The named pool is not one of this token.',
    reason: 'The pool that was named is none of this token; it was traded in its deepest one.',
    isOurs: false,
  },
  'not-executable': {
    headline: 'It cannot be run here.',
    reason: 'Its code needs a feature of the chain that could not be executed here.',
    isOurs: false,
  },
  resisted: {
    headline: 'Its code resists analysis.',
    reason: 'Its code used up what a trade may cost, so that trading proves nothing.',
    isOurs: false,
  },
  unfinished: {
    headline: 'Our analysis did not finish.',
    reason: 'Our trade of it did not finish in time, which says nothing about it.',
    isOurs: true,
  },
}

import { FULL_BPS } from '../../dex/tax.js'
import { isHostileScore } from '../levels.js'
import { explainNoMarket } from '../trade/no-market.js'
import { sayTooLittle } from '../trade/suitable-amount.js'
import { HONEYPOT_TAX_BPS } from '../trade/trade-verdict.js'
import { findHoneypotFindings, type HoneypotFinding, ROUTER_BLOCKED_SCORE } from './findings.js'
import type { HoneypotFacts, SellFacts, WindowFacts } from './honeypot-facts.js'
import type { Part } from './partial-work.js'
import type { WindowLabel } from './windows.js'

/** What one instant is worth. Taxes in basis points, `riskScore` from 0 to 100, higher is worse. */
export interface TradeVerdict {
  buyTaxBps: number
  sellTaxBps: number
  riskScore: number
  isHostile: boolean
  /** How much of what was bought could be sold; `undefined` where nothing was bought. */
  sells: SellOutcome | undefined
  /** Why nothing, or not all, could be said; empty otherwise. */
  errorReason: string
}

/**
 * `around-the-router`: by bringing the tokens to the pool by hand. `nothing-delivered`: the
 * purchase brought no tokens.
 */
export type SellOutcome = 'whole' | 'in-parts' | 'around-the-router' | 'none' | 'nothing-delivered'

export interface WindowVerdict extends TradeVerdict {
  label: WindowLabel
}

/** The next moment at which trading is another thing than now. */
export interface NextChange extends TradeVerdict {
  /** Seconds since 1970. */
  timestamp: bigint
  /** Given when the height of the chain decides. */
  number: bigint | undefined
}

/** A moment to come, and the window that it is of: others are named by the token's code. */
export interface LaterTrade extends TradeVerdict {
  label?: WindowLabel
}

export interface HoneypotVerdict {
  windows: readonly WindowVerdict[]
  /** Of buying now: that of the worst moment, now or later. */
  riskScore: number
  buyTaxBps: number
  sellTaxBps: number
  isHoneypot: boolean
  isTimeHoneypot: boolean
  findings: readonly HoneypotFinding[]
  /** When trading is at its worst, or first hostile; absent where it is no worse than now. */
  later: LaterTrade | undefined
  /** Absent when no branch of the token is going to change what trading costs. */
  nextChange: NextChange | undefined
  /** Why trading proves nothing about this token; absent when it does. */
  inconclusive: string | undefined
  /** The same as a kind; `undefined` together with it. */
  doubt: TradeDoubt | undefined
  /**
   * What was not traded to its end, where a bound of ours ended the trade after its first window.
   */
  unfinished: Part | undefined
}

/**
 * Why trading proves nothing. `unfinished`: a bound of ours was met. `resisted`: the code exhausted
 * one.
 */
export type TradeDoubt =
  | 'no-code'
  | 'no-token'
  | 'no-market'
  | 'no-exchange'
  | 'no-purchase'
  | 'too-little'
  | 'not-measured'
  | 'other-pool'
  | 'not-executable'
  | 'resisted'
  | 'unfinished'

/**
 * Score of a tax, by straight lines between these points: [basis points, score]. Up to 10 % is
 * usual, half is the end of trading.
 */
const TAX_SCORES = [
  [0, 0],
  [1_000, 20],
  [2_500, 50],
  [4_000, 75],
  [HONEYPOT_TAX_BPS, 91],
  [FULL_BPS, 100],
] as const

/** A sell that works only in parts: annoying from half on, a trap from a hundredth on. */
const PARTIAL_SELL_SCORES = [
  { fromBps: 5_000, score: 40 },
  { fromBps: 1_000, score: 60 },
  { fromBps: 100, score: 85 },
] as const

/**
 * The one table from what trading showed to what it means. What could not be tried adds nothing,
 * and is said.
 */
export function judgeHoneypot(facts: HoneypotFacts): HoneypotVerdict {
  const findings = findHoneypotFindings(facts)
  const windows = facts.windows.map(judgeWindow).map((window, i) => (i === 0 ? withFindings(window, findings) : window))
  const [first] = windows
  const instants = facts.instants.map((instant) => ({
    timestamp: instant.timestamp,
    number: instant.number,
    ...judgeTrade(instant),
  }))
  const isTimeHoneypot =
    first !== undefined && !first.isHostile && [...windows, ...instants].some(({ isHostile }) => isHostile)
  const later = worstAfter(facts.windows[0], [...windows.slice(1), ...instants])
  const isHostile = windows.some((window) => window.isHostile)
  const doubt = whyInconclusive(facts) ?? (isHostile ? undefined : (whyUnmeasured(facts) ?? whyElsewhere(facts)))
  const { unfinished } = facts
  return {
    unfinished,
    windows,
    riskScore: Math.max(first?.riskScore ?? 0, later?.riskScore ?? 0),
    buyTaxBps: first?.buyTaxBps ?? 0,
    sellTaxBps: first?.sellTaxBps ?? 0,
    isHoneypot: first?.isHostile ?? false,
    isTimeHoneypot,
    later,
    nextChange: instants.find((instant) => first !== undefined && isOtherThan(first, instant)),
    findings,
    inconclusive: doubt?.text,
    doubt: doubt?.kind,
  }
}

/** A loss that is to come counts like one of today: it is paid by those who buy now. */
function worstAfter(now: WindowFacts | undefined, later: readonly LaterTrade[]): LaterTrade | undefined {
  const hostile = later.find(({ isHostile }) => isHostile)
  const worst = hostile ?? later.toSorted((a, b) => b.riskScore - a.riskScore)[0]
  return now && worst && worst.riskScore > judgeTrade(now).riskScore ? worst : undefined
}

/** What was found about selling now makes the first window worse, never better. */
function withFindings(window: WindowVerdict, findings: readonly HoneypotFinding[]): WindowVerdict {
  const riskScore = Math.max(window.riskScore, ...findings.map(({ score }) => score))
  return { ...window, riskScore, isHostile: isHostileScore(riskScore) }
}

const judgeWindow = ({ label, ...trade }: WindowFacts): WindowVerdict => ({ label, ...judgeTrade(trade) })

/** Taxes that differ by this much are not the same tax. Basis points. */
const CHANGE_BPS = 100

function isOtherThan(now: WindowVerdict, then: TradeVerdict): boolean {
  const changes = [now.buyTaxBps - then.buyTaxBps, now.sellTaxBps - then.sellTaxBps]
  return now.isHostile !== then.isHostile || changes.some((change) => Math.abs(change) >= CHANGE_BPS)
}

function judgeTrade({ bought, soldFresh, soldHeld }: Omit<WindowFacts, 'label'>): TradeVerdict {
  const sells = [soldFresh, soldHeld].filter((sell) => sell !== undefined)
  const buyTaxBps = bought.success ? (bought.taxBps ?? 0) : 0
  const deliversNothing = bought.success && soldFresh === undefined
  const riskScore = Math.max(taxScore(buyTaxBps), deliversNothing ? 100 : 0, ...sells.map(sellScore))
  return {
    buyTaxBps,
    sellTaxBps: Math.max(0, ...sells.map(({ taxBps }) => taxBps ?? 0)),
    riskScore,
    isHostile: isHostileScore(riskScore),
    sells: sellsOf(bought.success, sells),
    errorReason: [
      bought.success ? '' : `buy ${bought.errorReason}`,
      ...sells.map(({ errorReason }) => errorReason && `sell ${errorReason}`),
    ]
      .filter((reason, i, all) => reason !== '' && all.indexOf(reason) === i)
      .join('; '),
  }
}

const SELL_ORDER: readonly SellOutcome[] = ['whole', 'in-parts', 'around-the-router', 'none']

/** The worse of the sells of one instant. */
function sellsOf(isBought: boolean, sells: readonly SellFacts[]): SellOutcome | undefined {
  const [worst] = sells.map(sellOutcome).toSorted((a, b) => SELL_ORDER.indexOf(b) - SELL_ORDER.indexOf(a))
  return worst ?? (isBought ? 'nothing-delivered' : undefined)
}

function sellOutcome({ success, worksDirectly, restIsStuck, largestSellableBps }: SellFacts): SellOutcome {
  if (success) return 'whole'
  if (worksDirectly) return 'around-the-router'
  return restIsStuck || largestSellableBps === 0 ? 'none' : 'in-parts'
}

function sellScore({ success, taxBps, largestSellableBps, restIsStuck, worksDirectly }: SellFacts): number {
  if (success) return taxScore(taxBps ?? 0)
  if (worksDirectly) return ROUTER_BLOCKED_SCORE
  if (restIsStuck) return 100
  return PARTIAL_SELL_SCORES.find(({ fromBps }) => largestSellableBps >= fromBps)?.score ?? 100
}

function taxScore(taxBps: number): number {
  const upper = TAX_SCORES.findIndex(([bps]) => bps >= taxBps)
  const [toBps, toScore] = TAX_SCORES[upper] ?? [FULL_BPS, 100]
  const [fromBps, fromScore] = TAX_SCORES[upper - 1] ?? [0, 0]
  if (toBps === fromBps) return toScore
  return Math.round(fromScore + ((toScore - fromScore) * (taxBps - fromBps)) / (toBps - fromBps))
}

interface Reservation {
  kind: TradeDoubt
  text: string
}

function whyInconclusive(facts: HoneypotFacts): Reservation | undefined {
  const { kind, market, windows, missingVenues, leastAmount, unfinished } = facts
  if (kind === 'account') return { kind: 'no-code', text: 'The address has no code' }
  if (kind === 'contract') return { kind: 'no-token', text: 'The contract is not a token' }
  if (!market) {
    return {
      kind: missingVenues.some(({ hasPool }) => hasPool) ? 'no-exchange' : 'no-market',
      text: explainNoMarket(facts).sentence,
    }
  }
  if (leastAmount !== undefined) return { kind: 'too-little', text: sayTooLittle(leastAmount) }
  if (unfinished !== undefined) return { kind: 'unfinished', text: sayUnfinished(unfinished) }
  const [first] = windows
  if (!first || first.bought.success) return undefined
  return { kind: 'no-purchase', text: `The token cannot be bought now: ${first.bought.errorReason}` }
}

/**
 * Our bound is for all of the trade together, so that where it is met says little about the token,
 * and nothing about what came before.
 */
function sayUnfinished(part: Part): string {
  const what = part === 'circumstances' ? 'not every other way to sell was tried' : `the window "${part}" is not whole`
  return `Our analysis met its own limit, and ${what}; what was traded before counts`
}

/**
 * A trade that worked at an unknown cost is no proof of a low tax; where harm is proven, it does
 * not matter.
 */
function whyUnmeasured({ windows }: HoneypotFacts): Reservation | undefined {
  const unmeasured = windows.find(isUnmeasured)
  if (!unmeasured) return undefined
  const text = `The tax could not be measured (${unmeasured.label}): the pool kept no account of the trade`
  return { kind: 'not-measured', text }
}

/** What was asked about another pool stays unknown, whatever this one showed. */
const whyElsewhere = ({ isOtherPool }: HoneypotFacts): Reservation | undefined =>
  isOtherPool
    ? { kind: 'other-pool', text: 'The pool that was named is none of this token: its deepest one was judged' }
    : undefined

function isUnmeasured({ bought, soldFresh, soldHeld }: WindowFacts): boolean {
  return [bought, soldFresh, soldHeld].some((trade) => trade?.success === true && trade.taxBps === undefined)
}

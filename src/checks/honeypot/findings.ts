import { FULL_BPS } from '../../dex/tax.js'
import { HONEYPOT_TAX_BPS } from '../trade/trade-verdict.js'
import type { Cause } from './explain-cause.js'
import type { HoneypotFacts, OtherMarketFacts, ProbeFacts, SellFacts } from './honeypot-facts.js'

/** Something about selling that the taxes alone do not say. */
export interface HoneypotFinding {
  id:
    | ProbeFacts['name']
    | 'cooldown'
    | 'router-blocked'
    | 'simulation-aware'
    | 'sells-elsewhere'
    | 'blocked-elsewhere'
    | 'pool-allowance'
    | 'simulated-liquidity'
  /** What it means for a buyer, in our own words. */
  meaning: string
  /** What was seen, with addresses and the contract's own words. */
  detail: string
  /** 0 to 100: what it makes of the risk now. */
  score: number
  /** The branch that decided, where one was found. */
  cause?: Cause
}

interface ProbeMeaning {
  score: number
  text: string
  /** Where it does not work at all, if that is another thing than to take most of the money. */
  refused?: { score: number; text: string }
}

/**
 * What it means when a sell works for an ordinary trader and not, or at a loss, in these
 * circumstances.
 */
const PROBE_MEANINGS: Record<ProbeFacts['name'], ProbeMeaning> = {
  crowd: { score: 95, text: 'Sells stop working, or cost most of the money, once others have traded' },
  'other-sellers': { score: 95, text: 'Whether a sell works depends on the address of the wallet' },
  rally: { score: 95, text: 'Sells stop working, or cost most of the money, once the price has risen' },
  slump: { score: 95, text: 'Sells stop working, or cost most of the money, once the price has fallen' },
  'second-sell': { score: 91, text: 'Only some sells work; what is left stays' },
  'second-purchase': { score: 91, text: 'Who buys twice cannot sell' },
  'unlimited-approval': { score: 95, text: 'Sells work only with an approval of the exact amount' },
  'other-approval': { score: 95, text: 'Who let another spender use his tokens cannot sell' },
  'other-means': { score: 95, text: 'Whether a sell works depends on what else the wallet owns' },
  // A way that is closed takes nothing from those who go another one.
  'other-route': {
    score: 90,
    text: 'Sells cost most of the money unless they go through one router',
    refused: { score: 15, text: 'Sells work only through some routers' },
  },
  // A delegation can be taken back, and tokens can be sent to a plain wallet.
  'delegated-account': {
    score: 95,
    text: 'Sells cost most of the money for wallets that let code act for them (EIP-7702)',
    refused: { score: 60, text: 'Wallets that let code act for them (EIP-7702) cannot sell' },
  },
  'contract-wallet': {
    score: 90,
    text: 'Wallets that are contracts can buy, and a sell costs them most of the money',
    refused: { score: 60, text: 'Wallets that are contracts can buy and not sell' },
  },
  // What has not been done yet, by those who know how.
  'hidden-command': {
    score: 85,
    text: 'A transfer or approval that only its maker knows stops sells, or takes most of the money; what it writes was set',
  },
  'no-tip': { score: 95, text: 'Sells depend on the gas price' },
  'other-tip': { score: 95, text: 'Sells depend on the gas price' },
  'plentiful-gas': { score: 95, text: 'Sells depend on how much gas is sent' },
  'estimated-gas': { score: 95, text: 'Sells depend on how much gas is sent' },
  'everyday-sale': {
    score: 95,
    text: 'Sells stop working, or cost most of the money, as most wallets make them: approved without limit, with the gas that a node estimates, once others have traded',
  },
  'block-values': { score: 95, text: 'Whether a sell works depends on the block that it lands in' },
  'sent-coins': { score: 95, text: 'Sells stop working, or cost most of the money, once the contract was sent coins' },
  'sent-tokens': {
    score: 95,
    text: 'Sells stop working, or cost most of the money, once the pool was sent other tokens',
  },
  'open-call': { score: 95, text: 'Any address can make sells stop working, or cost most of the money' },
  'later-code': { score: 80, text: 'Sells ask an address that has no code yet, and work only as long as it has none' },
  'added-liquidity': { score: 95, text: 'Sells stop working, or cost most of the money, once others add liquidity' },
  later: { score: 95, text: 'Sells stop working, or cost most of the money, later' },
  'large-holding': { score: 95, text: 'A wallet that holds much cannot sell even a little' },
  // What is held can be sold in parts.
  'large-sell': { score: 85, text: 'A large sell costs most of the money' },
  // Nor does it harm who sells all that was bought.
  'small-sell': { score: 5, text: 'A small sell does not work, or costs most of the money' },
  gift: { score: 60, text: 'A wallet that was given tokens by another one cannot sell them' },
  // Any wallet can, and few know that they have to.
  'after-own-call': {
    score: 10,
    text: 'Some wallets have to call a free function before they can sell',
  },
  // A launch-time brake on bots does the same to no honest seller.
  'high-gas-price': { score: 15, text: 'Sells at a high gas price are refused' },
}

/**
 * Cooldowns up to this many seconds, and what they are worth. Longer ones show as blocked sells.
 */
const COOLDOWN_SCORES = [
  { upToSeconds: 300, score: 5 },
  { upToSeconds: 3_600, score: 25 },
]

/**
 * A probe that pays this much more tax than the ordinary sell is not the same sell. Basis points.
 */
export const DIVERGENCE_BPS = 2_500

export function findHoneypotFindings({
  windows,
  probes,
  naive,
  divergence,
  otherMarkets,
  poolAllowance,
  provided,
}: HoneypotFacts): HoneypotFinding[] {
  const ordinary = windows[0]?.soldFresh
  if (!ordinary) return tellProvided(provided)
  return [
    ...tellProvided(provided),
    ...probes.flatMap((probe) => judgeProbe(probe, ordinary)),
    ...judgeCooldown(ordinary),
    ...judgeRouter(ordinary),
    ...judgeNaive(ordinary, naive, divergence),
    ...otherMarkets.flatMap((other) => judgeOther(ordinary, other)),
    ...judgePoolAllowance(poolAllowance),
  ]
}

/** No risk by itself: where the trade was made. */
function tellProvided(provided: HoneypotFacts['provided']): HoneypotFinding[] {
  if (!provided) return []
  const { provider, tokenAmount, nativeAmount } = provided
  const detail = `No pool was found; one was made on a copy of the chain with ${tokenAmount} base units of ${provider} and ${nativeAmount} wei`
  return [
    { id: 'simulated-liquidity', score: 0, meaning: 'No pool was found; one was made on a copy of the chain', detail },
  ]
}

/**
 * Sells work as long as a holder leaves the pool alone: not a trap that has closed, and one that
 * needs no further step.
 */
const POOL_ALLOWANCE_SCORE = 90
/** Who may take less than this share cannot empty the pool. Basis points. */
const GRAVE_POOL_SHARE_BPS = 1_000
const SMALL_POOL_ALLOWANCE_SCORE = 40

function judgePoolAllowance(allowance: HoneypotFacts['poolAllowance']): HoneypotFinding[] {
  if (!allowance) return []
  const { spender, shareBps } = allowance
  const score = shareBps >= GRAVE_POOL_SHARE_BPS ? POOL_ALLOWANCE_SCORE : SMALL_POOL_ALLOWANCE_SCORE
  const may = `may take ${shareBps / 100} % of the pool's tokens without trading`
  return [{ id: 'pool-allowance', score, meaning: `One address ${may}`, detail: `${spender} ${may}` }]
}

/** A trade in the judged pool does not meet it; one through an aggregator may. */
const ELSEWHERE_SCORE = 30

function judgeOther(ordinary: SellFacts, { venue, pool, sold }: OtherMarketFacts): HoneypotFinding[] {
  if (!sold) return []
  const [here, there] = [lossOf(ordinary) < HONEYPOT_TAX_BPS, lossOf(sold) < HONEYPOT_TAX_BPS]
  if (here === there) return []
  const where = `in the pool ${pool} (${venue})`
  if (there)
    return [{ id: 'sells-elsewhere', score: 0, meaning: 'Sells work in another pool', detail: `Sells work ${where}` }]
  const why = sold.errorReason || `tax ${((sold.taxBps ?? 0) * 100) / FULL_BPS} %`
  const detail = `Sells do not work ${where}: ${why}`
  return [{ id: 'blocked-elsewhere', score: ELSEWHERE_SCORE, meaning: 'Sells do not work in another pool', detail }]
}

/** What a way around the router is worth: only a machine takes it. */
export const ROUTER_BLOCKED_SCORE = 90

function judgeRouter({ worksDirectly, errorReason }: SellFacts): HoneypotFinding[] {
  if (!worksDirectly) return []
  const detail = `The router cannot sell (${errorReason}); tokens brought to the pool by hand can be sold`
  const meaning = "The exchange's router cannot sell it, which wallets and exchanges use"
  return [{ id: 'router-blocked', score: ROUTER_BLOCKED_SCORE, meaning, detail }]
}

/** A token that tells an artificial world from a real one, and is the worse in the real one. */
const DECEIVING_SCORE = 95
/** It is worse in the artificial one: odd, and no harm to any holder. */
const CAUTIOUS_SCORE = 15

function judgeNaive(
  ordinary: SellFacts,
  naive: SellFacts | undefined,
  divergence: Cause | undefined,
): HoneypotFinding[] {
  if (!naive) return []
  const difference = lossOf(ordinary) - lossOf(naive)
  if (Math.abs(difference) < DIVERGENCE_BPS) return []
  const [score, text] =
    difference > 0
      ? [DECEIVING_SCORE, 'Sells go through in a simulated world and not, or not as well, in a real one']
      : [CAUTIOUS_SCORE, 'Sells fail in a world with free gas and an empty block header']
  if (!divergence) return [{ id: 'simulation-aware', score, meaning: text, detail: text }]
  const { address, pc, reason } = divergence
  const detail = `${text}: at pc ${pc} of ${address}, in the real one, ${reason}`
  return [{ id: 'simulation-aware', score, meaning: text, detail, cause: divergence }]
}

/** What a sell loses, basis points: all of it when it fails. */
export const lossOf = ({ success, taxBps }: SellFacts) => (success ? (taxBps ?? 0) : FULL_BPS)

function judgeProbe({ name, sold, meaning }: ProbeFacts, ordinary: SellFacts): HoneypotFinding[] {
  const known = PROBE_MEANINGS[name]
  const { score, text: general } = (!sold.success && known.refused) || known
  const text = meaning ?? general
  if (!sold.success) return [{ id: name, score, meaning: text, detail: `${text}: ${sold.errorReason}` }]
  const [tax, usual] = [sold.taxBps ?? 0, ordinary.taxBps ?? 0]
  if (tax < usual + DIVERGENCE_BPS) return []
  return [
    {
      id: name,
      score: tax >= HONEYPOT_TAX_BPS ? score : Math.min(score, HARSH_TAX_SCORE),
      meaning: text,
      detail: `${text}: tax ${(tax * 100) / FULL_BPS} %`,
    },
  ]
}

/** A tax that is harsh in some circumstances, and still leaves more than half. */
const HARSH_TAX_SCORE = 70

function judgeCooldown({ waitedSeconds }: SellFacts): HoneypotFinding[] {
  if (waitedSeconds === 0) return []
  const score = COOLDOWN_SCORES.find(({ upToSeconds }) => waitedSeconds <= upToSeconds)?.score ?? 0
  const meaning = `Sells work from ${waitedSeconds} seconds after the purchase`
  return [{ id: 'cooldown', score, meaning, detail: meaning }]
}

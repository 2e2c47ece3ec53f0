import { largerOf } from '../../bigints.js'
import { buy, sell, transfer } from '../../dex/legs.js'
import { FULL_BPS, taxBps } from '../../dex/tax.js'
import { ADDRESS_MASK } from '../../hex.js'
import { onBranch } from '../on-branch.js'
import { failureReason } from '../trade/failure-reason.js'
import { findSmallerSell } from '../trade/smaller-sells.js'
import type { Acted } from './act.js'
import { listJudges } from './hostile-code.js'
import { type Ledger, runsHostileCode } from './ledger.js'
import { LEAST_RISE_BPS, lookAtLater } from './look-later.js'
import type { EffectKind } from './power.js'
import type { Buyer, Stage } from './stage.js'

/** Harm that a call did to those who bought before it. */
export interface Effect {
  kind: EffectKind
  lossBps: number
  /** What happened, in words. */
  outcome: string
  /** Of refused sells: whether a purchase was seen to work after the call. */
  purchasesGoOn?: boolean
}

/** What a call was about, as far as the answer depends on it. */
export interface Circumstance {
  /** The call has an argument that may be a limit. */
  hasNumber: boolean
}

/** Balances that differ by less are rounding. */
const LEAST_LOSS_BPS = 100

const percent = (bps: number) => `${bps / 100} %`

/** All harm that can be seen on the fork after a holder's call. Leaves the fork as it is. */
export function look(stage: Stage, before: Ledger, after: Ledger, acted: Acted, about: Circumstance): Effect[] {
  const { fork, token, hostile } = stage
  const isPointed = [...acted.writes.values()].some((slots) =>
    [...slots.values()].some(
      ({ after: word }) =>
        (word & ADDRESS_MASK) === BigInt(hostile) || ((word >> 8n) & ADDRESS_MASK) === BigInt(hostile),
    ),
  )
  if (isPointed && runsHostileCode(stage)) {
    return [
      {
        kind: 'replaces-code',
        lossBps: FULL_BPS,
        outcome: 'the token then ran code that we had put in place of its own',
      },
    ]
  }
  if (fork.evm.code(token).length === 0)
    return [{ kind: 'destroys', lossBps: FULL_BPS, outcome: 'the contract was gone' }]
  const books = [...lookAtBooks(stage, before, after, acted)]
  // A holder that has less, or got something, does not show what others meet when they sell.
  const isSame = (['buyer', 'pool', 'fresh', 'bystander'] as const).every(
    (who) => after[who] === before[who] || after[who] === (before[who] ?? 0n) + LARGEST_GIFT,
  )
  return isSame && isRelevant(stage, acted) ? [...books, ...lookAtTrade(stage, about, isPointed)] : books
}

/**
 * Balances are in mappings, whose words lie at hashes. A counter of what is still to be given away
 * pays for nothing.
 */
const LAST_SCALAR_SLOT = 1n << 64n
/** What a gift may bring those whose trades are looked at. Base units. */
const LARGEST_GIFT = 1n

/** Whether the call changed anything that trading reads. */
function isRelevant({ reads }: Stage, { writes }: Acted): boolean {
  for (const [address, slots] of writes) {
    const read = reads.get(address)
    if (read !== undefined) for (const slot of slots.keys()) if (read.has(slot)) return true
  }
  return false
}

/** Balances and allowances alone. */
export function lookAtBooks(stage: Stage, before: Ledger, after: Ledger, acted: Acted): Effect[] {
  const { writes } = acted
  const found: Effect[] = []
  // What the holder gives away of its own is none that came out of nothing.
  const given = (['buyer', 'holder', 'fresh', 'hostile'] as const).reduce(
    (sum, who) => sum + rise(before[who], after[who]),
    0n,
  )
  const grown = largerOf(given - fall(before.holder, after.holder), 0n)
  const lost = fall(before.buyer, after.buyer)
  const lostBps = taxBps(before.buyer ?? 0n, after.buyer ?? 0n) ?? 0
  if (lost > 0n && lostBps >= LEAST_LOSS_BPS) {
    const kind = grown >= lost / 2n ? 'moves-balance' : 'burns-balance'
    const verb = kind === 'moves-balance' ? 'went to others' : 'vanished'
    found.push({
      kind,
      lossBps: lostBps,
      outcome: `${percent(lostBps)} of the buyer's balance ${verb} without the buyer's consent`,
    })
  }
  const drained = taxBps(before.pool ?? 0n, after.pool ?? 0n) ?? 0
  if (drained >= LEAST_LOSS_BPS) {
    found.push({
      kind: 'pulls-liquidity',
      lossBps: drained,
      outcome: `${percent(drained)} of the pool's tokens were taken out of it`,
    })
  }
  const isPaidFor = [...(writes.get(stage.token) ?? [])].some(
    ([slot, word]) => slot > LAST_SCALAR_SLOT && grown > 0n && word.before - word.after === grown,
  )
  if (lost === 0n && drained === 0 && grown > 0n && !isPaidFor) {
    const pool = after.pool ?? stage.market.pool.tokenReserve
    const share = Number((grown * BigInt(FULL_BPS)) / (grown + pool))
    const isSeen = after.supply !== before.supply || isAnnounced(stage, acted)
    const counted = isSeen ? '' : ', and neither the total supply nor any event shows it'
    if (share > 0)
      found.push({
        kind: isSeen ? 'mints' : 'mints-unseen',
        lossBps: share,
        outcome: `${amountOf(grown, before.supply)} came out of nothing, enough to take ${percent(share)} of what the pool pays with${counted}`,
      })
  }
  const granted = after.allowances.some((allowance, i) => rise(before.allowances[i], allowance) > 0n)
  if (granted) {
    found.push({
      kind: 'takes-allowance',
      lossBps: FULL_BPS,
      outcome: 'an allowance over tokens of others was granted without their consent',
    })
  }
  return found
}

/** keccak256("Transfer(address,address,uint256)"): explorers show new tokens by it. */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

const isAnnounced = ({ token }: Stage, { logs }: Acted) =>
  logs.some(({ address, topics }) => address === token && topics[0] === TRANSFER_TOPIC)

/** In words that a person can weigh. */
function amountOf(grown: bigint, supply: bigint | undefined): string {
  if (!supply) return `${grown} base units`
  if (grown >= supply * MANY) return `more than ${MANY} times the supply`
  return grown >= supply ? `${grown / supply} times the supply` : `${grown} base units`
}

const MANY = 1_000n

const rise = (before: bigint | undefined, after: bigint | undefined) =>
  before !== undefined && after !== undefined && after > before ? after - before : 0n
const fall = (before: bigint | undefined, after: bigint | undefined) => rise(after ?? 0n, before)

/** What became of trading, on the fork as it is. */
export function lookAtTrade(stage: Stage, about: Circumstance, isPointed: boolean): Effect[] {
  const found = lookAtHolders(stage, about, isPointed)
  return found.length > 0 || !stage.marksBuyers ? found : lookAtLater(stage)
}

/** What became of those who bought before. */
function lookAtHolders(stage: Stage, about: Circumstance, isPointed: boolean): Effect[] {
  const { buyer, baseline, newcomer } = stage
  const sold = trySell(stage, buyer)
  if (!sold.success) return [explainBlock(stage, about, isPointed, sold.reason)]
  if (sold.taxBps !== undefined && sold.taxBps >= baseline.sellTaxBps + LEAST_RISE_BPS) {
    return [
      {
        kind: 'raises-tax',
        lossBps: sold.taxBps,
        outcome: `the sell tax was ${percent(sold.taxBps)} instead of ${percent(baseline.sellTaxBps)}`,
      },
    ]
  }
  if (baseline.transferTaxBps === undefined) return []
  stage.effort.trades += 1
  // To an account that did not make the call: what a caller wants to be sent is the caller's own
  // affair.
  const moved = onBranch(stage, () => transfer(buyer.context, newcomer.trader.address, buyer.held))
  if (!moved.success) {
    return [
      {
        kind: 'blocks-transfers',
        lossBps: TRANSFER_LOSS_BPS,
        outcome: 'the buyer could sell, and not move the tokens to another wallet',
      },
    ]
  }
  const rose = (moved.taxBps ?? 0) >= baseline.transferTaxBps + LEAST_RISE_BPS
  return rose
    ? [
        {
          kind: 'raises-transfer-tax',
          lossBps: Math.min(moved.taxBps ?? 0, TRANSFER_LOSS_BPS),
          outcome: `a transfer between wallets cost ${percent(moved.taxBps ?? 0)}`,
        },
      ]
    : []
}

/** A holder that can still sell has not lost what cannot be moved between wallets. */
const TRANSFER_LOSS_BPS = 2_500

/** What the buyer has left is sold. */
export function trySell(
  stage: Stage,
  { context, held }: Buyer,
): { success: boolean; taxBps: number | undefined; reason: string } {
  stage.effort.trades += 1
  const { success, taxBps: tax, sent } = onBranch(stage, () => sell(context, held))
  return { success, taxBps: tax, reason: success ? '' : failureReason(sent.call, stage.token) }
}

/** Sells are refused: of how much, to which pool, and does the token still take buyers? */
function explainBlock(stage: Stage, { hasNumber }: Circumstance, isPointed: boolean, reason: string): Effect {
  const { buyer, bystander, newcomer, amount, effort } = stage
  const whole = { lossBps: FULL_BPS }
  const blocksSells = { ...whole, kind: 'blocks-sells', purchasesGoOn: true } as const
  if (trySell(stage, bystander).success) {
    return {
      ...whole,
      kind: 'blocks-account',
      outcome: `the buyer's sell was refused, others went on selling (${reason})`,
    }
  }
  if (hasNumber) {
    effort.trades += SMALLER_TRADES
    const { shareBps, restIsStuck } = findSmallerSell(buyer.context, buyer.held)
    if (shareBps > 0 && !restIsStuck) {
      return {
        kind: 'lowers-limit',
        lossBps: FULL_BPS - shareBps,
        outcome: `no more than ${percent(shareBps)} of what was bought could be sold at once`,
      }
    }
  }
  effort.trades += 1
  const bought = onBranch(stage, () => buy(newcomer, amount))
  if (bought.success && bought.tokenDelta > 0n)
    return { ...blocksSells, outcome: `all sells were refused while purchases went on (${reason})` }
  if (isPointed && canBeJudged(stage))
    return {
      ...blocksSells,
      outcome: 'a contract that was named in this call refused all sells while purchases went on',
    }
  return { ...whole, kind: 'stops-trading', outcome: `all purchases and sells were refused (${reason})` }
}

/**
 * Whether code of ours in the named place can refuse sells and let purchases go on: what refuses
 * everything does not show that.
 */
function canBeJudged(stage: Stage): boolean {
  const { fork, hostile, market, token, newcomer, amount, buyer, bystander, effort } = stage
  return listJudges(market.pool.address, token).some((code) =>
    onBranch(stage, () => {
      fork.evm.setCode(hostile, code)
      effort.trades += 1
      const bought = onBranch(newcomer, () => buy(newcomer, amount))
      if (!bought.success || bought.tokenDelta <= 0n) return false
      return !trySell(stage, buyer).success && !trySell(stage, bystander).success
    }),
  )
}

/** Sells that the search for a smaller one takes in general. */
const SMALLER_TRADES = 4

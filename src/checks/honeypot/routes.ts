import type { TradeContext } from '../../dex/legs.js'
import type { Decisions } from '../../evm/inspectors/decisions.js'
import { ADDRESS_MASK, type Address, toPaddedHex } from '../../hex.js'
import { wait } from '../../simulation/fork-verbs.js'
import { solveLeaf } from '../../simulation/solve-leaf.js'
import { holds, readLedger } from '../conditions/balance-words.js'
import { conditionsOf, keyOf, leavesOf } from '../conditions/conditions.js'
import { onBranch } from '../on-branch.js'
import { anotherRouter, type DirectSale, sellBroughtBy } from '../trade/direct-sell.js'
import { sellPaidBy } from '../trade/payer-sell.js'
import { DIVERGENCE_BPS, lossOf } from './findings.js'
import type { ProbeFacts, SellFacts } from './honeypot-facts.js'
import { failedSell, SOLD } from './play-window.js'

/** Spenders that one token may compare with, or look up, which are played besides. */
const MAX_SPENDERS = 6
/** That an ordinary sale takes more than one without approval. */
const APPROVAL_BLOCKS = 2
const MAX_PRECOMPILE = 0xffffn

/**
 * What wallets and aggregators let spend tokens beside an exchange's router: Permit2, 1inch (two
 * versions), 0x, MetaMask's swaps, Uniswap's SwapRouter02.
 */
const WELL_KNOWN: readonly Address[] = [
  '0x000000000022d473030f116ddee9f6b43ac78ba3',
  '0x1111111254eeb25477b68fb85ed929f73a960582',
  '0x111111125421ca6dc452d289314280a0f8842a65',
  '0xdef1c0ded9bec7f1a1670819833240f027b25eff',
  '0x881d40237659c251811cec9c364ef91dc08d300c',
  '0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45',
]

/**
 * Sells by other ways than the exchange's router, as aggregators, other routers and bots do: by a
 * contract that no token has met, by spenders that this token compares with or looks up, and by the
 * holder's own transfer to the pool. The way that takes most; where none takes much, one that is
 * refused.
 */
export function sellByOtherRoutes(
  context: TradeContext,
  held: bigint,
  { sold, observed }: { sold: SellFacts; observed: Decisions },
): ProbeFacts[] {
  const play = (sellIt: () => DirectSale | undefined) => {
    const done = onBranch(context, () => {
      // Who has just bought may have to wait, whichever way he goes; an approval took time as well.
      const { fork } = context
      if (sold.waitedSeconds > 0) wait(fork, sold.waitedSeconds * 1_000 + APPROVAL_BLOCKS * fork.chain.blockTimeMs)
      return sellIt()
    })
    return done ? [done] : []
  }
  const another = anotherRouter(context)
  const first = play(() => sellBroughtBy(context, held, another) ?? sellPaidBy(context, held, another))
  const others = first.length === 0 ? [] : findSpenders(context, observed)
  // A forwarder (ERC-2771) or a proxy's administrator is named as well, and no router: that it is
  // refused says nothing of sales.
  const counts = (spender: Address, { success }: DirectSale) => success || WELL_KNOWN.includes(spender)
  const sellBy = (spender: Address) => {
    context.fork.evm.addStranger(spender)
    return sellBroughtBy(context, held, spender) ?? sellPaidBy(context, held, spender)
  }
  const sales = [
    ...first,
    ...play(() => sellBroughtBy(context, held, 'seller')),
    ...others.flatMap((spender) => play(() => sellBy(spender)).filter((sale) => counts(spender, sale))),
  ].map(toSell)
  const worst = sales.filter(({ success }) => success).toSorted((a, b) => lossOf(b) - lossOf(a))[0]
  if (worst && lossOf(worst) >= lossOf(sold) + DIVERGENCE_BPS) return [{ name: 'other-route', sold: worst }]
  const refused = sales.find(({ success }) => !success)
  return refused ? [{ name: 'other-route', sold: refused }] : []
}

const toSell = ({ success, taxBps, errorReason }: DirectSale): SellFacts =>
  success ? { ...SOLD, taxBps } : failedSell(errorReason)

/**
 * Spenders that conditions of the sale name, or with which they come out otherwise; those that are
 * well known where the token looks its spender up in a list of its own.
 */
function findSpenders(context: TradeContext, observed: Decisions): Address[] {
  const { market, trader } = context
  const { spender } = market.venue
  if (spender === undefined) return []
  const own = BigInt(spender)
  const ledger = readLedger(context, trader.address)
  const conditions = conditionsOf(context, observed)
  const named = conditions.flatMap(({ condition }) =>
    leavesOf(condition).flatMap((leaf) =>
      leaf.kind === 'environment' && leaf.name === 'CALLER' && leaf.value === own
        ? solveLeaf(condition, (each) => keyOf(each) === keyOf(leaf), own)
        : [],
    ),
  )
  const looksUp = conditions.some(({ condition }) =>
    leavesOf(condition).some(
      (leaf) => leaf.kind === 'slot' && leaf.entry?.key === own && !holds(ledger, leaf.address, leaf.slot),
    ),
  )
  const parties = [spender, market.venue.router, market.pool.address, market.pool.token, trader.address]
  const found = [
    ...named
      .filter((value) => value > MAX_PRECOMPILE && value <= ADDRESS_MASK)
      .map((value): Address => toPaddedHex(value, 20)),
    ...(looksUp ? WELL_KNOWN : []),
  ]
  return [...new Set(found)].filter((each) => !parties.includes(each)).slice(0, MAX_SPENDERS)
}

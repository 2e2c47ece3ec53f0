import type { SolanaAddress } from '../../../solana/address.js'
import type { Pool } from '../../../solana/pools/pool.js'
import { sideOf } from '../../../solana/pools/read-pool.js'
import { isVerified, SWAP_ADAPTERS, sendSwap } from '../../../solana/pools/swap.js'
import type { SwapLeg } from '../../../solana/pools/swap-request.js'
import type { Fork } from '../../../solana/svm/fork.js'
import { type Mint, parseMint } from '../../../solana/token/mint.js'
import { amountIn } from '../../../solana/token/token-account.js'
import type { People } from './people.js'
import type { LegFacts, SwapFacts } from './play-facts.js'
import { type Actor, failedLeg, give, hookMetas, measure, openAccount, taxBps } from './play-stage.js'

/**
 * An account that can trade in a pool: with an account for the token, and one for what it is priced
 * in.
 */
export interface SwapStage {
  pool: Pool
  mint: Mint
  quote: Mint
  trader: Actor
  purse: Actor
  people: People
}

/**
 * Prepares real swaps; `undefined` when the pool's exchange is not one that can be played, or does
 * not trade the token.
 */
export function setUpSwap(
  fork: Fork,
  pool: Pool | undefined,
  mint: Mint,
  { trader, people }: { trader: Actor; people: People },
): SwapStage | undefined {
  if (pool === undefined || SWAP_ADAPTERS[pool.venue] === undefined) return undefined
  const side = sideOf(pool, mint.address)
  const quoteAddress = side === undefined ? undefined : pool.mints[1 - side]
  if (quoteAddress === undefined) return undefined
  fork.account(pool.program)
  const quote = parseMint(quoteAddress, fork.account(quoteAddress))
  if (quote === undefined) return undefined
  return { pool, mint, quote, trader, purse: openAccount(fork, quote, trader), people }
}

/**
 * Buys for a thousandth of the pool's reserve and sells all that came of it. Leaves the fork
 * changed. `undefined` where no instruction can be made for this pool or this token, and when it
 * fails on an exchange whose swaps were never seen to work: both may be our own fault.
 */
export function playSwap(fork: Fork, stage: SwapStage): SwapFacts | undefined {
  const facts = swapBackAndForth(fork, stage)
  const works = facts?.buy.ok && facts.sell.ok
  return works || isVerified(stage.pool) ? facts : undefined
}

function swapBackAndForth(fork: Fork, stage: SwapStage): SwapFacts | undefined {
  const { mint, quote, trader, purse } = stage
  const paid = stage.people.share('swap', depthOf(fork, stage), MOST_OF_POOL, LEAST_OF_POOL)
  if (paid === 0n) return nothing('the pool is empty', quote)
  const coins = takesCoins(stage) ? paid : 0n
  give(fork, mint, { ...trader, lamports: trader.lamports + coins }, 0n)
  give(fork, quote, { ...purse, lamports: purse.lamports + coins }, paid - coins)
  const bought = swap(fork, stage, true, paid)
  if (bought === undefined) return undefined
  const { leg: buy } = bought
  const quoteMint = quote.address
  if (!buy.ok || buy.received === 0n) {
    return { buy, sell: failedLeg('nothing was bought'), paid, returned: 0n, quoteMint, lossBps: FULL_BPS }
  }
  const before = coinsOf(fork, stage)
  const sold = swap(fork, stage, false, buy.received)
  if (sold === undefined) return undefined
  const { leg: sell, fee } = sold
  const returned = sell.ok ? returnedBy(fork, stage, { before, fee }) : 0n
  return { buy, sell, paid, returned, quoteMint, lossBps: taxBps(paid, returned) }
}

/** As with the trades of people, one in so many: too small to move the price. */
const MOST_OF_POOL = 600n
const LEAST_OF_POOL = 1_500n

function nothing(reason: string, { address: quoteMint }: Mint): SwapFacts {
  return { buy: failedLeg(reason), sell: failedLeg(reason), paid: 0n, returned: 0n, quoteMint, lossBps: FULL_BPS }
}

const FULL_BPS = 10_000

/** What the pool prices with. */
function depthOf(fork: Fork, stage: SwapStage): bigint {
  const { pool } = stage
  const adapter = SWAP_ADAPTERS[pool.venue]
  if (adapter?.depth) return adapter.depth((address) => fork.account(address), pool)
  return amountIn(fork.account(vaultsOf(stage).quote)?.data) ?? 0n
}

/** A launch curve takes coins from the trader's own account, and keeps them on its own. */
const takesCoins = (stage: SwapStage) => vaultsOf(stage).quote === stage.pool.address

const coinsOf = (fork: Fork, { trader }: SwapStage) => fork.account(trader.owner)?.lamports ?? 0n

/**
 * What a sale brought: all tokens there are, or the coins that came, the network's fee for the
 * transaction not counted.
 */
function returnedBy(fork: Fork, stage: SwapStage, { before, fee }: { before: bigint; fee: bigint }): bigint {
  if (!takesCoins(stage)) return amountIn(fork.account(stage.purse.account)?.data) ?? 0n
  const gained = coinsOf(fork, stage) - before + fee
  return gained > 0n ? gained : 0n
}

/** Token and quote vault. */
function vaultsOf({ pool, mint }: SwapStage): { token: SolanaAddress; quote: SolanaAddress } {
  const [first, second] = pool.vaults
  return sideOf(pool, mint.address) === 0 ? { token: first, quote: second } : { token: second, quote: first }
}

/**
 * Swaps and keeps what it did. The leg's amounts are the token's: what left the one and what
 * arrived at the other.
 */
function swap(fork: Fork, stage: SwapStage, buys: boolean, amountIn_: bigint): Swapped | undefined {
  const { pool, mint, quote, trader, purse } = stage
  const vaults = vaultsOf(stage)
  const token = sideFor(mint, vaults.token, trader)
  const coin = sideFor(quote, vaults.quote, purse)
  const [from, to] = buys ? [coin, token] : [token, coin]
  const withHooks = (
    leg: Side,
    ways: { from: SolanaAddress; to: SolanaAddress; authority: SolanaAddress; amount: bigint },
  ): SwapLeg => ({
    ...leg,
    extra: hookMetas(fork, leg.facts, ways),
  })
  const request = {
    pool,
    trader: trader.owner,
    amountIn: amountIn_,
    from: withHooks(from, { from: from.account, to: from.vault, authority: trader.owner, amount: amountIn_ }),
    to: withHooks(to, { from: to.vault, to: to.account, authority: pool.vaultOwner, amount: 0n }),
  }
  const held = (address: SolanaAddress) => amountIn(fork.account(address)?.data) ?? 0n
  const before = { vault: held(vaults.token), trader: held(trader.account) }
  const read = (address: SolanaAddress) => fork.account(address)
  const result = sendSwap(read, request, (instruction) => fork.send(trader.owner, [instruction]))
  if (result === undefined) return undefined
  const vaultMoved = held(vaults.token) - before.vault
  const traderMoved = held(trader.account) - before.trader
  const leg = buys ? measure(result, -vaultMoved, traderMoved) : measure(result, -traderMoved, vaultMoved)
  return { leg, fee: result.feeLamports }
}

interface Swapped {
  leg: LegFacts
  /** What the network took. */
  fee: bigint
}

interface Side extends Omit<SwapLeg, 'extra'> {
  facts: Mint
}

const sideFor = (facts: Mint, vault: SolanaAddress, { account }: Actor): Side => ({
  facts,
  mint: facts.address,
  tokenProgram: facts.tokenProgram,
  vault,
  account,
})

import { smallerOf } from '../../bigints.js'
import { approve, buy, type TradeContext } from '../../dex/legs.js'
import { balanceOf, erc20Abi, readWord } from '../../dex/read-contract.js'
import { FULL_BPS } from '../../dex/tax.js'
import { findMarkets, type Market, venuesOf } from '../../dex/venues.js'
import { createStorageAccessInspector } from '../../evm/inspectors/storage-access.js'
import { AnalysisResistedError } from '../../evm/limits.js'
import { type Address, EMPTY_CODE_HASH } from '../../hex.js'
import { nextBlock } from '../../simulation/pending-block.js'
import { createSeededRandom } from '../../simulation/random.js'
import { defineScenario, type Fork } from '../../simulation/scenario.js'
import { createTrader, type Trader } from '../../simulation/trader.js'
import { onBranch } from '../on-branch.js'
import { failureReason } from '../trade/failure-reason.js'
import { sellPatiently } from '../trade/patient-sell.js'
import type { TradeInput } from '../trade/run-trade-scenario.js'
import { tradeAmount } from '../trade/trade-amount.js'
import { DEAD } from './choose-candidates.js'
import type { Candidate, HolderSell, Place } from './holders-report.js'
import { findKeyedSlots, slotsOf } from './keyed-slots.js'
import { isNotedAtCreation } from './noted-at-creation.js'

export interface HoldersInput extends TradeInput {
  candidates: readonly Candidate[]
}

export interface HoldersFacts {
  sells: readonly HolderSell[]
  /** Why not all were tried; empty when all were. */
  unfinished: string
  /** Base units; `undefined` where the token does not say, or nothing was looked at. */
  supply?: bigint | undefined
  /** What the pool, the token itself and the burn address have. */
  places?: readonly Place[]
}

/** Sells that are tried; the candidates are more, because some have nothing. */
const MAX_SELLS = 12
/** What became of those who were acted as. */
const TRIED: ReadonlySet<HolderSell['outcome']> = new Set(['sold', 'refused', 'noted'])
/** A balance of less than this share of what came in is gone. Basis points. */
const GONE_BPS = 500n

/**
 * Sells as people who have the token already: what a stranger may do, they may be barred from. Each
 * on a branch of its own.
 */
export const sellAsHolders = defineScenario({
  module: import.meta.url,
  name: 'sellAsHolders',
  run(fork, { address, seed, pair, amount, candidates }: HoldersInput): HoldersFacts {
    const random = createSeededRandom(seed)
    const markets = findMarkets(fork, venuesOf(fork.chain), address)
    const market = pair ? markets.find(({ pool }) => pool.address === pair) : markets[0]
    if (!market) return { sells: [], unfinished: 'no pool to sell in was found' }
    const spend = amount ?? tradeAmount(market, random)
    const usual = { fork, market, trader: createTrader(fork, random, 'usual holder', spend) }
    const aside = placesOf(market)
    const lot = onBranch(usual, () => learn(usual, spend, [...candidates, ...aside]))
    if (lot === undefined) return { sells: [], unfinished: 'the token cannot be bought and sold now' }
    const supply = readWord(fork, address, erc20Abi, 'totalSupply', [])
    const places = aside.map((place) => ({ ...place, balance: balanceOf(fork, address, place.address) ?? 0n }))
    const sells: HolderSell[] = []
    let tries = 0
    try {
      for (const candidate of candidates) {
        if (tries >= MAX_SELLS) break
        const sold = onBranch(usual, () => sellAs(usual, candidate, lot))
        if (TRIED.has(sold.outcome)) tries += 1
        sells.push(sold)
      }
    } catch (error) {
      if (!(error instanceof AnalysisResistedError)) throw error
      return { sells, unfinished: error.shortMessage, supply, places }
    }
    return { sells, unfinished: '', supply, places }
  },
})

/** Where tokens are that belong to no person. */
function placesOf({ pool }: Market): Omit<Place, 'balance'>[] {
  return [
    { address: pool.address, kind: 'pool' },
    { address: pool.token, kind: 'token' },
    { address: DEAD, kind: 'burnt' },
  ]
}

/**
 * What an ordinary purchase brings, if it can be sold. On the way it shows where the token keeps
 * what belongs to a person; asking for all of that at once fetches it in one round trip.
 */
function learn(context: TradeContext, spend: bigint, holders: readonly { address: Address }[]): bigint | undefined {
  const { fork, market, trader } = context
  const access = createStorageAccessInspector()
  const watched = { ...context, watch: () => [access] }
  const bought = buy(watched, spend)
  if (!bought.success || bought.tokenDelta <= 0n) return undefined
  approve(watched, bought.tokenDelta)
  fork.evm.setBlock(nextBlock(fork.chain, fork.evm.block))
  const sold = sellPatiently(watched, bought.tokenDelta).leg.success
  const { spender } = market.venue
  for (const [contract, reads] of access.finish().reads) {
    const keyed = findKeyedSlots(new Set(reads.keys()), trader.address, spender)
    for (const { address } of holders) {
      for (const slot of slotsOf(keyed, address, spender)) fork.evm.storage(contract, slot)
    }
  }
  for (const { address } of holders) fork.evm.account(address)
  return sold ? bought.tokenDelta : undefined
}

/**
 * Sells as much as an ordinary buyer would have, or all there is: so that who sells is the only
 * difference.
 */
function sellAs({ fork, market, trader }: TradeContext, candidate: Candidate, lot: bigint): HolderSell {
  const { address, received, hasSent } = candidate
  const { evm, chain } = fork
  const { token } = market.pool
  const balance = balanceOf(fork, token, address) ?? 0n
  const result = { ...candidate, balance, taxBps: undefined, reason: '' }
  if (evm.account(address).codeHash !== EMPTY_CODE_HASH && !isDelegated(fork, address))
    return { ...result, outcome: 'contract' }
  if (balance * 10_000n < received * GONE_BPS) return { ...result, outcome: hasSent ? 'empty' : 'gone' }
  const holder: Trader = { ...trader, address }
  evm.setBalance(address, evm.account(address).balance + evm.account(trader.address).balance)
  const context = { fork, market, trader: holder }
  const share = smallerOf(balance, lot)
  evm.setBlock(nextBlock(chain, evm.block))
  const approved = approve(context, share)
  if (approved?.success === false)
    return { ...result, outcome: 'refused', reason: `approve ${failureReason(approved.sent.call, token)}` }
  evm.setBlock(nextBlock(chain, evm.block))
  const { leg } = sellPatiently(context, share)
  // What pays nothing is a loss, whether or not the pool kept an account.
  const loss = leg.nativeDelta > 0n ? leg.taxBps : FULL_BPS
  if (leg.success) return { ...result, outcome: 'sold', taxBps: loss }
  const reason = failureReason(leg.sent.call, token)
  return { ...result, outcome: isNotedAtCreation(context, share) ? 'noted' : 'refused', reason }
}

/** EIP-7702: an ordinary account that lends itself code. */
function isDelegated({ evm }: Fork, address: Candidate['address']): boolean {
  const code = evm.code(address)
  return code.length === 23 && code[0] === 0xef && code[1] === 0x01
}

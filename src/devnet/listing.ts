import { parseEther } from 'viem'
import type { Address } from '../hex.js'
import { deploy } from './deploy.js'
import type { Scene, TimelineEvent } from './example.js'
import { approve, createV2Market, type Market } from './market.js'
import { DAY, LAST_DAY, LAST_WEEK, MINUTE, tradingHistory } from './trading-history.js'

/** Ordinary examples are six days old. */
export const DEPLOYED_SECONDS_AGO = 6 * DAY
const UNTIL_LISTED = 2 * MINUTE

export interface Listing {
  contract: string
  args?: readonly unknown[]
  decimals?: number
  /** The chain's V2 exchange if absent. */
  market?: Market
  deployedSecondsAgo?: number
  times?: readonly number[]
  onlySeller?: Address
  /** Who has the tokens that the pool begins with; the deployer if absent. */
  lister?: Address
  wholeTokens?: bigint
  native?: bigint
}

/** Deploys a token, opens its pool two minutes later, and has it traded. */
export function listed(scene: Scene, { contract, args = [], ...rest }: Listing) {
  const { address: target, transaction } = deploy(scene.deployer, 0, contract, args)
  const { deployedSecondsAgo: secondsAgo = DEPLOYED_SECONDS_AGO } = rest
  return { target, events: [{ secondsAgo, transaction }, ...traded(scene, target, rest)] }
}

/** Opens a pool for a token that is there, and has it traded. */
export function traded(
  scene: Scene,
  token: Address,
  {
    decimals = 18,
    market = createV2Market(scene.chain),
    deployedSecondsAgo = DEPLOYED_SECONDS_AGO,
    times = [...LAST_WEEK, ...LAST_DAY],
    onlySeller,
    lister = scene.deployer,
    wholeTokens = LISTED_WHOLE_TOKENS,
    native = LISTED_NATIVE,
  }: Omit<Listing, 'contract' | 'args'>,
): TimelineEvent[] {
  const unit = 10n ** BigInt(decimals)
  const amount = wholeTokens * unit
  // USDT's `approve` changes no allowance but to and from zero: exactly what is listed, and later
  // all there is for sells.
  const listing = [
    approve(lister, token, market.lister, amount),
    market.list(lister, token, amount, native),
    approve(lister, token, market.lister, 0n),
    approve(lister, token, market.router),
  ]
  const unitsPerCoin = (wholeTokens * unit * COIN) / native
  const sellers = onlySeller === undefined ? {} : { onlySeller }
  return [
    ...listing.map((transaction) => ({ secondsAgo: deployedSecondsAgo - UNTIL_LISTED, transaction })),
    ...tradingHistory(scene, { token, market, unitsPerCoin, times, ...sellers }),
  ]
}

/** A pool begins with these, so that a coin buys about 20,000 tokens. */
const LISTED_WHOLE_TOKENS = 800_000n
const LISTED_NATIVE = parseEther('40')
const COIN = parseEther('1')

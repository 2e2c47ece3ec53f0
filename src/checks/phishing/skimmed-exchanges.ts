import type { Address } from '../../hex.js'
import { nftsFor } from './judge-loss.js'
import type { Attempt, Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'

/** The native coin, wrapped or not, or a token. */
type Asset = Address | 'coin'
type Changes = ReadonlyMap<Address, bigint>

/** What an account without code has of an exchange that was the victim's. */
export interface Skim {
  to: Address
  asset: Asset
  /** Base units, or wei. */
  amount: bigint
}

/**
 * Who keeps half or more of what the victim laid on an exchange, or of what came of it: a router
 * that trades a tenth of the order. Needs no prices: what contracts gave for what they took was the
 * market's own. Not where the victim has something else for it, or named that account.
 */
export function findSkim(stage: Stage, attempt: Attempt, outcome: Outcome): Skim | undefined {
  const { victim } = stage
  if (!outcome.success || attempt.from !== victim.address) return undefined
  const flows = flowsOf(stage, outcome)
  const exchanged = sumsOf(flows, tradersIn(stage, flows))
  const [given] = [...exchanged].filter(([, change]) => change < 0n).toSorted(([, a], [, b]) => (a < b ? -1 : 1))
  if (given === undefined || ![...exchanged.values()].some((change) => change > 0n)) return undefined
  const [bought, change] = given
  const ofVictim = (asset: Asset) => flows.get(asset)?.get(victim.address) ?? 0n
  const hasElse = [...flows.keys()].some((asset) => asset !== bought && ofVictim(asset) > 0n)
  if (hasElse || nftsFor(outcome, victim.address).length > 0) return undefined
  const keeperOf = (asset: Asset, least: bigint): Skim | undefined => {
    const found = [...(flows.get(asset) ?? [])].find(
      ([who, got]) => got > 0n && 2n * got >= least && isKeeper(stage, attempt, who),
    )
    return found && { to: found[0], asset, amount: found[1] }
  }
  const paid = [...flows.keys()].find((asset) => (exchanged.get(asset) ?? 0n) > 0n && ofVictim(asset) < 0n)
  const ofPaid = paid === undefined ? undefined : keeperOf(paid, -ofVictim(paid))
  return ofPaid ?? (2n * ofVictim(bought) < -change ? keeperOf(bought, -change) : undefined)
}

/** An account without code that the victim did not name. */
function isKeeper({ fork, target, victim }: Stage, { data }: Attempt, who: Address): boolean {
  if (who === target || who === victim.address || who === fork.evm.block.coinbase) return false
  return fork.evm.code(who).length === 0 && !data.includes(who.slice(2))
}

/** What accounts have more of, or less, by asset; a coin that is wrapped is the same. */
function flowsOf({ fork: { chain } }: Stage, { native, tokens }: Outcome): Map<Asset, Changes> {
  const flows = new Map<Asset, Changes>(tokens)
  const coins = new Map([...native].filter(([who]) => who !== chain.wrappedNative))
  for (const [who, change] of tokens.get(chain.wrappedNative) ?? []) coins.set(who, (coins.get(who) ?? 0n) + change)
  flows.delete(chain.wrappedNative)
  return flows.set('coin', coins)
}

/** Contracts that have more of one thing by it, and less of another. */
function tradersIn({ fork, target, victim }: Stage, flows: ReadonlyMap<Asset, Changes>): Address[] {
  const all = new Set([...flows.values()].flatMap((changes) => [...changes.keys()]))
  return [...all].filter((who) => {
    if (who === target || who === victim.address || fork.evm.code(who).length === 0) return false
    const own = [...flows.values()].map((changes) => changes.get(who) ?? 0n)
    return own.some((change) => change > 0n) && own.some((change) => change < 0n)
  })
}

/** What these have together of each. */
const sumsOf = (flows: ReadonlyMap<Asset, Changes>, accounts: readonly Address[]): Map<Asset, bigint> =>
  new Map(
    [...flows].map(([asset, changes]) => [asset, accounts.reduce((sum, who) => sum + (changes.get(who) ?? 0n), 0n)]),
  )

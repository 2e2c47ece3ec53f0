import type { SolanaTokenReport } from '../../checks/solana/solana-report.js'
import { TRUSTED_MINTS } from '../../checks/solana/trusted-mints.js'
import { hasUnits, toPrice } from '../../decimal-text.js'
import { plainText } from '../../untrusted-text.js'
import { toIsoTime } from '../fields/block.js'
import type { SolanaTokenReportBody } from './schema.js'
import { MAX_DETAIL, toPercent } from './to-honeypot.js'

type TokenInfo = NonNullable<SolanaTokenReportBody['tokenInfo']>

/** Everything that a mint, its holders and its pools say. */
export function toTokenInfo(report: SolanaTokenReport): TokenInfo {
  const { mint, names, holders, pools, play } = report
  return {
    tokenProgram: mint.tokenProgram,
    decimals: mint.decimals,
    supply: String(mint.supply),
    name: plainText(names.name),
    symbol: plainText(names.symbol),
    uri: plainText(names.uri),
    metadataSource: names.source,
    metadataMutable: names.mutable,
    trustedAs: report.trusted ?? null,
    extensions: mint.extensionNames,
    unknownExtensions: mint.unknownExtensions,
    malformed: mint.malformed,
    authorities: report.authorities.flatMap(toAuthority),
    fee: toFee(report),
    hook: toHook(report),
    holders: holders ? holders.map((holder) => ({ ...holder, ...amountOf(holder.amount, mint.supply) })) : null,
    pools: pools.map((pool, i) => ({ ...toPool(pool, mint), played: i === 0 && play?.windows[0]?.swap !== undefined })),
    market: toMarket(report),
    origin: toOrigin(report),
    triedByNode: toTrial(report),
    tradedWith: play ? { account: play.vault.address, synthetic: play.vault.synthetic } : null,
  }
}

function toMarket({ pools, mint, origin }: SolanaTokenReport): TokenInfo['market'] {
  const [main] = pools
  if (main === undefined) return null
  // The decimals of one mint are the same in all pools.
  const quotes = [...new Map(pools.map((pool) => [pool.quoteMint, toQuote(pool)])).values()]
  const depthIn = (quote: string) =>
    pools.reduce((sum, pool) => sum + (pool.quoteMint === quote ? (pool.reserves.quote ?? 0n) : 0n), 0n)
  return {
    price: priceIn(main, mint),
    quote: toQuote(main),
    depth: quotes.map((quote) => ({ ...quote, amount: String(depthIn(quote.address)) })),
    since: origin.marketTime === undefined ? null : toIsoTime(Number(origin.marketTime) * 1_000),
  }
}

type PoolFacts = SolanaTokenReport['pools'][number]

/** With the symbol of a token that is known; any other may call itself what it likes. */
const toQuote = ({ quoteMint, quoteDecimals }: PoolFacts) => ({
  ...{ symbol: TRUSTED_MINTS.get(quoteMint)?.symbol ?? '', address: quoteMint, decimals: quoteDecimals ?? null },
})

/** What one whole token costs in a pool. */
function priceIn({ price, quoteDecimals }: PoolFacts, { decimals }: SolanaTokenReport['mint']): string | null {
  if (price === undefined || !hasUnits(quoteDecimals) || !hasUnits(decimals)) return null
  const paid = { amount: price.quote, decimals: quoteDecimals }
  return toPrice(paid, { amount: price.token, decimals }) ?? null
}

function toOrigin({ origin: { creator, through, slot, time, unknown } }: SolanaTokenReport): TokenInfo['origin'] {
  return {
    creator: creator ?? null,
    through: through ?? null,
    isProven: false,
    block: slot === undefined ? null : Number(slot),
    timestamp: time === undefined ? null : toIsoTime(Number(time) * 1_000),
    unknown: unknown ?? null,
  }
}

function toHook({ hook, play }: SolanaTokenReport): TokenInfo['hook'] {
  if (hook === undefined) return null
  const facts = play?.hook
  return {
    ...hook,
    upgradeAuthority: hook.upgradeAuthority ?? null,
    explained: facts?.isExplained ?? null,
    unread: facts?.unread ?? [],
    conditions: (facts?.harmful ?? []).map(({ by, afterSeconds, amount, account, lossBps, reason }) => ({
      by,
      afterSeconds,
      amount: String(amount),
      account: account ?? null,
      lossPercent: toPercent(lossBps),
      reason: plainText(reason, MAX_DETAIL),
    })),
  }
}

function toTrial({ trial }: SolanaTokenReport): TokenInfo['triedByNode'] {
  if (trial === undefined) return null
  const { buy, sell } = trial
  return {
    bought: buy.ok,
    sold: sell.ok,
    taxPercent: toPercent(Math.max(buy.taxBps, sell.taxBps)),
    reason: plainText(buy.reason || sell.reason, MAX_DETAIL),
  }
}

function amountOf(amount: bigint, supply: bigint) {
  const bps = supply > 0n ? Number((amount * 10_000n) / supply) : 0
  return { amount: String(amount), percent: toPercent(Math.min(bps, 10_000)) }
}

function toAuthority({
  power,
  authority,
  group,
  proven,
  detail,
}: SolanaTokenReport['authorities'][number]): TokenInfo['authorities'] {
  if (authority.address === undefined) return []
  const { address, kind, threshold } = authority
  return [
    {
      power,
      address,
      kind,
      threshold: threshold ? `${threshold.required} of ${threshold.of}` : null,
      through: group?.through ?? null,
      members: group?.members ?? [],
      delaySeconds: group?.delaySeconds ?? 0,
      proven: proven ?? null,
      detail: plainText(detail, MAX_DETAIL),
    },
  ]
}

function toFee({ mint, epoch }: SolanaTokenReport): TokenInfo['fee'] {
  const config = mint.extensions.transferFee
  if (config === undefined) return null
  const isNewer = epoch >= config.newer.epoch
  const inForce = isNewer ? config.newer : config.older
  return {
    percent: toPercent(Math.min(inForce.bps, 10_000)),
    maximum: String(inForce.maximum),
    scheduled: isNewer
      ? null
      : { percent: toPercent(Math.min(config.newer.bps, 10_000)), epoch: String(config.newer.epoch) },
    mutable: config.authority !== undefined,
  }
}

function toPool(facts: PoolFacts, mint: SolanaTokenReport['mint']): Omit<TokenInfo['pools'][number], 'played'> {
  const { pool, name, quoteMint, reserves, liquidity, lockedBps, positions } = facts
  return {
    venue: name,
    address: pool.address,
    status: pool.status,
    quoteMint,
    quote: toQuote(facts),
    price: priceIn(facts, mint),
    tokenReserve: reserves.token === undefined ? null : String(reserves.token),
    quoteReserve: reserves.quote === undefined ? null : String(reserves.quote),
    liquidity: liquidity.kind,
    lockedPercent: lockedBps === undefined ? null : toPercent(lockedBps),
    positions: positions.map(({ address, owner, shareBps, hold }) => ({
      address,
      owner: owner ?? null,
      percent: toPercent(shareBps),
      hold,
    })),
  }
}

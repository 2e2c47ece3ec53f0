import type { SolanaTokenReport } from '../../checks/solana/solana-report.js'
import { plainText } from '../../untrusted-text.js'
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
    pools: pools.map((pool, i) => ({ ...toPool(pool), played: i === 0 && play?.windows[0]?.swap !== undefined })),
    triedByNode: toTrial(report),
    tradedWith: play ? { account: play.vault.address, synthetic: play.vault.synthetic } : null,
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

function toPool({
  pool,
  name,
  quoteMint,
  reserves,
  liquidity,
  lockedBps,
}: SolanaTokenReport['pools'][number]): Omit<TokenInfo['pools'][number], 'played'> {
  return {
    venue: name,
    address: pool.address,
    status: pool.status,
    quoteMint,
    tokenReserve: reserves.token === undefined ? null : String(reserves.token),
    quoteReserve: reserves.quote === undefined ? null : String(reserves.quote),
    liquidity: liquidity.kind,
    lockedPercent: lockedBps === undefined ? null : toPercent(lockedBps),
  }
}

import type { SolanaAddress } from '../../solana/address.js'
import type { Mint } from '../../solana/token/mint.js'
import type { GroupStanding } from './group-standing.js'
import { judgeHookFacts, turnsHostile } from './judge-hook.js'
import {
  heldPowers,
  judgeExtensions,
  judgeFeeUntried,
  judgeHolders,
  judgeNames,
  judgePowers,
  judgeState,
  type Weighed,
} from './judge-mint.js'
import { judgePools } from './judge-pools.js'
import { BLOCKING, beginsLater, isTimeDelayed, judgeTrial, judgeWindow, poolRefusal } from './judge-trade.js'
import type { PlayFacts } from './play/play-facts.js'
import { FINDINGS, type FindingId, threatLevelOf } from './solana-findings.js'
import type {
  Holder,
  HookReport,
  NodeTrial,
  PoolReport,
  SolanaFinding,
  SolanaWindow,
  TokenNames,
} from './solana-report.js'

/** Everything that is known of a token when it is judged. */
export interface Evidence {
  mint: Mint
  /** The cluster's epoch and time. */
  epoch: bigint
  time: bigint
  names: TokenNames
  /** The known token that this one copies. */
  original: SolanaAddress | undefined
  isTrusted: boolean
  play: PlayFacts | undefined
  /** What a node simulated, where nothing was played. */
  trial?: NodeTrial | undefined
  /** Those behind addresses that hold powers, where a known program counts them. */
  groups?: ReadonlyMap<SolanaAddress, GroupStanding>
  /** Addresses of programs of which no node said who is behind them. */
  unseen?: readonly SolanaAddress[]
  hook: HookReport | undefined
  holders: readonly Holder[] | undefined
  pools: readonly PoolReport[]
  /** What could not be seen or tried. */
  gaps: readonly string[]
}

export interface Judgement {
  findings: SolanaFinding[]
  windows: SolanaWindow[]
  /** A widely used token that sells normally: its privileges are publicly known. */
  reviewed: boolean
  isHoneypot: boolean
  isTimeHoneypot: boolean
}

/**
 * Weighs what was seen. What happened on the fork counts most, then what an authority can do, then
 * what is odd.
 */
export function judge(evidence: Evidence): Judgement {
  const { mint, epoch, time, play, trial, groups, unseen, hook, holders, pools, names, original, gaps, isTrusted } =
    evidence
  const state = judgeState(mint)
  const windows =
    play?.windows.map((facts) =>
      judgeWindow(
        facts,
        state.map(({ id }) => id),
      ),
    ) ?? []
  const [now] = windows
  const isTimeHoneypot = isTimeDelayed(windows) || (now?.hostile === false && turnsHostile(play))
  const lasting: Weighed[] = [
    ...state.map(toObserved),
    ...(play ? judgePowers(play.powers, groups, unseen) : heldUntried(mint)),
    ...(play && gaps.length === 0 ? [] : judgeFeeUntried(mint, epoch, sizeOfTrade(play))),
    ...(trial ? judgeTrial(trial).map(toObserved) : []),
    ...judgeExtensions(mint, hook, time, play),
    ...judgeHookFacts(play),
    ...judgeHolders(mint, holders),
    ...(holders === undefined && pools.length === 0 ? [] : judgePools(pools)),
    ...refusedByPool(play, pools),
    ...judgeNames(names, original),
    ...gaps.map((detail) => ({ id: 'not-everything-seen' as const, detail })),
  ]
  const laterHostile = windows.filter(({ hostile }) => hostile)
  const delayed: Weighed[] = isTimeDelayed(windows)
    ? [{ id: 'time-delayed', basis: 'observed', detail: `${laterHostile[0]?.label}: ${reasonOf(laterHostile[0])}` }]
    : []
  const later = beginsLater(windows, mint, epoch)
  const all = merge([...(now?.seen ?? []).map(toObserved), ...later.map(toObserved), ...delayed, ...lasting])
  const isHoneypot = trial ? isTrap(trial) : now?.hostile === true && now.sellTaxBps >= HONEYPOT_BPS
  const sellsNormally = windows.length > 0 && windows.every(({ hostile, sell }) => !hostile && sell.ok)
  return {
    findings: all,
    windows: windows.map((window) => ({
      label: window.label,
      buy: window.buy,
      sell: window.sell,
      buyTaxBps: window.buyTaxBps,
      sellTaxBps: window.sellTaxBps,
      riskScore: Math.max(0, ...merge([...window.seen.map(toObserved), ...lasting]).map(({ weight }) => weight)),
      errorReason: window.sell.reason || window.buy.reason,
    })),
    reviewed: isTrusted && sellsNormally && gaps.length === 0,
    isHoneypot,
    isTimeHoneypot,
  }
}

const HONEYPOT_BPS = 5_000

const isTrap = ({ buy, sell }: NodeTrial) => buy.ok && (!sell.ok || sell.taxBps >= HONEYPOT_BPS)

const reasonOf = (window: ReturnType<typeof judgeWindow> | undefined) =>
  window?.sell.reason || `selling costs ${(window?.sellTaxBps ?? 0) / 100} %`

const sizeOfTrade = (play: PlayFacts | undefined) =>
  play?.windows[0]?.sizes.find(({ size }) => size === 'plain')?.amount

const heldUntried = (mint: Mint): Weighed[] =>
  judgePowers(heldPowers(mint).map((power) => ({ ...power, kind: 'wallet', proven: false, detail: 'not tried' })))

function refusedByPool(play: PlayFacts | undefined, [main]: readonly PoolReport[]): Weighed[] {
  if (play === undefined || main?.pool.status !== 'open') return []
  const reason = poolRefusal(play, main.pool.program)
  return reason === '' ? [] : [{ id: 'pool-closed', detail: reason }]
}

/** One finding of each kind; a block that has a name is not told twice. */
function merge(found: readonly Weighed[]): SolanaFinding[] {
  const byId = new Map<FindingId, Weighed>()
  for (const each of found) {
    const known = byId.get(each.id)
    byId.set(each.id, known ? { ...known, ...each, detail: join(known.detail, each.detail) } : each)
  }
  if ([...byId.keys()].some((id) => BLOCKING.has(id))) byId.delete('sell-blocked')
  return [...byId.values()].map(toFinding).sort((a, b) => b.weight - a.weight)
}

const join = (a: string, b: string) => (a === b || a === '' ? b : b === '' ? a : `${a}; ${b}`)

const toObserved = (seen: Weighed): Weighed => ({ ...seen, basis: 'observed' })

function toFinding({ id, detail, holder, proven, begins, basis = 'possible', factor = 1 }: Weighed): SolanaFinding {
  const { title, description, weight } = FINDINGS[id]
  const weighed = Math.floor(weight * factor)
  return {
    id,
    title,
    description: begins === undefined ? description : `Not now, but in ${begins.toLowerCase()}: ${description}`,
    detail,
    basis,
    threatLevel: threatLevelOf(weighed),
    weight: weighed,
    ...(holder !== undefined && { holder }),
    ...(proven !== undefined && { proven }),
  }
}

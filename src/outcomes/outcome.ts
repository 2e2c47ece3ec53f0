import type { TrustStatus } from '../checks/levels.js'
import type { TokenAddress } from '../solana/token-address.js'

/**
 * What became of a token. `shut`: it cannot be sold. `taxed`: selling costs half of it or more.
 * `drained`: the coin left its pools. `sold-out`: it was bought from them with tokens that were
 * sold. `fine`: none of these.
 */
export const OUTCOMES = ['fine', 'taxed', 'shut', 'drained', 'sold-out'] as const
export type Outcome = (typeof OUTCOMES)[number]
export type Harm = Exclude<Outcome, 'fine'>

/** What an outcome is read from, at one moment. */
export interface Sight {
  isTrap: boolean
  sellTaxBps: number
  /** Native coin that all its pools are worth, in parts of 10^-18. */
  depth: bigint
  /** The judged pool, and the tokens in it; absent where there is none. */
  pool: { name: string; tokens: bigint } | undefined
}

/** A verdict that is followed, and what was seen since. Times in milliseconds since 1970. */
export interface Followed {
  chainId: number
  address: TokenAddress
  /** Why: it was watched, or is one of the sample. */
  origin: 'watch' | 'sample'
  judgedAt: number
  level: TrustStatus
  /** It could not be sold when the verdict was given: that foresaw nothing. */
  wasTrap: boolean
  sight: Sight
  /** The first harm that was seen. */
  harm: Harm | undefined
  harmAt: number | undefined
  /** What it had come to after each time; `unknown` where that was not seen in time. */
  seen: Readonly<Record<Stage, Outcome | 'unknown' | undefined>>
}

export const DAY_MS = 24 * 3_600_000

/** When it is looked back at a verdict, and how much later still counts as that. */
export const STAGES = {
  7: { afterMs: 7 * DAY_MS, lateMs: 2 * DAY_MS },
  30: { afterMs: 30 * DAY_MS, lateMs: 5 * DAY_MS },
} as const
export type Stage = keyof typeof STAGES
export const STAGE_DAYS = [7, 30] as const satisfies readonly Stage[]

/** Less than this of the coin is left when it counts as gone. */
const LEFT_PERCENT = 10n
/** Tokens in the pool, against before: it was sold into, rather than taken from. */
const SOLD_INTO = 2n
/** What selling costs at least when it counts as harm of its own. */
const HARSH_TAX_BPS = 5_000

/** What a token came to, from what it was when the verdict was given. */
export function outcomeOf(before: Sight, now: Sight): Outcome {
  if (now.isTrap) return 'shut'
  if (now.depth * 100n < before.depth * LEFT_PERCENT) {
    return before.pool && now.pool?.name === before.pool.name && now.pool.tokens >= before.pool.tokens * SOLD_INTO
      ? 'sold-out'
      : 'drained'
  }
  return now.sellTaxBps >= HARSH_TAX_BPS && before.sellTaxBps < HARSH_TAX_BPS ? 'taxed' : 'fine'
}

/** The record after one more look; without a sight, after one that shows nothing. */
export function lookBack(known: Followed, now: number, sight: Sight | undefined): Followed {
  const outcome = sight && outcomeOf(known.sight, sight)
  const isFirstHarm = known.harm === undefined && outcome !== undefined && outcome !== 'fine'
  const harm = isFirstHarm ? outcome : known.harm
  const seen = { ...known.seen }
  for (const days of STAGE_DAYS) {
    const { afterMs, lateMs } = STAGES[days]
    const age = now - known.judgedAt
    if (seen[days] !== undefined || age < afterMs) continue
    // Seen too late, it may have come to that at any time before or since.
    const isKnown = known.harm !== undefined || age <= afterMs + lateMs
    if (!isKnown) seen[days] = 'unknown'
    else if (outcome !== undefined || known.harm !== undefined) seen[days] = harm ?? 'fine'
  }
  return { ...known, harm, harmAt: isFirstHarm ? now : known.harmAt, seen }
}

/** When it is looked at next; `undefined` when there is nothing left to see. */
export function nextLookOf({ judgedAt, seen }: Pick<Followed, 'judgedAt' | 'seen'>): number | undefined {
  const next = STAGE_DAYS.find((days) => seen[days] === undefined)
  return next && judgedAt + STAGES[next].afterMs
}

import type { Address } from '../../hex.js'
import type { StateSource } from '../../state/state-source.js'
import { analyseHolders } from '../holders/analyse-holders.js'
import { checkHolders, type HoldersDependencies } from '../holders/check-holders.js'
import type { HolderAnalysis } from '../holders/holders-report.js'
import { checkLiquidity, type LiquidityDependencies, unmeasuredLiquidity } from '../liquidity/check-liquidity.js'
import type { LiquidityReport } from '../liquidity/liquidity-report.js'
import type { ReadOrigin } from '../origin/read-origin.js'
import type { OriginReport } from '../origin/token-origin.js'
import { checkPowers, type PowersDependencies, type PowersReport } from '../powers/check-powers.js'
import type { AnalysisTarget } from '../target.js'
import type { TradeDependencies } from '../trade/run-trade-scenario.js'
import { type Deadlined, withinDeadline } from '../within-deadline.js'
import type { HoneypotFacts } from './honeypot-facts.js'

/** What was looked at besides the trade. */
export interface Surroundings {
  /**
   * What those who hold the keys were shown to be able to do. Absent where nothing was traded that
   * they could harm.
   */
  sweep: PowersReport | undefined
  /** Whether people who have the token already can sell it. Absent where a buyer cannot. */
  holderAnalysis: HolderAnalysis | undefined
  /** Where the judged pool's liquidity is. Absent without a pool of the chain's own. */
  liquidity: LiquidityReport | undefined
  /** Who made the token, and when; absent where nothing was traded, or it was not asked. */
  origin: OriginReport | undefined
  /** A part of it was late, and the machine was too busy for it: another time it can be had. */
  isBusy: boolean
}

export interface SurroundingsDependencies
  extends PowersDependencies,
    TradeDependencies,
    HoldersDependencies,
    LiquidityDependencies {
  /** Whether it is looked beyond the trade: at powers, holders and liquidity. */
  looksAround?: boolean
  /** Without it, nothing is said of who made a token. */
  readOrigin?: ReadOrigin
  /** Told when a part failed, which fails nothing else. */
  onCheckFailure?(check: Part, error: unknown): void
}

/** What was looked at, and whether a part of it ran out of time: the next look may see more. */
export type Looked = Surroundings & { isLate: boolean }

/**
 * Begins what no trade has to come before, so that no caller waits for it, and gives what looks at
 * all else: what trading has read is known by then, and the node is asked for no more than what is
 * their own. Never rejects for a part; where nothing was traded, `facts` is absent.
 */
export function beginLookAround(
  dependencies: SurroundingsDependencies,
  target: AnalysisTarget,
  state: StateSource,
): (facts: HoneypotFacts | undefined) => Promise<Looked> {
  const { looksAround = true, readRoleMembers, readOrigin, onCheckFailure, blame } = dependencies
  const { chain, address, signal } = target
  let isLate = false
  let isBusy = false
  /** As long as a caller waits for one part. */
  const inTime = async <T, Late>(
    { check, subject, late }: { check: Part; subject: string; late(why: string): Late },
    work: (stop: AbortSignal) => Promise<T>,
  ): Promise<T | Late> => {
    const onFailure = (error: unknown) => onCheckFailure?.(check, error)
    const found: Deadlined<T> = await withinDeadline({ ms: LOOK_AROUND_MS, subject, signal, blame, onFailure }, work)
    if (found.late === undefined) return found.done
    isLate = true
    isBusy ||= found.isBusy
    return late(found.late)
  }
  const members =
    looksAround && readRoleMembers ? readRoleMembers(target, state) : Promise.resolve({ accounts: [], areAll: true })
  // Each caller that needs them is told; often none does.
  members.catch(() => {})
  const lookForOrigin = async (read: ReadOrigin): Promise<OriginReport> =>
    inTime({ check: 'origin', subject: 'its origin', late: (unknown) => ({ unknown }) }, (stop) =>
      read({ chain, token: address, head: state.block, signal: stop }),
    )
  const origin = looksAround && readOrigin ? lookForOrigin(readOrigin) : undefined

  const lookAtHolders = (lookedAt: AnalysisTarget, pool: Address) =>
    inTime(
      {
        check: 'holders',
        subject: 'the holders',
        late: (unfinished) => analyseHolders({ sells: [], unfinished }, 0),
      },
      (stop) => checkHolders(dependencies, { ...lookedAt, signal: stop }, state, Promise.resolve(pool)),
    )
  const lookAtLiquidity = (pool: Address) =>
    inTime({ check: 'liquidity', subject: 'the liquidity', late: (why) => unmeasuredLiquidity(pool, why) }, (stop) =>
      checkLiquidity(dependencies, { ...target, signal: stop }, state, pool),
    )

  return async ({ kind, market, windows = [], provided, spent, maxBuy } = {} as HoneypotFacts) => {
    if (!market || provided || !looksAround)
      return { ...NOTHING_AROUND, origin: kind === 'token' ? await origin : undefined, isLate, isBusy }
    const canSell = windows[0]?.soldFresh?.success === true
    // What could be bought here can be bought there.
    const lookedAt = maxBuy === undefined || spent === undefined ? target : { ...target, amount: spent }
    const [sweep, holderAnalysis, liquidity, madeBy] = await Promise.all([
      canSell ? checkPowers(dependencies, lookedAt, state, members) : undefined,
      canSell ? lookAtHolders(lookedAt, market.pool) : undefined,
      lookAtLiquidity(market.pool),
      origin,
    ])
    return { sweep, holderAnalysis, liquidity, origin: madeBy, isLate, isBusy: isBusy || sweep?.isBusy === true }
  }
}

type Part = 'holders' | 'liquidity' | 'origin'

/** As long as a caller waits for holders, for the liquidity, or for who made the token. */
const LOOK_AROUND_MS = 5_000

const NOTHING_AROUND = { sweep: undefined, holderAnalysis: undefined, liquidity: undefined }

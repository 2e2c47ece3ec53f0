import type { Chain } from '../chains/chain.js'
import { isFailed } from '../checks/settle.js'
import type { AnalysisTarget } from '../checks/target.js'
import type { Clock } from '../clock.js'
import { BaseError } from '../errors.js'
import { type Assess, type Assessment, isTrap } from '../reports/assess.js'
import { dependenciesOf } from '../reports/dependencies.js'
import { type ConcurrencyLimit, QueueFullError } from '../scheduling/concurrency-limit.js'
import { alertsOf, eventOfDate, eventsOfVerdict } from './tell-changes.js'
import type { Judgement } from './watch.js'
import type { WatchedToken, WatchStore } from './watch-store.js'

export interface JudgeAgainOptions {
  chains: readonly Chain[]
  store: WatchStore
  assess: Assess
  slots: ConcurrencyLimit
  clock: Clock
  onFailure(error: unknown): void
}

/** A verdict takes seconds at the worst; a process that died is replaced after this. */
const LEASE_MS = 60_000
/** One judgement, until it is given up. */
const JUDGING_MS = 30_000
/** A token is looked at this often whatever happens: taxes may rise with time alone. */
const LOOK_AGAIN_MS = 24 * 3_600_000
/** Pauses after failures, the last one again and again. */
/** Attempts that did not finish before one is taken as it is. */
const ENOUGH_FAILURES = 2
const PAUSES_MS = [5_000, 30_000, 120_000, 600_000, 3_600_000]

/**
 * Judges the token that waits longest, and writes the verdict with the alerts that it gives.
 * Answers whether there was one. A verdict that did not finish is none: the token is tried again
 * later, and the last whole verdict stands meanwhile.
 */
export function createJudgeAgain(options: JudgeAgainOptions): (signal: AbortSignal) => Promise<boolean> {
  const { store, clock, chains, onFailure } = options
  const ids = chains.map(({ id }) => id)
  return async (signal) => {
    const token = await store.claimDue(ids, { now: clock.now(), leaseMs: LEASE_MS })
    const chain = chains.find(({ id }) => id === token?.chainId)
    if (token === undefined || chain === undefined) return false
    try {
      const assessment = await assessOne(options, { chain, address: token.address }, signal)
      const judgement = judgementOf(assessment)
      // Some nodes never tell all: then what there is has to do.
      const isEnough = judgement?.isWhole || token.failures >= ENOUGH_FAILURES
      if (judgement === undefined || !isEnough) throw new UnfinishedVerdictError()
      await settle(options, token, { assessment, judgement })
    } catch (error) {
      // What our own stopping cut short waits for nothing.
      const pause = signal.aborted ? 0 : (PAUSES_MS[Math.min(token.failures, PAUSES_MS.length - 1)] ?? 0)
      if (!signal.aborted && !(error instanceof QueueFullError)) onFailure(error)
      await store.postpone(token, clock.now() + pause)
    }
    return true
  }
}

function assessOne(
  { assess, slots }: JudgeAgainOptions,
  target: Pick<AnalysisTarget, 'chain' | 'address'>,
  stop: AbortSignal,
): Promise<Assessment> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(JUDGING_MS)])
  const lane = String(target.chain.id)
  return slots.run({ caller: CALLER, lane, signal }, () => assess({ ...target, caller: CALLER, signal }))
}

/** All judging of watched tokens takes turns with callers as one of them. */
const CALLER = 'watches'

async function settle(
  { store, clock }: JudgeAgainOptions,
  token: WatchedToken,
  { assessment, judgement }: { assessment: Assessment; judgement: Judgement },
): Promise<void> {
  const now = clock.now()
  const dependencies = dependenciesOf(assessment)
  const announced = token.dependencies?.nextChange
  const events = [
    ...(announced !== undefined && announced * 1_000 <= now ? [eventOfDate(announced, token.judgement)] : []),
    ...eventsOfVerdict(token.judgement, judgement, token.version + 1),
  ]
  const watches = events.length > 0 ? await store.listOn(token.chainId, [token.address], now) : []
  const alerts = alertsOf(watches, token.address, events, now)
  const nextChange = dependencies?.nextChange === undefined ? undefined : dependencies.nextChange * 1_000
  const dueAt = Math.min(
    now + LOOK_AGAIN_MS,
    nextChange !== undefined && nextChange > now ? nextChange : now + LOOK_AGAIN_MS,
  )
  await store.settle({ token, judgement, dependencies, judgedAt: now, dueAt, alerts })
}

/** `undefined` where no part of it could be made: that says nothing about the token. */
function judgementOf(assessment: Assessment): Judgement | undefined {
  const { verdict, simulation, honeypot, phishing } = assessment
  const pinned = [honeypot, simulation, phishing].find((part) => part !== undefined && !isFailed(part))
  if (pinned === undefined || isFailed(pinned)) return undefined
  const { number, hash } = pinned.block
  const trade = honeypot && !isFailed(honeypot) && honeypot.pair !== undefined ? honeypot : undefined
  return {
    ...{ level: verdict.level, score: verdict.score, headline: verdict.headline },
    buyTaxBps: trade?.buyTaxBps,
    sellTaxBps: trade?.sellTaxBps,
    isHoneypot: isTrap(assessment),
    isWhole: !verdict.isUnfinished,
    block: { number, hash: hash as `0x${string}` },
  }
}

/** The verdict lacks what another attempt may find. */
class UnfinishedVerdictError extends BaseError {
  override readonly name = 'UnfinishedVerdictError'

  constructor() {
    super('The verdict on a watched token did not finish')
  }
}

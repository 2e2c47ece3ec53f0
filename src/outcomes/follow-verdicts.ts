import type { Chain } from '../chains/chain.js'
import { SOLANA_ID, toWireChainId } from '../chains/chain-id.js'
import type { TrustStatus } from '../checks/levels.js'
import type { Clock } from '../clock.js'
import type { Address } from '../hex.js'
import type { Assess, Review } from '../reports/assess.js'
import type { AssessSolana, SolanaReview } from '../reports/assess-solana.js'
import { judgeSolana } from '../reports/judge-solana.js'
import { isPlain } from '../reports/plain-question.js'
import { createBackgroundWrites } from '../scheduling/background-writes.js'
import type { ConcurrencyLimit } from '../scheduling/concurrency-limit.js'
import type { SolanaAddress } from '../solana/address.js'
import { type Followed, lookBack, nextLookOf, type Sight } from './outcome.js'
import type { FollowShares, OutcomeStore } from './outcome-store.js'
import { sightOf, sightOfSolana } from './sight-of.js'

export interface FollowVerdictsOptions {
  store: OutcomeStore
  chains: readonly Chain[]
  slots: ConcurrencyLimit
  clock: Clock
  /** Verdicts that are followed at a time besides those of watched tokens. */
  sample: number
  /** Whose analyses are those of watched tokens. */
  watcher: string
  onFailure(error: unknown): void
}

/** What watches and the sample make of it together; some 500 bytes each. */
const MAX_FOLLOWED = 50_000
const HOURS_FOLLOWED = 30 * 24
/** How often it is looked whether a verdict is due. */
const LOOK_MS = 30_000
/** Verdicts that are due in one look: the rest has time until the next. */
const MAX_LOOKS = 4
/** One analysis, until it is given up. */
const JUDGING_MS = 30_000
const LEASE_MS = 2 * JUDGING_MS
/** What could not be judged is tried again so much later, until the time for it is over. */
const AGAIN_MS = 3_600_000
/** All looking back takes turns with callers as one of them. */
const CALLER = 'outcomes'

/** How a token is judged again, on each kind of chain. */
export interface Assessors {
  assess: Assess
  assessSolana: AssessSolana
}

/** A record of what came of verdicts. */
export interface VerdictFollower {
  review: Review
  reviewSolana: SolanaReview
  /** Begins to look back at verdicts, until it is closed. */
  start(): void
  close(): Promise<void>
}

/**
 * Keeps verdicts with what is seen of their tokens later, in the analyses that are made anyway and
 * in those that are made for it. Changes no assessment, and fails none.
 */
export function followVerdicts({ assess, assessSolana }: Assessors, options: FollowVerdictsOptions): VerdictFollower {
  const { store, clock, chains, slots, onFailure } = options
  const writes = createBackgroundWrites(onFailure)
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let looking = Promise.resolve()

  const review: Review = (assessment, target, only) => {
    const { chain, address, caller } = target
    const found = { level: assessment.verdict.level, sight: sightOf(assessment) }
    const token = { chainId: chain.id, address, caller }
    if (isPlain(target, only)) writes.add(() => note(options, token, found, clock.now()))
    return assessment
  }
  const reviewSolana: SolanaReview = (report, target) => {
    const found = { level: judgeSolana(report).level, sight: sightOfSolana(report) }
    const token = { chainId: SOLANA_ID, address: target.address, caller: target.caller }
    writes.add(() => note(options, token, found, clock.now()))
    return report
  }
  /** `undefined` for a chain that the operator took away. */
  const sightAgain = ({ chainId, address }: Followed, signal: AbortSignal) => {
    const order = { caller: CALLER, signal }
    // Tokens are followed under their own chain.
    if (chainId === SOLANA_ID)
      return async () => sightOfSolana(await assessSolana({ address: address as SolanaAddress, ...order }))
    const chain = chains.find(({ id }) => id === chainId)
    return chain && (async () => sightOf(await assess({ chain, address: address as Address, ...order })))
  }
  /** One that was judged for this is noted here, so that the next look finds it noted. */
  const lookAgain = async (followed: Followed) => {
    const signal = AbortSignal.any([controller.signal, AbortSignal.timeout(JUDGING_MS)])
    const see = sightAgain(followed, signal)
    const unseen = lookBack(followed, clock.now(), undefined)
    const isOver = nextLookOf(unseen) !== nextLookOf(followed)
    if (see === undefined || isOver) return store.write(unseen, later(unseen, clock.now()))
    const lane = String(toWireChainId(followed.chainId))
    const sight = await slots.run({ caller: CALLER, lane, signal }, see)
    if (sight === undefined) return store.postpone(followed, clock.now() + AGAIN_MS)
    const seen = lookBack(followed, clock.now(), sight)
    await store.write(seen, later(seen, clock.now()))
  }
  const look = async () => {
    await store.forgetOld(clock.now())
    for (let left = MAX_LOOKS; left > 0 && !controller.signal.aborted; left -= 1) {
      const due = await store.claimDue({ now: clock.now(), leaseMs: LEASE_MS })
      if (due === undefined) return
      await lookAgain(due).catch(async (error: unknown) => {
        if (!controller.signal.aborted) onFailure(error)
        await store.postpone(due, clock.now() + AGAIN_MS)
      })
    }
  }
  const loop = () => {
    looking = look()
      .catch(onFailure)
      .then(() => {
        if (!controller.signal.aborted) timer = setTimeout(loop, LOOK_MS).unref()
      })
  }
  return {
    review,
    reviewSolana,
    start: loop,
    async close() {
      controller.abort()
      clearTimeout(timer)
      await looking
      await writes.close()
    },
  }
}

/** Never at once again: what is due and shows nothing waits. */
const later = (followed: Followed, now: number) => {
  const next = nextLookOf(followed)
  return next === undefined ? undefined : Math.max(next, now + AGAIN_MS)
}

async function note(
  { store, sample, watcher }: FollowVerdictsOptions,
  { chainId, address, caller }: Pick<Followed, 'chainId' | 'address'> & { caller: string | undefined },
  { level, sight }: { level: TrustStatus; sight: Sight | undefined },
  now: number,
): Promise<void> {
  if (sight === undefined) return
  const known = await store.find(chainId, address)
  if (known !== undefined) return noteSight(store, known, now, sight)
  const origin = caller === watcher ? 'watch' : 'sample'
  // Where there is no market, nothing can be lost in it.
  if (sight.pool === undefined || (origin === 'sample' && sample === 0)) return
  await store.follow(
    {
      ...{ chainId, address, origin, judgedAt: now, level, wasTrap: sight.isTrap, sight },
      ...{ harm: undefined, harmAt: undefined, seen: { 7: undefined, 30: undefined } },
    },
    sharesOf(sample),
  )
}

async function noteSight(store: OutcomeStore, known: Followed, now: number, sight: Followed['sight']): Promise<void> {
  if (nextLookOf(known) === undefined) return
  const seen = lookBack(known, now, sight)
  const isNew = seen.harm !== known.harm || nextLookOf(seen) !== nextLookOf(known)
  if (isNew) await store.write(seen, nextLookOf(seen))
}

const sharesOf = (sample: number): FollowShares => ({
  ...{ sample, all: MAX_FOLLOWED },
  sampleOfHour: Math.ceil(sample / HOURS_FOLLOWED),
})

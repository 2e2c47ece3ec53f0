import { setTimeout as sleep } from 'node:timers/promises'
import { type RpcBudget, withinBudget } from './budget.js'
import type { Endpoint } from './endpoint.js'

export interface Choice {
  candidates: ReadonlySet<Endpoint>
  /** How often each was tried for this question. */
  tries: ReadonlyMap<Endpoint, number>
  prefer: number | undefined
  budget: RpcBudget
}

/**
 * Untried before tried, preferred before others, then in the operator's order; waits a little when
 * all are to be left alone.
 */
export async function chooseEndpoint({ candidates, tries, prefer, budget }: Choice): Promise<Endpoint | undefined> {
  const rank = (endpoint: Endpoint) =>
    (tries.get(endpoint) ?? 0) * TRY_WEIGHT + (endpoint.id === prefer ? -1 : endpoint.id)
  const ordered = [...candidates].sort((a, b) => rank(a) - rank(b))
  const ready = ordered.find(({ breaker }) => breaker.waitMs() === 0)
  const repeatPauseMs = ready && tries.has(ready) ? REPEAT_PAUSE_MS * (1 + Math.random()) : 0
  const soonest = ready ?? ordered.sort((a, b) => a.breaker.waitMs() - b.breaker.waitMs())[0]
  const waitMs = Math.max(soonest?.breaker.waitMs() ?? 0, repeatPauseMs)
  if (soonest === undefined || waitMs > MAX_WAIT_MS) return undefined
  if (waitMs > 0) await withinBudget(sleep(waitMs), budget)
  return soonest
}

/**
 * When every node wants to be left alone, wait this long for the first, but no longer: the caller
 * has a deadline.
 */
const MAX_WAIT_MS = 1_200
/** Between two tries at one node: a block needs about this long to get from node to node. */
const REPEAT_PAUSE_MS = 150
/** More than any operator lists endpoints: an untried one always comes first. */
const TRY_WEIGHT = 1_000

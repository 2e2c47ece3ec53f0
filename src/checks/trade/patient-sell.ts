import { type Leg, sell, type TradeContext } from '../../dex/legs.js'
import { mark, wait } from '../../simulation/fork-verbs.js'
import { isRemote } from '../../simulation/scenario.js'
import { isOutOfGas } from '../../simulation/trader.js'
import { onBranch } from '../on-branch.js'
import { blockingFrame } from './failure-reason.js'

/** A sell, and how long its seller had to wait for it to work. */
export interface PatientSell {
  /** The sell that worked, or the first one when none did. */
  leg: Leg
  /**
   * Seconds after the block in which an ordinary seller would have sold; 0 when that worked, or
   * when nothing did.
   */
  waitedSeconds: number
}

/** Waits that a cooldown may ask for. Longer ones show in the later windows. Seconds. */
const PATIENCE_SECONDS = [60, 300, 3_600]

/**
 * Sells `amount`. A sell that is refused is tried again after a minute, five, and an hour: a token
 * that makes its buyers wait a little is no trap. Where waiting helps, the shortest wait that does
 * is found, and the fork's clock is left there.
 */
export function sellPatiently(context: TradeContext, amount: bigint): PatientSell {
  const back = mark(context.fork)
  const first = sell(context, amount)
  if (first.success || ranDry(first) || isRemote(context.fork)) return { leg: first, waitedSeconds: 0 }
  const worksAfter = (seconds: number) => onBranch(context, () => sellAfter(context, amount, seconds)).success
  const enough = PATIENCE_SECONDS.find(worksAfter)
  if (enough === undefined) return { leg: first, waitedSeconds: 0 }
  const tooShort = PATIENCE_SECONDS[PATIENCE_SECONDS.indexOf(enough) - 1] ?? 0
  const waitedSeconds = shortest(tooShort, enough, worksAfter)
  back()
  return { leg: sellAfter(context, amount, waitedSeconds), waitedSeconds }
}

/** Work without end does not end later, and each further try would have to be paid for. */
export function ranDry({ sent }: Leg): boolean {
  const frame = blockingFrame(sent.call)
  return frame !== undefined && isOutOfGas(frame)
}

function sellAfter(context: TradeContext, amount: bigint, seconds: number): Leg {
  wait(context.fork, seconds * 1_000)
  return sell(context, amount)
}

/**
 * The least number between one that fails and one that works, if there is one border between them.
 * At most twelve tries for an hour.
 */
function shortest(fails: number, works: number, worksAt: (seconds: number) => boolean): number {
  let [low, high] = [fails, works]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (worksAt(middle)) high = middle
    else low = middle
  }
  return high
}

import type { BlockEnvironment } from '../../evm/block-environment.js'
import { branch, sendAs } from '../../simulation/fork-verbs.js'
import { travel } from '../../simulation/pending-block.js'
import type { Holding } from './assets.js'
import { PAYMENT_GAS } from './books.js'
import { type Loss, lossesOf } from './losses.js'
import type { Attempt, Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'

/** What the victim has named as what may be taken, as it put itself on record. */
export interface Agreement {
  /** Base units. */
  amount: bigint
  /** The block it was made in. */
  since: BlockEnvironment
}

/**
 * Whether the victim has agreed to be charged that: up to what it has named, and not again at the
 * same moment without end; or more in the measure of the time that has passed.
 */
export function isAgreed(stage: Stage, attempt: Attempt, { holding, amount }: Loss): boolean {
  const { agreement } = stage
  if (agreement === undefined || holding.kind !== 'erc20' || amount >= holding.amount) return false
  return amount <= agreement.amount
    ? !isEndless(stage, attempt, { holding, amount })
    : isRate(stage, attempt, { holding, amount }, agreement)
}

type Charge = Pick<Loss, 'holding' | 'amount'>

/** The same call once more takes as much again, and nothing but the token has changed by it. */
function isEndless(stage: Stage, attempt: Attempt, charge: Charge): boolean {
  // A contract sends nothing by itself.
  if (stage.fork.evm.code(attempt.from).length > 0) return false
  const again = branch(stage.fork, () => {
    const { status } = sendAs(stage.fork, { ...attempt, gasLimit: PAYMENT_GAS })
    return status === 'success' ? stage.play(attempt) : undefined
  })
  return again !== undefined && takenBy(again, charge.holding) >= charge.amount && leavesNoTrace(again, charge.holding)
}

const leavesNoTrace = ({ storage }: Outcome, { account }: Holding) =>
  [...storage.writes].every(
    ([written, slots]) => written === account || [...slots.values()].every(({ before, after }) => before === after),
  )

/**
 * In twice the time it takes twice as much, or in half of it half; and no more than what was named
 * for each second. A rate that has come to its end takes the same for ever.
 */
function isRate(stage: Stage, attempt: Attempt, { holding, amount }: Charge, agreement: Agreement): boolean {
  const { evm, chain } = stage.fork
  const passed = evm.block.timestamp - agreement.since.timestamp
  if (passed <= 0n || amount > agreement.amount * passed) return false
  const takenAfter = (seconds: bigint) =>
    branch(stage.fork, () => {
      evm.setBlock(travel(chain, agreement.since, Number(seconds) * 1_000))
      return takenBy(stage.play(attempt), holding)
    })
  return isTwice(takenAfter(2n * passed), amount) || isTwice(amount, takenAfter(passed / 2n))
}

/** Give or take a quarter: what is charged by the day or the month is no straight line. */
const isTwice = (more: bigint, less: bigint) => less > 0n && 2n * more >= 3n * less && 2n * more <= 5n * less

const takenBy = (outcome: Outcome, holding: Holding) => lossesOf(outcome, [holding], [])[0]?.amount ?? 0n

import { branch } from '../../simulation/fork-verbs.js'
import { withWords } from './call-data.js'
import { VISIT_PLAYS } from './deposit-acts.js'
import { type Deposit, type Exit, findExit, isOpenHere, isPoor, NO_TERMS, pay } from './exits.js'
import type { Attempt } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'

/** Thirds of a coin, or of a token, that are paid in: what is large to one is small to another. */
const THIRDS = [1n, 30n, 3_000n]
const COIN_DECIMALS = 18

/**
 * A deposit of more by the same call, of which the way out that gives the smaller one back gives
 * less than half: savings that come back whole up to an amount. `undefined` where all of them come
 * back, or are not taken at all.
 */
export function findWorseFor(stage: Stage, deposit: Deposit, exit: Exit): Deposit | undefined {
  const { fork, victim } = stage
  const { attempt, request } = exit
  if (attempt === undefined || deposit.holding?.kind === 'nft' || isPoor(deposit, exit)) return undefined
  if (stage.left < VISIT_PLAYS) {
    stage.isCut = true
    return undefined
  }
  const times = (call: Attempt, factor: bigint): Attempt => scaled(call, deposit, factor)
  const unit = 10n ** BigInt(deposit.holding?.decimals ?? COIN_DECIMALS)
  const factors = THIRDS.map((thirds) => (thirds * unit) / (3n * deposit.amount)).filter((factor) => factor > 1n)
  for (const factor of factors) {
    const larger = { ...deposit, attempt: times(deposit.attempt, factor), amount: deposit.amount * factor }
    const way: Exit = {
      ...exit,
      request: request && times(request, factor),
      attempt: times(attempt, factor),
      amount: larger.amount,
    }
    const isWorse = branch(fork, () => {
      if (!pay(stage, larger, victim.address)) return undefined
      if (isOpenHere(stage, larger, way)) return false
      return 2n * (findExit(stage, larger, NO_TERMS)?.amount ?? 0n) < larger.amount
    })
    // What takes no more of it has said so.
    if (isWorse === undefined) return undefined
    if (isWorse) return larger
  }
  return undefined
}

/** The call with more in the place of the amount, of coins and wherever its words say it. */
export function scaled(
  { value, data, ...call }: Attempt,
  { amount }: Pick<Deposit, 'amount'>,
  factor: bigint,
): Attempt {
  const times = (number: bigint) => (number === amount ? number * factor : number)
  return { ...call, data: withWords(data, times), ...(value !== undefined && { value: times(value) }) }
}

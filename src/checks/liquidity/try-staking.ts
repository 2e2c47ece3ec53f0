import { balanceOf } from '../../dex/read-contract.js'
import { type Address, ZERO_ADDRESS } from '../../hex.js'
import { branch } from '../../simulation/fork-verbs.js'
import type { Fork } from '../../simulation/scenario.js'
import { actAs } from '../powers/act.js'
import type { ShareTransfer } from './read-shares.js'
import { listReturns } from './try-unlock.js'

/** An account whose LP tokens lie in a contract that gives each back their own. */
export interface Staker {
  person: Address
  amount: bigint
}

/** Who put most in; one of them alone proves no more than a lock that has opened. */
const MAX_STAKERS = 12
const LEAST_STAKERS = 2
/** Calls per staker. */
const MAX_TRIES = 120
/**
 * What an account gets back may differ from what was put in by rounding and small fees. Percent.
 */
const TOLERANCE = 2n

/**
 * Whether a contract is one in which several people staked their LP tokens, such as an exchange's
 * gauge: each takes out what they put in, and no more. Those who did, or `undefined`: then it is
 * something else. Leaves the fork as it was.
 */
export function tryStaking(
  fork: Fork,
  pool: Address,
  vault: Address,
  transfers: readonly ShareTransfer[],
  operator: Address,
): Staker[] | undefined {
  const staked = listStakers(transfers, vault)
  if (staked.length < LEAST_STAKERS) return undefined
  const found: Staker[] = []
  for (const staker of staked) {
    const taken = takeBack(fork, pool, vault, staker, operator)
    if (taken === 'more') return undefined
    if (taken === 'own') found.push(staker)
  }
  return found.length < LEAST_STAKERS ? undefined : found
}

/** What each put in and has not got back, the most first. */
function listStakers(transfers: readonly ShareTransfer[], vault: Address): Staker[] {
  const staked = new Map<Address, bigint>()
  const add = (person: Address, amount: bigint) => staked.set(person, (staked.get(person) ?? 0n) + amount)
  for (const { from, to, amount } of transfers) {
    if (to === vault) add(from, amount)
    if (from === vault) add(to, -amount)
  }
  return [...staked]
    .map(([person, amount]) => ({ person, amount }))
    .filter(({ person, amount }) => amount > 0n && person !== ZERO_ADDRESS)
    .toSorted((a, b) => Number(b.amount > a.amount) - Number(b.amount < a.amount))
    .slice(0, MAX_STAKERS)
}

function takeBack(
  fork: Fork,
  pool: Address,
  vault: Address,
  { person, amount }: Staker,
  operator: Address,
): 'own' | 'more' | 'nothing' {
  const had = balanceOf(fork, pool, vault) ?? 0n
  let best: 'own' | 'nothing' = 'nothing'
  for (const input of listReturns(fork, pool, vault, person, amount).slice(0, MAX_TRIES)) {
    const left = branch(fork, () => {
      const { success } = actAs(fork, { from: person, to: vault, input }, operator)
      return success ? (balanceOf(fork, pool, vault) ?? had) : had
    })
    if (had - left > (amount * (100n + TOLERANCE)) / 100n) return 'more'
    if (had - left >= (amount * (100n - TOLERANCE)) / 100n) best = 'own'
  }
  return best
}

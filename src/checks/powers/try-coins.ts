import { FULL_BPS } from '../../dex/tax.js'
import type { Leaf } from '../../evm/inspectors/term.js'
import { type Address, wordToAddress } from '../../hex.js'
import { solveLeaf } from '../../simulation/solve-leaf.js'
import { leavesOf } from '../conditions/conditions.js'
import { onBranch } from '../on-branch.js'
import { actAs } from './act.js'
import type { DecisiveWords } from './decisive-words.js'
import { NO_SELECTOR } from './hidden-entries.js'
import { lookAtTrade } from './look.js'
import type { Power, ProofStep } from './power.js'
import type { Stage } from './stage.js'

/** Balances of native coin that a sale asks for, and gifts to each. */
const MAX_BALANCES = 3
const MAX_GIFTS = 2
/** What a gift may cost its sender: a thousand coins. Wei. */
const MAX_VALUE = 10n ** 21n

/**
 * Native coin, which any address can send, or leave behind where it is refused: where a sale asks
 * for the coins of an account that is no trader's, that account is given what turns the answer.
 */
export function tryCoins(stage: Stage, { conditions }: DecisiveWords, hasBudget: () => boolean): Power[] {
  const asked = new Map<Address, Set<bigint>>()
  for (const { condition, address } of conditions) {
    for (const leaf of leavesOf(condition)) {
      const whose = accountOf(leaf, address)
      if (whose === undefined || isTraders(stage, whose)) continue
      const isLeaf = (other: Leaf) => accountOf(other, address) === whose
      const wanted = solveLeaf(condition, isLeaf, leaf.value).filter(
        (value) => value > leaf.value && value - leaf.value <= MAX_VALUE,
      )
      asked.set(whose, new Set([...(asked.get(whose) ?? []), ...wanted.map((value) => value - leaf.value)]))
    }
  }
  return [...asked].slice(0, MAX_BALANCES).flatMap(([address, gifts]) => {
    for (const gift of [...gifts].slice(0, MAX_GIFTS)) {
      const power = hasBudget() ? onBranch(stage, () => give(stage, address, gift)) : undefined
      if (power) return [power]
    }
    return []
  })
}

function accountOf(leaf: Leaf, self: Address): Address | undefined {
  if (leaf.kind !== 'environment') return undefined
  if (leaf.name === 'SELFBALANCE') return self
  return leaf.name === 'BALANCE' && leaf.about !== undefined ? wordToAddress(leaf.about) : undefined
}

const isTraders = ({ exchange, buyer, bystander, newcomer }: Stage, address: Address) =>
  exchange.has(address) || [buyer.context, bystander.context, newcomer].some(({ trader }) => trader.address === address)

function give(stage: Stage, to: Address, value: bigint): Power | undefined {
  const { fork, fresh, operator, effort } = stage
  const step: ProofStep = { from: fresh, to, input: '0x', value }
  effort.calls += 1
  const isTaken = actAs(fork, step, operator).success
  // A contract that ends leaves its coins to the account that it names, which is not asked.
  if (!isTaken) fork.evm.setBalance(to, fork.evm.account(to).balance + value)
  const [effect] = lookAtTrade(stage, { hasNumber: false }, false)
  if (effect === undefined) return undefined
  return {
    ...{ contract: to, selector: NO_SELECTOR, argumentTypes: '' },
    holder: { kind: 'anyone', address: fresh, delaySeconds: 0, isHidden: false },
    ...{ effect: effect.kind, lossBps: effect.lossBps },
    ...(effect.purchasesGoOn !== undefined && { purchasesGoOn: effect.purchasesGoOn }),
    worstCase: `coins that were sent there: ${effect.outcome}`,
    isBounded: effect.lossBps < FULL_BPS / 2,
    isReversible: undefined,
    tried: 1,
    proof: isTaken ? { steps: [step], outcome: effect.outcome } : undefined,
  }
}

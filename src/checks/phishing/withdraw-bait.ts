import type { Address } from '../../hex.js'
import { branch, sendAs, wait } from '../../simulation/fork-verbs.js'
import { dataOf } from './attack.js'
import type { Attempt } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import type { EntryNotes } from './probe-entry.js'
import type { EntryPoint } from './read-functions.js'

/** Less than a thousandth of a coin lures no victim. */
const LEAST_BAIT_WEI = 1_000_000_000_000_000n
const MONTH_MS = 30 * 86_400_000
/** Deposits and functions tried; a bait is a small contract. */
const MAX_DEPOSITS = 2
const MAX_FUNCTIONS = 24

/**
 * The classic bait: coins lie in the contract, everybody may pay in, and the function that pays out
 * does so for the owner after the owner's own deposit, and for no other account, now or a month
 * later.
 */
export function findWithdrawBait(stage: Stage, notes: EntryNotes): void {
  const { fork, target } = stage
  const holders = [...notes.holders].filter((holder) => fork.evm.code(holder).length === 0)
  if (holders.length === 0 || fork.evm.account(target).balance < LEAST_BAIT_WEI) return
  for (const deposit of notes.deposits.slice(0, MAX_DEPOSITS)) {
    const entries = stage.entries.slice(0, MAX_FUNCTIONS)
    if (entries.some((entry) => paysOut(stage, deposit, entry, stage.victim.address))) return
    for (const holder of holders) {
      const entry = entries.find(
        (each) => paysOut(stage, deposit, each, holder) && !paysWithoutDeposit(stage, deposit, each, holder),
      )
      if (entry === undefined) continue
      note(stage, deposit, entry)
      return
    }
  }
}

const paymentOf = ({ value = 0n }: Attempt) => value

/** Whether an account that paid in gets coins out by this function, now or after a month. */
function paysOut(stage: Stage, deposit: Attempt, entry: EntryPoint, who: Address): boolean {
  const { fork } = stage
  return branch(fork, () => {
    const paidIn = sendAs(fork, { ...deposit, from: who, gasLimit: DEPOSIT_GAS })
    if (paidIn.status !== 'success') return false
    const attempt = withdrawal(stage, deposit, entry, who)
    const gets = () => (stage.play(attempt).native.get(who) ?? 0n) > 0n
    if (gets()) return true
    wait(fork, MONTH_MS)
    return gets()
  })
}

function paysWithoutDeposit(stage: Stage, deposit: Attempt, entry: EntryPoint, who: Address): boolean {
  return (stage.play(withdrawal(stage, deposit, entry, who)).native.get(who) ?? 0n) > 0n
}

/** Numbers are what was paid in, accounts are the caller itself. */
function withdrawal(stage: Stage, deposit: Attempt, entry: EntryPoint, who: Address): Attempt {
  const marks = stage.marks.valuesFor(entry.template)
  const values = entry.template.leaves.map(({ type }, i) => {
    if (type === 'address') return BigInt(who)
    return type.startsWith('uint') && type !== 'uint8' ? paymentOf(deposit) : (marks[i] ?? 0n)
  })
  return { from: who, to: stage.target, data: dataOf(entry, values) }
}

const DEPOSIT_GAS = 400_000n

function note(stage: Stage, deposit: Attempt, { selector }: EntryPoint): void {
  stage.findings.push({
    id: 'withdraw-bait',
    check: undefined,
    selector,
    by: 'victim',
    caller: stage.victim.address,
    asset: undefined,
    amount: paymentOf(deposit),
    to: stage.target,
    grantedTo: undefined,
    trace: undefined,
    text: undefined,
  })
}

import type { Address } from '../../hex.js'
import { branch } from '../../simulation/fork-verbs.js'
import { booksOf } from './books.js'
import { dataOf } from './call-data.js'
import { type Deposit, hasExit, pay, withdrawals } from './exits.js'
import type { Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import type { EntryNotes } from './probe-as-others.js'
import type { EntryPoint } from './read-functions.js'

/** Deposits tried of coins, and of tokens. */
const MAX_DEPOSITS = 2
/** Functions tried for those who may take a deposit. */
const MAX_FUNCTIONS = 24
/** Every word of storage: what would be if it could be set. */
const ANY: ReadonlySet<string> = Object.assign(new Set<string>(), { has: () => true })

/**
 * Deposits that cannot come out: the contract keeps book of what the victim paid in, no function
 * gives it back, now or in a year or by any setting that can be made, and either one would if a
 * word were set that no function writes, or a master takes it. Not where functions stayed closed to
 * every account that was tried: those may be what opens the way.
 */
export function judgeDeposits(stage: Stage, notes: EntryNotes): void {
  const coins = notes.deposits
    .slice(0, MAX_DEPOSITS)
    .map((attempt): Deposit => ({ attempt, amount: attempt.value ?? 0n, holding: undefined }))
  for (const deposit of [...coins, ...notes.tokenDeposits.slice(0, MAX_DEPOSITS)]) {
    if (!isBooked(stage, deposit) || hasExit(stage, deposit, notes.written)) continue
    const taker = findTaker(stage, deposit, notes)
    const isShut = hasExit(stage, deposit, ANY)
    const closed = stage.entries.filter(({ selector }) => selector !== undefined && notes.closed.has(selector))
    // What is shut is one of those that stayed closed.
    if (closed.length > (isShut || deposit.holding === undefined ? 1 : 0)) continue
    const worksForMaster = deposit.holding === undefined && isBait(stage, deposit, notes)
    if (!isShut && !worksForMaster && (taker === undefined || deposit.holding === undefined)) continue
    note(stage, deposit, taker)
    return
  }
}

/** Whether the contract says of the depositor alone how much it was. */
function isBooked(stage: Stage, { attempt, amount }: Deposit): boolean {
  const books = booksOf(stage, stage.play(attempt), (twin) => stage.play({ ...attempt, from: twin.address }))
  return books.some(({ before, after }) => after - before === amount)
}

/**
 * Whether a master has coins back by what gives the victim none, and only after a deposit of its
 * own.
 */
function isBait(stage: Stage, deposit: Deposit, notes: EntryNotes): boolean {
  const { fork, target } = stage
  if (fork.evm.account(target).balance < LEAST_BAIT_WEI) return false
  return mastersOf(stage, notes).some((master) =>
    entriesOf(stage).some((entry) => {
      const gets = () => mostBack(stage, deposit, entry, master) > 0n
      return branch(fork, () => pay(stage, deposit, master) && gets()) && !gets()
    }),
  )
}

/** Less than a thousandth of a coin lures no victim. */
const LEAST_BAIT_WEI = 1_000_000_000_000_000n

/** The function by which a master takes what the victim has deposited. */
function findTaker(stage: Stage, deposit: Deposit, notes: EntryNotes): EntryPoint | undefined {
  const { fork, victim } = stage
  return branch(fork, () => {
    if (!pay(stage, deposit, victim.address)) return undefined
    return entriesOf(stage).find((entry) =>
      mastersOf(stage, notes).some((master) => mostBack(stage, deposit, entry, master) * 2n >= deposit.amount),
    )
  })
}

const entriesOf = ({ entries }: Stage) => entries.slice(0, MAX_FUNCTIONS)

const mastersOf = ({ fork }: Stage, { holders }: EntryNotes) =>
  [...holders].filter((holder) => fork.evm.code(holder).length === 0)

/** The most that a call of the function moves from the target to another than the victim. */
function mostBack(stage: Stage, deposit: Deposit, entry: EntryPoint, who: Address): bigint {
  const moved = withdrawals(stage, deposit, entry, who).map((values) => {
    const outcome = stage.play({ from: who, to: stage.target, data: dataOf(entry, values) })
    return outcome.success ? leftTarget(stage, deposit, outcome) : 0n
  })
  return moved.toSorted((a, b) => (a < b ? 1 : -1))[0] ?? 0n
}

function leftTarget({ target, victim }: Stage, { holding }: Deposit, { native, tokens }: Outcome): bigint {
  const changes = holding === undefined ? native : tokens.get(holding.token)
  if (changes === undefined || (changes.get(victim.address) ?? 0n) > 0n) return 0n
  const change = changes.get(target) ?? 0n
  return change < 0n ? -change : 0n
}

function note(stage: Stage, { amount, holding }: Deposit, taker: EntryPoint | undefined): void {
  const { victim, target } = stage
  stage.findings.push({
    id: 'withdraw-bait',
    check: undefined,
    selector: taker?.selector,
    by: 'victim',
    caller: victim.address,
    asset: holding && { token: holding.token, symbol: holding.symbol, decimals: holding.decimals, kind: holding.kind },
    amount,
    to: target,
    grantedTo: undefined,
    trace: undefined,
    text: undefined,
  })
}

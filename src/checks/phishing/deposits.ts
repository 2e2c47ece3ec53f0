import { callData } from '../../dex/read-contract.js'
import { type Address, WORD_MASK } from '../../hex.js'
import { branch, sendAs } from '../../simulation/fork-verbs.js'
import type { Holding } from './assets.js'
import { takeByBatch } from './batched-deposits.js'
import { type Book, booksOf, ofTwin, PAYMENT_GAS } from './books.js'
import { dataOf, selectorIn } from './call-data.js'
import { type Act, actsUpon, mastersOf, VISIT_PLAYS } from './deposit-acts.js'
import { findTaking, LEAST_NOTICE_MS, type Taking } from './deposit-takers.js'
import { type Deposit, type Exit, findExit, hasExit, pay, withdrawals } from './exits.js'
import { actsElsewhere } from './foreign-acts.js'
import { findLock, type Lock } from './late-locks.js'
import type { PhishingFinding } from './phishing-facts.js'
import type { Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import type { EntryNotes } from './probe-as-others.js'
import type { EntryPoint } from './read-functions.js'
import { findGains } from './search-gains.js'
import { giveToken } from './victim.js'

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
  for (const deposit of [...firstOfEach(notes.deposits), ...firstOfEach(notes.tokenDeposits)]) {
    if (stage.left < VISIT_PLAYS) {
      stage.isCut = true
      return
    }
    const books = booksOfDeposit(stage, deposit)
    if (books.length === 0) continue
    if (judgeExit(stage, deposit, notes)) continue
    // What does not say how much it was need not be owed.
    if (!books.some(({ before, after }) => after - before === deposit.amount)) continue
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

/** The least that each function was paid. */
function firstOfEach(deposits: readonly Deposit[]): Deposit[] {
  const byFunction = new Map(
    deposits.toReversed().map((each) => [`${selectorIn(each.attempt.data)} ${each.holding?.kind}`, each]),
  )
  return [...byFunction.values()].toReversed().slice(0, MAX_DEPOSITS)
}

/** What the contract says of the depositor alone. */
const booksOfDeposit = (stage: Stage, { attempt }: Deposit): Book[] =>
  booksOf(stage, stage.play(attempt), () => stage.play(ofTwin(stage, attempt)))

/**
 * Whether there is a way out; and what becomes of it: whether it is shut later, and whether others
 * take what lies there before its depositor could have seen it coming.
 */
function judgeExit(stage: Stage, deposit: Deposit, notes: EntryNotes): boolean {
  const { fork, victim } = stage
  return branch(fork, () => {
    if (!pay(stage, deposit, victim.address)) return false
    const exit = findExit(stage, deposit, notes.written)
    if (exit === undefined) return false
    if (stage.findings.some(({ id }) => OF_DEPOSITS.has(id))) return true
    if (deposit.holding !== undefined)
      for (const master of mastersOf(stage, notes)) equip(stage, master, deposit.holding)
    const own = actsUpon(stage, deposit, notes)
    const refused = own.flatMap(({ outcome }) => (outcome.success ? [] : outcome.storage.reads))
    const acts = [...actsElsewhere(stage, deposit, [...refused, exit.reads]), ...own]
    const taking =
      findTaking(stage, deposit, exit, acts) ??
      takeByBatch(stage, deposit, exit) ??
      findGains(stage, deposit, exit, notes)
    if (taking !== undefined) stage.findings.push(takingOf(stage, deposit, taking))
    // What is gone is locked as well, and told once.
    if (taking !== undefined && taking.noticeMs < LEAST_NOTICE_MS) return true
    const lock = findLock(stage, deposit, exit, [...acts, ...depositsOfOthers(stage, deposit, notes)])
    if (lock !== undefined) stage.findings.push(lockOf(stage, deposit, exit, lock))
    return true
  })
}

/** The same by another, as large as any: what is paid in by many may be worth less to each. */
function depositsOfOthers(stage: Stage, { attempt, holding }: Deposit, { deposits, tokenDeposits }: EntryNotes): Act[] {
  const selector = selectorIn(attempt.data)
  const entry = stage.entries.find((each) => each.selector === selector)
  const same = (holding ? tokenDeposits : deposits).filter((each) => each.attempt.data.startsWith(selector))
  const largest = same.toSorted((a, b) => (a.amount < b.amount ? 1 : -1))[0]
  if (entry === undefined || largest === undefined) return []
  const other = ofTwin(stage, largest.attempt)
  return [{ entry, attempt: other, by: 'anyone', outcome: stage.play(other) }]
}

/** One of each is enough. */
const OF_DEPOSITS: ReadonlySet<string> = new Set(['deposit-taker', 'late-lock'])

function takingOf(stage: Stage, deposit: Deposit, { acts, noticeMs, to }: Taking): PhishingFinding {
  const last = acts.at(-1)
  return {
    ...depositFinding(stage, deposit),
    id: noticeMs < LEAST_NOTICE_MS ? 'deposit-taker' : 'announced-taker',
    selector: last?.entry.selector,
    by: last?.by ?? 'holder',
    caller: last?.attempt.from,
    to,
    trace: last?.outcome.trace,
    steps: acts.flatMap(({ entry }) => entry.selector ?? []),
  }
}

function lockOf(stage: Stage, deposit: Deposit, { attempt }: Exit, { act, isSwitch }: Lock): PhishingFinding {
  const base = depositFinding(stage, deposit)
  const { target } = stage
  if (act === undefined) {
    const selector = attempt && selectorIn(attempt.data)
    return { ...base, id: 'late-lock', selector, by: 'victim', to: target }
  }
  const { entry, by, attempt: made, outcome } = act
  const id = isSwitch ? 'exit-switch' : 'late-lock'
  return { ...base, id, selector: entry.selector, by, caller: made.from, to: target, trace: outcome.trace }
}

function depositFinding({ victim }: Stage, { amount, holding }: Deposit): PhishingFinding {
  const asset = holding && {
    token: holding.token,
    symbol: holding.symbol,
    decimals: holding.decimals,
    kind: holding.kind,
  }
  return {
    ...{ id: 'withdraw-bait', check: undefined, selector: undefined, by: 'victim', caller: victim.address },
    ...{ asset, amount, to: undefined, grantedTo: undefined, trace: undefined, text: undefined },
  }
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

/** Gives an account of a token what it may pay in, and has it approve the target. */
function equip({ fork, target }: Stage, who: Address, { kind, token, symbol, decimals }: Holding): void {
  if (kind !== 'erc20' || giveToken(fork, who, { token, symbol, decimals }, 1n) === undefined) return
  sendAs(fork, { from: who, to: token, data: callData(APPROVE, [target, WORD_MASK]), gasLimit: PAYMENT_GAS })
}

/** `approve(address,uint256)` */
const APPROVE = '0x095ea7b3'

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

function note(stage: Stage, deposit: Deposit, taker: EntryPoint | undefined): void {
  stage.findings.push({ ...depositFinding(stage, deposit), selector: taker?.selector, to: stage.target })
}

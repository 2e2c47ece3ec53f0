import { callData } from '../../dex/read-contract.js'
import { type Address, WORD_MASK } from '../../hex.js'
import { branch, sendAs } from '../../simulation/fork-verbs.js'
import type { Holding } from './assets.js'
import { takeByBatch } from './batched-deposits.js'
import { allBooksOf, type Book, ofTwin, PAYMENT_GAS, recordsBeside, saysAmount, tellsFrom } from './books.js'
import { selectorIn } from './call-data.js'
import { type Act, actsUpon, mastersOf, VISIT_PLAYS } from './deposit-acts.js'
import { findTaking, LEAST_NOTICE_MS, type Taking } from './deposit-takers.js'
import { judgeClaim, judgeWithoutExit, type Lost } from './deposits-without-exit.js'
import { type Deposit, type Exit, findExit, pay } from './exits.js'
import { actsElsewhere } from './foreign-acts.js'
import { findWorseFor, scaled } from './larger-deposits.js'
import { findLock, type Lock } from './late-locks.js'
import type { PhishingFinding } from './phishing-facts.js'
import type { Stage } from './phishing-stage.js'
import { type JudgedExit, takeTheRest } from './poor-exits.js'
import type { EntryNotes } from './probe-as-others.js'
import { findGains } from './search-gains.js'
import { takeAsSpeaker } from './spoken-for.js'
import { giveToken } from './victim.js'

/** Deposits tried of coins, and of tokens. */
const MAX_DEPOSITS = 2

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
    const found = branch(stage.fork, () => {
      takeBackGiven(stage, deposit)
      return judgeDeposit(stage, deposit, notes)
    })
    if (found === undefined) continue
    stage.findings.push(found)
    return
  }
}

/** What it comes to without a way out, or with one that gives little of it back, if it is large. */
function judgeDeposit(stage: Stage, deposit: Deposit, notes: EntryNotes, isLarge = false): PhishingFinding | undefined {
  const books = booksOfDeposit(stage, deposit)
  if (books.length === 0) return undefined
  const way = judgeExit(stage, deposit, notes)
  if (way === 'told') return undefined
  // What does not say how much it was need not be owed.
  const isOwing = books.some((book) => isOwed(book, deposit))
  const claims = isOwing ? books : claimsIn(stage, deposit, books)
  if (way === undefined) {
    const judge = isOwing ? judgeWithoutExit : judgeClaim
    const lost = judge(stage, deposit, { notes, books: claims })
    return lost && baitOf(stage, deposit, lost)
  }
  // What gives a part back may have been paid for the rest.
  if (!claims.some((book) => isOwed(book, deposit))) return undefined
  const rest = takeTheRest(stage, deposit, way, { books: claims, views: notes.views })
  if (rest === undefined) {
    const larger = isLarge ? undefined : findWorseFor(stage, deposit, way.exit)
    return larger && judgeDeposit(stage, larger, notes, true)
  }
  return 'taking' in rest ? takingOf(stage, deposit, rest.taking) : baitOf(stage, deposit, rest)
}

/** A thing is owed to the account that its book names. */
const isOwed = (book: Book, { amount, holding }: Deposit): boolean =>
  holding?.kind === 'nft' || saysAmount(book, amount)

/** Of books that do not say how much it was, those that say it in other words, or beside. */
function claimsIn(stage: Stage, deposit: Deposit, books: readonly Book[]): Book[] {
  const { attempt } = deposit
  const all = [...books, ...recordsBeside(stage, attempt, books)]
  const twice = stage.play(scaled(attempt, deposit, 2n))
  return all.some((book) => isOwed(book, deposit) || tellsFrom(book, twice)) ? all : []
}

/** What was written into a vault's own books without a payment would be asked for with the rest. */
function takeBackGiven({ fork, given, target }: Stage, { holding }: Deposit): void {
  if (given !== undefined && holding?.token !== target) fork.evm.setStorage(given.account, given.slot, 0n)
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
  allBooksOf(stage, stage.play(attempt), () => stage.play(ofTwin(stage, attempt)))

/**
 * The way out; and what becomes of it: whether it is shut later, and whether others take what lies
 * there before its depositor could have seen it coming.
 */
function judgeExit(stage: Stage, deposit: Deposit, notes: EntryNotes): JudgedExit | 'told' | undefined {
  const { fork, victim, findings } = stage
  return branch(fork, () => {
    if (!pay(stage, deposit, victim.address)) return undefined
    const budget = { questions: 0 }
    const exit = findExit(stage, deposit, { written: notes.written, budget })
    if (exit === undefined) return undefined
    if (findings.some(({ id }) => OF_DEPOSITS.has(id))) return 'told'
    if (deposit.holding !== undefined)
      for (const who of [...mastersOf(stage, notes), stage.outsider]) equip(stage, who, deposit.holding)
    const own = actsUpon(stage, deposit, notes)
    const refused = own.flatMap(({ outcome }) => (outcome.success ? [] : outcome.storage.reads))
    const acts = [...actsElsewhere(stage, deposit, [...refused, exit.reads]), ...own]
    const taking =
      findTaking(stage, deposit, exit, acts) ??
      takeByBatch(stage, deposit, exit) ??
      takeAsSpeaker(stage, deposit, exit, notes) ??
      findGains(stage, deposit, exit, { notes, acts })
    if (taking !== undefined) findings.push(takingOf(stage, deposit, taking))
    // What is gone is locked as well, and told once.
    if (taking !== undefined && taking.noticeMs < LEAST_NOTICE_MS) return 'told'
    const lock = findLock(stage, deposit, exit, [...acts, ...depositsOfOthers(stage, deposit, notes)])
    if (lock !== undefined) findings.push(lockOf(stage, deposit, exit, lock))
    return lock === undefined || lock.isSwitch ? { exit, acts } : 'told'
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

/** Gives an account of a token what it may pay in, and has it approve the target. */
function equip({ fork, target }: Stage, who: Address, { kind, token, symbol, decimals }: Holding): void {
  if (kind !== 'erc20' || giveToken(fork, who, { token, symbol, decimals }, 1n) === undefined) return
  sendAs(fork, { from: who, to: token, data: callData(APPROVE, [target, WORD_MASK]), gasLimit: PAYMENT_GAS })
}

/** `approve(address,uint256)` */
const APPROVE = '0x095ea7b3'

/** What never comes out, and by which call of a master's, or of its own, another has it. */
function baitOf(stage: Stage, deposit: Deposit, { taker, astray, mock }: Lost): PhishingFinding {
  const base = depositFinding(stage, deposit)
  if (mock !== undefined) return { ...base, selector: mock.entry.selector, trace: mock.outcome.trace }
  if (astray !== undefined) {
    const { entry, outcome, to } = astray
    return { ...base, selector: entry.selector, to, trace: outcome.trace }
  }
  return taker === undefined
    ? { ...base, to: stage.target }
    : { ...base, selector: taker.entry.selector, by: 'holder', caller: taker.attempt.from, to: stage.target }
}

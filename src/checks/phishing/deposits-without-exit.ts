import type { Address } from '../../hex.js'
import { branch, sendAs, wait } from '../../simulation/fork-verbs.js'
import { type Book, PAYMENT_GAS } from './books.js'
import { dataOf, selectorIn } from './call-data.js'
import { type Act, actsUpon, mastersOf } from './deposit-acts.js'
import { doAnd, findTaking, takerIn } from './deposit-takers.js'
import { backOf, type Deposit, type Exit, hasExit, pay, type Terms } from './exits.js'
import { findFalseWithdrawal, takesItself, usesUp } from './false-withdrawals.js'
import { actsElsewhere } from './foreign-acts.js'
import { afterwardsOf, gains } from './judge-loss.js'
import { type Budget, mayAsk, wordName } from './pass-refusals.js'
import type { Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import type { EntryNotes } from './probe-as-others.js'
import type { EntryPoint } from './read-functions.js'
import { isWithdrawalByName } from './withdrawal-names.js'
import { type Astray, findAstray, lateRequestsOf, type Request, requestsOf } from './withdrawals-astray.js'
import { isPassable } from './worth.js'

/** Functions tried for those who may take a deposit. */
const MAX_FUNCTIONS = 24
/** Calls of masters behind which the depositor asks again. */
const MAX_SETTINGS = 12
/** Every word of storage: what would be if it could be set. */
const ANY: ReadonlySet<string> = Object.assign(new Set<string>(), { has: () => true })

/** A deposit that its depositor never has back. */
export interface Lost {
  /** The call by which a master takes it, if one does. */
  taker?: Act | undefined
  /** The depositor's own call, which pays another. */
  astray?: Astray | undefined
  /** The depositor's own call, which pays nothing. */
  mock?: Request | undefined
}

/** What was seen right behind a deposit. */
interface Behind {
  acts: readonly Act[]
  requests: readonly Request[]
  /** How masters take it; the last call moves it. */
  row: readonly Act[]
  taker: Act | undefined
  astray: Astray | undefined
  mock: Request | undefined
  /** The call by which a master takes it once the depositor has asked for it. */
  takenLater: Act | undefined
  /** It goes through for its depositor, and brings it nothing of worth. */
  isMock: boolean
}

/**
 * What becomes of a deposit without a way out: whether it would come out if a word were set that no
 * function writes, whether a master takes it, and whether there is a withdrawal for masters alone.
 * `undefined` where functions stayed closed to every account: those may be what opens the way.
 */
export function judgeWithoutExit(
  stage: Stage,
  deposit: Deposit,
  { notes, books }: { notes: EntryNotes; books: readonly Book[] },
): Lost | undefined {
  const behind = isExchanged(stage, deposit) ? undefined : lookBehind(stage, deposit, { notes, books })
  if (behind === undefined) return undefined
  const { taker, isMock } = behind
  const shown = byWithdrawal(behind)
  if (shown !== undefined) return shown
  const isOfCoins = deposit.holding === undefined
  const isShut = opens(stage, deposit, { written: ANY })
  // What is shut is one of those that stayed closed.
  if (closedTo(stage, notes, behind).length > (isShut || isOfCoins ? 1 : 0)) return undefined
  if (taker === undefined && isShut && opensOnceFunded(stage, deposit, notes)) return undefined
  const isTaken = taker !== undefined && (isShut || deposit.holding?.kind === 'erc20')
  if (isTaken || (isOfCoins && (isMock || isBait(stage, deposit, notes)))) return { taker }
  const isHeld = isShut || (isOfCoins ? isSecured(stage, deposit, { taker, books }) : taker !== undefined)
  return isHeld && !isGranted(stage, deposit, behind) ? { taker } : undefined
}

/**
 * The same where the contract says what it owes in other words than how much was paid in: only a
 * withdrawal that pays nothing, or another, tells it from a payment.
 */
export function judgeClaim(
  stage: Stage,
  deposit: Deposit,
  { notes, books }: { notes: EntryNotes; books: readonly Book[] },
): Lost | undefined {
  if (books.length === 0 || deposit.holding?.kind === 'nft') return undefined
  const behind = lookBehind(stage, deposit, { notes, books })
  return behind && byWithdrawal(behind)
}

/** What the depositor's own withdrawal has shown. */
function byWithdrawal({ astray, mock, takenLater }: Behind): Lost | undefined {
  if (astray !== undefined) return { astray }
  if (mock !== undefined) return { mock }
  return takenLater && { taker: takenLater }
}

/** Whether the depositor had something for its thing at once: another one, tokens, or coins. */
function isExchanged(stage: Stage, { attempt, holding }: Deposit): boolean {
  if (holding?.kind !== 'nft') return false
  const after = afterwardsOf(stage, attempt, (token) => isPassable(stage, attempt, token))
  return gains(stage, stage.victim.address, stage.play(attempt), after)
}

/** Whether a master gives it back, or opens the way: the one who decides over bonds and escrows. */
function isGranted(stage: Stage, deposit: Deposit, { acts }: Behind): boolean {
  const isBack = (outcome: Outcome) => 2n * backOf(stage, deposit, outcome) >= deposit.amount
  return branch(stage.fork, () => {
    if (!pay(stage, deposit, stage.victim.address)) return false
    const ofMasters = acts.filter(({ by, outcome }) => by === 'holder' && outcome.success)
    const settings = ofMasters.filter(({ outcome }) => outcome.storage.writes.size > 0).slice(0, MAX_SETTINGS)
    const opensWay = (act: Act) =>
      doAnd(stage, act, () => requestsOf(stage, deposit).some(({ outcome }) => isBack(outcome))) === true
    return ofMasters.some(({ outcome }) => isBack(outcome)) || settings.some(opensWay)
  })
}

function lookBehind(
  stage: Stage,
  deposit: Deposit,
  { notes, books }: { notes: EntryNotes; books: readonly Book[] },
): Behind | undefined {
  return branch(stage.fork, () => {
    if (!pay(stage, deposit, stage.victim.address)) return undefined
    const acts = actsUpon(stage, deposit, notes)
    const requests = requestsOf(stage, deposit)
    const all = [...requests, ...lateRequestsOf(stage, deposit, requests, notes)]
    const reads = all.map(({ outcome }) => outcome.storage.reads)
    const astray = findAstray(stage, deposit, all, { acts: [...acts, ...actsElsewhere(stage, deposit, reads)] })
    const row = findRow(stage, deposit, acts)
    const taker = row.at(-1)
    const isClosed = closedTo(stage, notes, { acts, requests: all, row }).length > 0
    const mock = findFalseWithdrawal(stage, deposit, all, { books, acts, views: notes.views, isClosed })
    const isMock = taker !== undefined && isInName(stage, deposit, { taker, requests, books })
    const takenLater = takenOnceAsked(stage, deposit, requests, acts)
    return { acts, requests, row, taker, astray, mock, takenLater, isMock }
  })
}

/** The call by which a master takes it behind a withdrawal that was asked for, and none pays it. */
function takenOnceAsked(
  stage: Stage,
  deposit: Deposit,
  requests: readonly Request[],
  acts: readonly Act[],
): Act | undefined {
  const { fork } = stage
  const ofMasters = acts.filter(({ by }) => by === 'holder').slice(0, MAX_MASTERS_ACTS)
  const asked = requests.filter(({ attempt }) => isWithdrawalByName(attempt.data)).slice(0, MAX_ASKED)
  for (const { attempt } of asked) {
    const taken = branch(fork, () => {
      sendAs(fork, { ...attempt, gasLimit: PAYMENT_GAS })
      wait(fork, NOTICE_MS)
      const made = ofMasters.map((act): Act => ({ ...act, outcome: stage.play(act.attempt) }))
      if (made.some(({ outcome }) => 2n * backOf(stage, deposit, outcome) >= deposit.amount)) return undefined
      return made.find((act) => takesItself(stage, deposit, act))
    })
    if (taken !== undefined) return taken
  }
  return undefined
}

/** Calls of masters, and withdrawals that are asked for, that are looked at. */
const MAX_MASTERS_ACTS = 48
const MAX_ASKED = 3
/** Of most queues. */
const NOTICE_MS = 8 * 86_400_000

/**
 * Whether it came out if these words of storage could be set, and there were coins for what is
 * promised on top of it. Its own questions: those of other looks are not to decide over it.
 */
function opens(stage: Stage, deposit: Deposit, words: Pick<Terms, 'written' | 'records'>): boolean {
  const budget: Budget = { questions: 0 }
  const isOpen = branch(stage.fork, () => {
    enrich(stage, stage.target)
    return hasExit(stage, deposit, { ...words, budget })
  })
  if (!isOpen && !mayAsk(budget)) stage.isCut = true
  return isOpen
}

/** Functions that refused every account, also behind the deposit, and took no larger one. */
function closedTo(
  { entries }: Stage,
  { closed, deposits, tokenDeposits }: EntryNotes,
  { acts, requests, row }: Pick<Behind, 'acts' | 'requests' | 'row'>,
): EntryPoint[] {
  const open = new Set([
    ...[...deposits, ...tokenDeposits].map(({ attempt }) => selectorIn(attempt.data)),
    ...[...acts, ...requests, ...row].filter(({ outcome }) => outcome.success).map(({ entry }) => entry.selector),
  ])
  return entries.filter(({ selector }) => selector !== undefined && closed.has(selector) && !open.has(selector))
}

/**
 * Whether a master has coins back by what gives the victim none, and only after a deposit of its
 * own.
 */
function isBait(stage: Stage, deposit: Deposit, notes: EntryNotes): boolean {
  const { fork, target } = stage
  if (fork.evm.account(target).balance < LEAST_BAIT_WEI) return false
  return mastersOf(stage, notes).some((from) => {
    const paying = (entries: readonly EntryPoint[]) =>
      requestsOf(stage, deposit, { from, entries })
        .filter(({ outcome }) => hasLeft(stage, outcome))
        .map(({ entry }) => entry)
    const behind = branch(fork, () => (pay(stage, deposit, from) ? paying(stage.entries) : []))
    return [...new Set(behind)].some((entry) => paying([entry]).length === 0)
  })
}

/** Whether the target has fewer coins by it, and the victim no more. */
const hasLeft = ({ target, victim }: Stage, { native }: Outcome): boolean =>
  (native.get(target) ?? 0n) < 0n && (native.get(victim.address) ?? 0n) <= 0n

/** Less than a thousandth of a coin lures no victim. */
const LEAST_BAIT_WEI = 1_000_000_000_000_000n

/**
 * The call by which a master takes what the victim has deposited; of things and tokens also a row
 * of them, on the way of which the depositor has had no price.
 */
function findRow(stage: Stage, deposit: Deposit, acts: readonly Act[]): readonly Act[] {
  const { holding, amount } = deposit
  const ofMasters = acts.filter(({ by }) => by === 'holder')
  if (holding === undefined)
    return ofMasters.filter(({ outcome }) => takerIn(stage, deposit, outcome) !== undefined).slice(0, 1)
  const none: Exit = { request: undefined, attempt: undefined, waitMs: 0, amount, reads: new Map() }
  return findTaking(stage, deposit, none, ofMasters)?.acts ?? []
}

/**
 * Whether there is a withdrawal in name alone: what pays a master goes through for the depositor as
 * well, and gives it nothing; or the depositor's own call uses up what it has there, and brings it
 * a token that no other can have from it.
 */
function isInName(
  stage: Stage,
  deposit: Deposit,
  { taker, requests, books }: { taker: Act; requests: readonly Request[]; books: readonly Book[] },
): boolean {
  if (deposit.holding !== undefined) return false
  const same = stage.play({ ...taker.attempt, from: stage.victim.address })
  if (same.success && same.native.size === 0) return true
  return requests.some(({ attempt, outcome }) => {
    const tokens = [...outcome.tokens].filter(([, held]) => (held.get(stage.victim.address) ?? 0n) > 0n)
    if (tokens.length === 0 || outcome.native.size > 0 || !usesUp(outcome, books)) return false
    return !tokens.some(([token]) => isPassable(stage, attempt, token))
  })
}

/**
 * Whether a master takes what stands in the depositor's own record by it, and it would come out if
 * that record said otherwise: security for what was never given.
 */
function isSecured(
  stage: Stage,
  deposit: Deposit,
  { taker, books }: { taker: Act | undefined; books: readonly Book[] },
): boolean {
  const isOfRecord = books.some(({ account, slot }) => taker?.outcome.storage.writes.get(account)?.has(slot) === true)
  const records = new Set(books.map(({ account, slot }) => wordName(account, slot)))
  return isOfRecord && opens(stage, deposit, { written: ANY, records })
}

/** Whether it comes out once any account has paid in more: a depositor may wait for that. */
function opensOnceFunded(stage: Stage, deposit: Deposit, notes: EntryNotes): boolean {
  const { fork, target, marks, outsider } = stage
  const funders = [outsider, ...mastersOf(stage, notes)]
  return branch(fork, () => {
    for (const each of [...funders, target]) enrich(stage, each)
    const paid = funders.flatMap((from) =>
      entriesOf(stage).map((entry) => {
        const data = dataOf(entry, marks.valuesFor(entry.template))
        return stage.play({ from, to: target, data, value: deposit.amount })
      }),
    )
    const funded = paid.flatMap(({ success, storage }) =>
      success
        ? [...storage.writes].flatMap(([who, slots]) => [...slots.keys()].map((slot) => wordName(who, slot)))
        : [],
    )
    const budget: Budget = { questions: 0 }
    return hasExit(stage, deposit, { written: new Set([...notes.written, ...funded]), budget })
  })
}

/** More than any promise. */
const RICH_WEI = 10n ** 24n

const enrich = ({ fork: { evm } }: Stage, who: Address) => evm.setBalance(who, evm.account(who).balance + RICH_WEI)

const entriesOf = ({ entries }: Stage) => entries.slice(0, MAX_FUNCTIONS)

import type { Address } from '../../hex.js'
import { branch } from '../../simulation/fork-verbs.js'
import { dataOf, selectorIn } from './call-data.js'
import { type Act, actsUpon, mastersOf } from './deposit-acts.js'
import { type Deposit, hasExit, pay, withdrawals } from './exits.js'
import { wordName } from './pass-refusals.js'
import type { Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import type { EntryNotes } from './probe-as-others.js'
import type { EntryPoint } from './read-functions.js'

/** Functions tried for those who may take a deposit. */
const MAX_FUNCTIONS = 24
/** Every word of storage: what would be if it could be set. */
const ANY: ReadonlySet<string> = Object.assign(new Set<string>(), { has: () => true })

/** A deposit that its depositor never has back. */
interface Lost {
  /** The call by which a master takes it, if one does. */
  taker: Act | undefined
}

/**
 * What becomes of a deposit without a way out: whether it would come out if a word were set that no
 * function writes, whether a master takes it, and whether there is a withdrawal for masters alone.
 * `undefined` where functions stayed closed to every account: those may be what opens the way.
 */
export function judgeWithoutExit(stage: Stage, deposit: Deposit, notes: EntryNotes): Lost | undefined {
  const taker = findTaker(stage, deposit, notes)
  const isShut = opensByAnyWord(stage, deposit)
  const isOfCoins = deposit.holding === undefined
  // What is shut is one of those that stayed closed.
  if (closedTo(stage, notes).length > (isShut || isOfCoins ? 1 : 0)) return undefined
  if (taker === undefined && isShut && opensOnceFunded(stage, deposit, notes)) return undefined
  const isBaited = isOfCoins && (isBait(stage, deposit, notes) || isMock(stage, deposit, taker))
  return isShut || isBaited || (taker !== undefined && !isOfCoins) ? { taker } : undefined
}

/**
 * Whether it came out if any word of storage could be set, and there were coins for what is
 * promised on top of it.
 */
function opensByAnyWord(stage: Stage, deposit: Deposit): boolean {
  return branch(stage.fork, () => {
    enrich(stage, stage.target)
    return hasExit(stage, deposit, { written: ANY, budget: { questions: 0 } })
  })
}

/** Functions that refused every account, and took no larger deposit. */
function closedTo({ entries }: Stage, { closed, deposits, tokenDeposits }: EntryNotes): EntryPoint[] {
  const open = new Set([...deposits, ...tokenDeposits].map(({ attempt }) => selectorIn(attempt.data)))
  return entries.filter(({ selector }) => selector !== undefined && closed.has(selector) && !open.has(selector))
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

/** The call by which a master takes what the victim has deposited. */
function findTaker(stage: Stage, deposit: Deposit, notes: EntryNotes): Act | undefined {
  return branch(stage.fork, () => {
    if (!pay(stage, deposit, stage.victim.address)) return undefined
    return actsUpon(stage, deposit, notes).find(
      ({ by, outcome }) =>
        by === 'holder' && outcome.success && leftTarget(stage, deposit, outcome) * 2n >= deposit.amount,
    )
  })
}

/**
 * Whether what pays a master goes through for the depositor as well, and gives it nothing: a
 * withdrawal in name alone.
 */
function isMock(stage: Stage, deposit: Deposit, taker: Act | undefined): boolean {
  const { fork, victim } = stage
  if (taker === undefined) return false
  return branch(fork, () => {
    if (!pay(stage, deposit, victim.address)) return false
    const outcome = stage.play({ ...taker.attempt, from: victim.address })
    return outcome.success && outcome.native.size === 0
  })
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
    const written = new Set([...notes.written, ...funded])
    return hasExit(stage, deposit, { written, budget: { questions: 0 } })
  })
}

/** More than any promise. */
const RICH_WEI = 10n ** 24n

const enrich = ({ fork: { evm } }: Stage, who: Address) => evm.setBalance(who, evm.account(who).balance + RICH_WEI)

const entriesOf = ({ entries }: Stage) => entries.slice(0, MAX_FUNCTIONS)

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

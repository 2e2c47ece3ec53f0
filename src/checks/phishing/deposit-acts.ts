import { PROXY_SLOTS } from '../../bytecode/proxy.js'
import { type Address, type Hex, toPaddedHex } from '../../hex.js'
import { branch } from '../../simulation/fork-verbs.js'
import { SPARE_WORDS } from './call-arguments.js'
import { dataOf, distinctData, type Values } from './call-data.js'
import { isEntryPoint } from './entry-points.js'
import { type Deposit, numberOf, numbersIn, withdrawals } from './exits.js'
import { fitArguments, OTHER_CALLER } from './fit-arguments.js'
import { type Budget, refusesCaller } from './pass-refusals.js'
import type { Attempt, Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import type { EntryNotes } from './probe-as-others.js'
import type { EntryPoint } from './read-functions.js'
import { grantsItself, ownSlots } from './what-if.js'

/** What others than the depositor can do to what it left there. */
export interface Act {
  entry: EntryPoint
  attempt: Attempt
  by: 'anyone' | 'holder' | 'listed'
  /** What it did, right after the deposit. */
  outcome: Outcome
}

/** Functions and masters that are tried. */
const MAX_FUNCTIONS = 32
const MAX_MASTERS = 2

/**
 * Calls of the target by its masters, or by any address where it has none, played after a deposit.
 * Those that exchange the code behind a proxy are a power of its own and left out.
 */
export function actsUpon(stage: Stage, deposit: Deposit, notes: EntryNotes): Act[] {
  const budget = { questions: 0, most: MAX_QUESTIONS }
  const lists = enlist(stage, notes)
  const masters: Master[] = [
    ...mastersOf(stage, notes).map((from) => ({ from, by: 'holder' as const })),
    ...(lists.length > 0 ? [{ from: stage.outsider, by: 'listed' as const }] : []),
  ]
  return stage.entries
    .filter((entry) => entry.selector !== undefined && !notes.views.has(entry))
    .slice(0, MAX_FUNCTIONS)
    .flatMap((entry) => actsOf(stage, deposit, entry, { masters, opener: notes.seller, budget }))
    .filter((act) => !lists.some((entry) => isPaidFrom(stage, act, entry)))
}

interface Master {
  from: Address
  by: Act['by']
}

/** A word of storage that says what an account is on a list. */
interface ListEntry {
  account: Address
  slot: bigint
}

/**
 * Puts an account on the lists that closed functions looked for it in, as holders of roles are;
 * not on those that the contract alone fills. The entries that it has now.
 */
function enlist(stage: Stage, { closed }: EntryNotes): ListEntry[] {
  const { fork, outsider, secondOutsider, marks, target } = stage
  const slots = stage.entries
    .filter(({ selector }) => selector !== undefined && closed.has(selector))
    .slice(0, MAX_FUNCTIONS)
    .flatMap((entry) => {
      const data = dataOf(entry, marks.valuesFor(entry.template))
      const [own, others] = [outsider, secondOutsider].map((from) => stage.play({ from, to: target, data }))
      return own && others ? ownSlots(own, others) : []
    })
  const distinct = new Map(slots.map((each) => [`${each.account} ${each.slot}`, each]))
  const open = [...distinct.values()]
    .slice(0, MAX_LISTS)
    .filter((each) => !grantsItself(stage, each.account, each.slot))
  for (const { account, slot } of open) fork.evm.setStorage(account, slot, 1n)
  return open
}

/**
 * Whether the call takes what it names from the entry of its caller, however much that is: it is a
 * balance, which was never paid in, and no role. A pass for one use is gone by it, all of it.
 */
function isPaidFrom({ fork, play }: Stage, { attempt, by, outcome }: Act, { account, slot }: ListEntry): boolean {
  const paidBy = ({ storage }: Outcome): bigint => {
    const word = storage.writes.get(account)?.get(slot)
    return word === undefined ? 0n : word.before - word.after
  }
  if (by !== 'listed' || !outcome.success || paidBy(outcome) <= 0n) return false
  return branch(fork, () => {
    fork.evm.setStorage(account, slot, MUCH)
    return paidBy(play(attempt)) === paidBy(outcome)
  })
}

/** More than an entry was that a call used up. */
const MUCH = 1_000n

/** Roles of one contract. */
const MAX_LISTS = 6

/** What is open to all is no power of a master's. */
function actsOf(
  stage: Stage,
  deposit: Deposit,
  entry: EntryPoint,
  { masters, opener, budget }: { masters: readonly Master[]; opener: Address | undefined; budget: Budget },
): Act[] {
  const play = (from: Address, by: Act['by'], data: Hex): Act => {
    const attempt = { from, to: stage.target, data }
    return { entry, attempt, by, outcome: stage.play(attempt) }
  }
  if (stage.left < SPARE_PLAYS) return []
  const closedTo = new Map<Address, boolean>()
  /** None where the function has refused the account for who it is. */
  const tryAs = (from: Address, by: Act['by'], data: Hex): Act[] => {
    if (closedTo.get(from)) return []
    const act = play(from, by, data)
    if (!act.outcome.success && !closedTo.has(from)) closedTo.set(from, refusesCaller(stage, act.attempt))
    return [act]
  }
  const acts = distinctData(entry, waysToCall(stage, deposit, entry)).flatMap((data) => {
    const open = tryAs(stage.secondOutsider, 'anyone', data)
    const isOpen = open.some(({ outcome }) => didSomething(outcome))
    if (!isOpen && masters.length > 0) return masters.flatMap(({ from, by }) => tryAs(from, by, data))
    // What each can do to its own is a power over those who came for it.
    return opener !== undefined && isOpen ? [...open, play(opener, 'holder', data)] : open
  })
  if (acts.every(({ outcome }) => !outcome.success))
    acts.push(...fittedActs(stage, deposit, entry, { masters, budget }))
  // One that a master can name, or give a part to, has nothing to do here before.
  const { thief } = stage
  const asNamed = acts.every(({ outcome }) => outcome.success)
    ? []
    : distinctData(entry, withdrawals(stage, deposit, entry, thief)).flatMap((data) => tryAs(thief, 'listed', data))
  const distinct = new Map([...acts, ...asNamed].toReversed().map((act) => [effectOf(stage, deposit, act), act]))
  return [...distinct.values()].toReversed().filter(({ outcome }) => !isUpgrade(stage, outcome))
}

/** What only says that all is well may do something else for accounts that it knows. */
const didSomething = ({ success, storage, native, tokens }: Outcome): boolean =>
  success && (storage.writes.size > 0 || native.size > 0 || tokens.size > 0)

/** Of a setting that asks for terms, those that it takes: of what the deposit is known by first. */
function fittedActs(
  stage: Stage,
  deposit: Deposit,
  entry: EntryPoint,
  { masters, budget }: { masters: readonly Master[]; budget: Budget },
): Act[] {
  const first = namedSettings(stage, deposit, entry)
  return masters.flatMap(({ from, by }) => {
    const fitted = fitArguments(stage, entry, budget, { caller: from, first })
    if (fitted === undefined || fitted === OTHER_CALLER) return []
    const { values, edits, value } = fitted
    const attempt = { from, to: stage.target, data: dataOf(entry, values, edits), ...(value > 0n && { value }) }
    return [{ entry, attempt, by, outcome: stage.play(attempt) }]
  })
}

/** Refusals of settings that are asked for their reason, behind one deposit. */
const MAX_QUESTIONS = 96

/**
 * What a call read, wrote and moved: two that agree in it are one. Of a call that was refused, what
 * it names tells what it may do once it is let through.
 */
function effectOf(
  { victim, thief }: Stage,
  { holding }: Deposit,
  { attempt, outcome: { success, storage, native, tokens } }: Act,
): string {
  const things = [victim.address, thief, ...(holding ? [holding.token] : [])]
  const named = success ? [] : things.filter((each) => attempt.data.includes(each.slice(2)))
  const words = [...storage.reads, ...storage.writes].map(([account, slots]) => [
    account,
    ...[...slots].map(([slot, word]) => [slot, typeof word === 'bigint' ? word : word.after].join()),
  ])
  const moved = [...tokens.values()].map((held) => [...held])
  return [attempt.from, success, named, words, [...native], moved].join(' ')
}

/** Left for what else is to be tried. */
export const SPARE_PLAYS = 300
/** What it takes to see a depositor in and out: with fewer left, no other is let in. */
export const VISIT_PLAYS = 700

/** Accounts that the code obeys more than others, and that no contract stands behind. */
export const mastersOf = (stage: Stage, { holders }: EntryNotes): Address[] => mastersAmong(stage, [...holders])

export const mastersAmong = ({ fork }: Stage, holders: readonly Address[]): Address[] =>
  holders.filter((each) => fork.evm.code(each).length === 0 && !isEntryPoint(each)).slice(0, MAX_MASTERS)

const UPGRADED: ReadonlySet<bigint> = new Set(Object.values(PROXY_SLOTS))

const isUpgrade = ({ target }: Stage, { storage }: Outcome) =>
  [...(storage.writes.get(target)?.keys() ?? [])].some((slot) => UPGRADED.has(slot))

/**
 * Values of a call: accounts are made up, or the depositor, or one that is to have it, or the token
 * first; numbers and switches are all or nothing; and where bytes are to be called, they take the
 * deposit.
 */
function waysToCall(stage: Stage, deposit: Deposit, entry: EntryPoint): Values[] {
  const { leaves, ...template } = entry.template
  const { holding } = deposit
  const amount = numberOf(stage, deposit)
  const { victim, thief } = stage
  const counts = numbersIn({ leaves, ...template })
  const own = counts.filter((place) => place < leaves.length - SPARE_WORDS)
  const fill = fillFor(stage, deposit, entry)
  const made = () => undefined
  const hasAccount = leaves.some(({ type }) => type === 'address')
  const hasBytes = leaves.some(({ type }) => type === 'bytes')
  // The least that is something: a period of a second, a price of one.
  const numbers = [...new Set([amount, 0n, ...(counts.length > 0 ? [1n] : []), ...deposit.ids])]
  const token = holding && BigInt(holding.token)
  const from = [BigInt(victim.address)]
  return [
    ...numbers.map((number) => fill(number, made)),
    ...(isShare({ leaves, ...template }) ? WHOLE.map((number) => fill(number, made)) : []),
    ...asOrdered(stage, deposit, { leaves, ...template }),
    ...(counts.length > 1 ? [fill(amount, () => BigInt(victim.address), undefined, 0n)] : []),
    ...(own.length > 1
      ? deposit.ids.flatMap((id) => [0n, amount].map((number) => fill(number, made, undefined, id)))
      : []),
    // Much of it, and in the shortest time.
    ...(own.length > 2
      ? deposit.ids.map((id) => fill(1n, made, undefined, id).map((value, i) => (i === own[1] ? amount : value)))
      : []),
    ...(hasAccount ? [...numbers, ...WHOLE].map((number) => fill(number, () => BigInt(victim.address))) : []),
    ...(hasAccount
      ? [
          fill(amount, () => BigInt(thief)),
          fill(amount, (place) => from[place] ?? BigInt(thief)),
          fill(amount, (place) => (place === 0 ? BigInt(thief) : from[0])),
        ]
      : []),
    // Accounts that are looked up alone are read as numbers from the code.
    ...(hasAccount && own.length > 0 ? [fill(BigInt(victim.address), () => BigInt(thief))] : []),
    ...(hasAccount && token !== undefined ? [fill(amount, (place) => (place === 0 ? token : undefined))] : []),
    ...(hasAccount && hasBytes
      ? [
          ...VOID_SIGNATURES.map((bytes) => fill(amount, () => BigInt(thief), bytes)),
          fill(
            token === undefined ? amount : 0n,
            () => token ?? BigInt(thief),
            token === undefined ? undefined : transferOf(thief, amount),
          ),
        ]
      : []),
  ]
}

type Fill = (number: bigint, account: (place: number) => bigint | undefined, bytes?: Hex, first?: bigint) => Values

/** Puts one number, or a first one and another, into all places for numbers. */
function fillFor({ marks: made }: Stage, deposit: Deposit, { template }: EntryPoint): Fill {
  const { leaves } = template
  const marks = made.valuesFor(template)
  const counts = numbersIn(template)
  return (number, account, bytes, first = number) => {
    let place = -1
    return leaves.map(({ type }, i) => {
      if (i === counts[0]) return first
      if (type === 'address') {
        place += 1
        return account(place) ?? marks[i] ?? 0n
      }
      if (type === 'bool') return number === 0n ? 0n : 1n
      if (type === 'bytes') return bytes ?? marks[i] ?? '0x'
      if (type === 'bytes32') return deposit.keys[0] ?? marks[i] ?? 0n
      return counts.includes(i) ? number : (marks[i] ?? 0n)
    })
  }
}

/** Settings of what the deposit is known by to as much as it is. */
function namedSettings(stage: Stage, deposit: Deposit, entry: EntryPoint): Values[] {
  const own = numbersIn(entry.template).filter((place) => place < entry.template.leaves.length - SPARE_WORDS)
  if (own.length < 2) return []
  const fill = fillFor(stage, deposit, entry)
  return deposit.ids.slice(0, 2).map((id) => fill(numberOf(stage, deposit), () => undefined, undefined, id))
}

/**
 * What the deposit said, in the same places: as it is, and with another receiver, for less as well,
 * where the contract knows it by parts of that alone.
 */
function asOrdered({ marks, victim, thief }: Stage, { attempt }: Deposit, template: EntryPoint['template']): Values[] {
  const own = template.leaves.slice(0, -SPARE_WORDS)
  const accounts = own.flatMap(({ type }, i) => (type === 'address' ? [i] : []))
  const numbers = numbersIn({ ...template, leaves: own })
  if (own.length < LEAST_TERMS || accounts.length === 0 || numbers.length === 0) return []
  const isNamed = attempt.data.includes(victim.address.slice(2))
  const values = marks
    .valuesFor(template)
    .map((value, i) => (isNamed && accounts.includes(i) ? BigInt(victim.address) : value))
  const put = (place: number, value: bigint, into: Values) => into.map((each, i) => (i === place ? value : each))
  return [
    values,
    ...accounts.slice(0, MAX_TERMS).flatMap((account) => {
      const other = put(account, BigInt(thief), values)
      return [other, ...numbers.slice(0, MAX_TERMS).map((number) => put(number, 0n, other))]
    }),
  ]
}

/** Fewer are an amount and an account; of more, so many of each kind are changed. */
const [LEAST_TERMS, MAX_TERMS] = [4, 3]

/** Signatures of some, of each of which zero is recovered. */
const VOID_SIGNATURES = [1, 2, 3].map((signers): Hex => `0x${'00'.repeat(65 * signers)}`)

/** All of it, where a number is a share: in basis points and in percent. */
export const WHOLE = [10_000n, 100n]

/** Whether the first number is too narrow for an amount or a time. */
export function isShare(template: Pick<EntryPoint['template'], 'leaves'>): boolean {
  const [first = -1] = numbersIn(template)
  return NARROW.has(template.leaves[first]?.type ?? '')
}

const NARROW: ReadonlySet<string> = new Set(['uint16', 'uint24', 'uint32'])

/** `transfer(address,uint256)` */
const TRANSFER = '0xa9059cbb'
const transferOf = (to: Address, amount: bigint): Hex =>
  `${TRANSFER}${toPaddedHex(BigInt(to), 32).slice(2)}${toPaddedHex(amount, 32).slice(2)}`

/** Whether an account hands its role on: it stands no longer where it stood. */
export function givesUpPlace(who: Address, { storage }: Outcome): boolean {
  const names = (word: bigint) => toPaddedHex(word, 32).includes(who.slice(2))
  return [...storage.writes.values()].some((words) =>
    [...words.values()].some(({ before, after }) => names(before) && !names(after)),
  )
}

/** Whether the one call reads what the other one writes. */
export function dependsOn(reader: Outcome['storage']['reads'], writer: Outcome): boolean {
  return [...writer.storage.writes].some(([account, slots]) => {
    const read = reader.get(account)
    return read !== undefined && [...slots.keys()].some((slot) => read.has(slot))
  })
}

import { type Address, type Hex, toPaddedHex } from '../../hex.js'
import { SPARE_WORDS } from './call-arguments.js'
import { dataOf, renamedFrom, type Values } from './call-data.js'
import { isShare, WHOLE } from './deposit-acts.js'
import { type Deposit, numberOf, numbersIn } from './exits.js'
import type { GivenNames } from './given-names.js'
import { renamed } from './marks.js'
import type { Stage } from './phishing-stage.js'
import type { EntryPoint } from './read-functions.js'

/** A call as a customer would make it. */
export interface Custom {
  data: Hex
  /** Wei. */
  value: bigint
}

/** Next to nothing: what a call costs that only has to name the same as another. */
export const LEAST_WEI = 1n
/** Ways to call a function, for one account. */
const MAX_WAYS = 14

/**
 * Calls in one's own name: numbers are the deposit's amount, one, what the contract knows things
 * by, or two of those and the amount; accounts are the caller, the depositor, or the token first.
 */
export function customs(
  stage: Stage,
  deposit: Deposit,
  entry: EntryPoint,
  { from, names }: { from: Address; names: GivenNames },
): Custom[] {
  const { selector, template } = entry
  const { leaves } = template
  const marks = stage.marks.valuesFor(template)
  const amount = numberOf(stage, deposit)
  const own = numbersIn(template).filter((place) => place < leaves.length - SPARE_WORDS)
  const places = leaves.flatMap(({ type }, i) => (type === 'address' ? [i] : []))
  const fill = (
    numbers: readonly bigint[],
    account: (place: number) => bigint = () => BigInt(from),
    bytes: Hex = '0x',
  ): Values =>
    leaves.map(({ type }, i) => {
      if (type === 'address') return account(places.indexOf(i))
      if (type === 'bool') return 1n
      if (type === 'bytes') return bytes
      if (type === 'bytes32') return names.keys[0] ?? marks[i] ?? 0n
      const place = own.indexOf(i)
      return place < 0 ? (marks[i] ?? 0n) : (numbers[place] ?? numbers.at(-1) ?? 0n)
    })
  const numbers = numbersFor(own.length, [...names.parts, amount], [...names.ids, ...names.keys.slice(0, 2)])
  const token = deposit.holding && BigInt(deposit.holding.token)
  const [most = []] = numbers
  const asNamed = leaves.map(({ type }, i) => (type === 'address' ? BigInt(from) : (marks[i] ?? 0n)))
  const tokenFirst = (place: number) => (place === 0 ? (token ?? 0n) : BigInt(from))
  const ofVictim = () => BigInt(stage.victim.address)
  const hasBytes = leaves.some(({ type }) => type === 'bytes')
  const [first, ...others] = numbers.map((each) => fill(each))
  const ways: Values[] = [
    ...(own.length > 1 ? [asNamed] : []),
    ...(isShare(template) ? WHOLE.map((whole) => fill([whole, amount])) : []),
    ...(first ? [first] : []),
    ...(places.length > 0 && token !== undefined ? [fill(most, tokenFirst), fill([amount], tokenFirst)] : []),
    // Bytes are read as what the deposit was of, and a time that has passed.
    ...(hasBytes && token !== undefined ? [fill([amount], undefined, bytesOf([token, 1n]))] : []),
    ...others,
    // Others and what they have a part in.
    ...(places.length > 0
      ? [[amount], ...names.ids.map((id) => [id, amount])].map((each) => fill(each, ofVictim))
      : []),
  ]
  const isDeposit = selector !== undefined && deposit.attempt.data.startsWith(selector)
  const value = isDeposit && deposit.holding === undefined ? deposit.amount : 0n
  const made = ways.slice(0, MAX_WAYS).map((each) => ({ data: dataOf(entry, each), value }))
  if (!isDeposit) return made
  // The deposit in one's own name; and just what the depositor has said, for next to nothing.
  const { data } = deposit.attempt
  const same = renamed(stage, { data: renamedFrom(data, stage.victim.address, from) }, from)
  const again = value > 0n && made.every((each) => each.data !== data) ? [{ data, value: LEAST_WEI }] : []
  const short = leaves.some(({ type }) => PERIODS.has(type))
    ? [{ data: dataOf(entry, inMonths(asNamed, leaves)), value }]
    : []
  // Who comes later pays more, where the price rises: what is too much is given back.
  const dearer = value > 0n ? [{ data: same.data, value: TENFOLD * value }] : []
  return [...short, { data: same.data, value }, ...dearer, ...again, ...made]
}

const TENFOLD = 10n

/** Types of numbers that are too narrow for an amount: times, and how long something lasts. */
export const PERIODS: ReadonlySet<string> = new Set(['uint32', 'uint40', 'uint48', 'uint64'])
const MONTH_SECONDS = 2_592_000n

/** The same with a month in the place of each number that may be a time. */
export const inMonths = (values: Values, leaves: EntryPoint['template']['leaves']): Values =>
  values.map((value, i) => (PERIODS.has(leaves[i]?.type ?? '') ? MONTH_SECONDS : value))

const bytesOf = (words: readonly bigint[]): Hex => `0x${words.map((word) => toPaddedHex(word, 32).slice(2)).join('')}`

/** By how many numbers a function takes. */
function numbersFor(count: number, amounts: readonly bigint[], ids: readonly bigint[]): bigint[][] {
  const whole = amounts.map((amount) => [amount])
  if (count === 0) return [[]]
  if (count === 1) return [...whole, ...ids.map((id) => [id]), [1n]]
  const [largest = 0n, amount = 0n] = [amounts[0], amounts.at(-1)]
  const least = [...new Set([largest, amount])].map((each) => [each, 0n])
  const named = ids.map((id) => [id, amount])
  // Few of something, for whatever that brings.
  const few = ids.filter((id) => id > 0n && id < amount).map((id) => [id, 0n])
  if (count === 2) return [[amount], ...least, ...named, [1n, amount], [amount, 1n], ...few]
  const pairs = ids.flatMap((id) => [
    [id, id, amount],
    [id, id + 1n, amount],
    [id + 1n, id + 1n, amount],
  ])
  return [...least, [amount], ...pairs, ...named]
}

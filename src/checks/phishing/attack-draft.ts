import { createDecisionsInspector } from '../../evm/inspectors/decisions.js'
import { sources, sourcesOf, type Term } from '../../evm/inspectors/term.js'
import { ADDRESS_MASK, type Address, type Hex, toPaddedHex, ZERO_ADDRESS } from '../../hex.js'
import { branch } from '../../simulation/fork-verbs.js'
import type { Fork } from '../../simulation/scenario.js'
import { dataOf, type Edit, type Values } from './call-data.js'
import type { Attempt } from './phishing-play.js'
import { placeWord } from './place-word.js'
import type { EntryPoint } from './read-functions.js'

/** A call that is being written: its values get their meanings one after the other. */
export interface Draft {
  values: (bigint | Hex)[]
  readonly edits: readonly Edit[]
  data(): Hex
  /**
   * Has the call use `value` where it used the word `mark`: in the leaves that are this word, or in
   * the bytes that it was computed from. Whether anything changed.
   */
  put(mark: bigint, value: bigint): boolean
  /** Whether the caller chooses this word. */
  isChosen(mark: bigint): boolean
}

/** Smaller words stand in call data by chance. */
const LEAST_FOUND = 1n << 96n

/** `attempt`: the call as the marks make it, which shows where words that come out come from. */
export function createDraft(
  fork: Fork,
  entry: EntryPoint,
  { marks, edits: given = [], attempt }: { marks: Values; edits?: readonly Edit[]; attempt: Omit<Attempt, 'data'> },
): Draft {
  const values = [...marks]
  const edits = [...given]
  /** Leaves that have been given a meaning. */
  const done = new Set<number>()
  const data = () => dataOf(entry, values, edits)
  let asked: { data: Hex; words: Map<bigint, Term> } | undefined
  const words = () => {
    const now = data()
    if (asked?.data !== now) asked = { data: now, words: readAsked(fork, { ...attempt, data: now }) }
    return asked.words
  }
  const editFor = (mark: bigint, value: bigint): Edit | undefined => {
    const term = words().get(mark)
    return (term && placeWord(term, value)) ?? findBytes(data(), mark, value)
  }
  return {
    values,
    edits,
    data,
    isChosen: (mark) => values.includes(mark) || editFor(mark, mark) !== undefined,
    put(mark, value) {
      const places = values.flatMap((present, i) => (present === mark ? [i] : []))
      const open = places.filter((i) => !done.has(i))
      for (const i of open) {
        done.add(i)
        values[i] = value
      }
      if (places.length > 0 || mark === value) return open.length > 0
      const edit = editFor(mark, value)
      if (edit !== undefined) edits.push(edit)
      return edit !== undefined
    },
  }
}

/** Words and addresses of the calls that went out, where they come from the call data. */
function readAsked(fork: Fork, { from, to, data, value = 0n }: Attempt): Map<bigint, Term> {
  const decisions = createDecisionsInspector()
  branch(fork, () => {
    if (value > 0n) fork.evm.setBalance(from, value)
    fork.evm.read({ from, to, data, value }, [decisions])
  })
  const terms = decisions
    .finish()
    .calls.flatMap(({ target, words }) => [...(target === undefined ? [] : [target]), ...words.values()])
  return new Map(terms.filter((term) => (sourcesOf(term) & sources.argument) !== 0).map((term) => [term.value, term]))
}

/** An address that stands in the call data as it is, wherever that may be. */
function findBytes(data: Hex, mark: bigint, value: bigint): Edit | undefined {
  if (mark < LEAST_FOUND || mark >> 160n !== 0n || value >> 160n !== 0n) return undefined
  const at = data.indexOf(toPaddedHex(mark, 20).slice(2))
  if (at < 2 || at % 2 !== 0) return undefined
  return { offset: (at - 2) / 2, mask: ADDRESS_MASK << 96n, bits: value << 96n }
}

/** Whether the caller of this call named the address, in whatever form. */
export function namesAddress(fork: Fork, attempt: Attempt, address: Address): boolean {
  const isWritten = address !== ZERO_ADDRESS && attempt.data.includes(address.slice(2))
  return isWritten || readAsked(fork, attempt).has(BigInt(address))
}

import type { Address } from '../../hex.js'
import type { Edit, Values } from './call-data.js'
import { numbersIn } from './exits.js'
import type { MarkStyle } from './marks.js'
import { type Budget, mayAsk, passRefusals } from './pass-refusals.js'
import type { Stage } from './phishing-stage.js'
import { type EntryPoint, takesSignature } from './read-functions.js'

/** A call with which a contract goes along. */
export interface FittedCall {
  values: Values
  /** What the call data says besides. */
  edits: readonly Edit[]
  /** Wei that it asks for. */
  value: bigint
}

/** It refuses the caller, whatever it says. */
export const OTHER_CALLER = 'other caller'

interface FitOptions {
  caller?: Address
  style?: MarkStyle
  /** Arguments that are begun with, before those of the marks. */
  first?: readonly Values[]
}

const NO_WORDS: ReadonlySet<string> = new Set()

/**
 * What a website would have an account call: a number of a thing that is there, a token that the
 * contract can ask, and the amounts, terms and payment that refusals ask for. `undefined` where
 * nothing helps.
 */
export function fitArguments(
  stage: Stage,
  entry: EntryPoint,
  budget: Budget,
  { caller = stage.victim.address, style, first = [] }: FitOptions = {},
): FittedCall | typeof OTHER_CALLER | undefined {
  if (takesSignature(entry)) return undefined
  for (const values of [...first, ...beginnings(stage, entry, style)]) {
    if (!mayAsk(budget)) return undefined
    const passed = passRefusals(stage, { entry, marks: values, caller, written: NO_WORDS, budget })
    if (passed === undefined) continue
    if (passed.asksForCaller) return OTHER_CALLER
    const { edits, value, waitSeconds, words, secrets } = passed.way
    if (waitSeconds === 0 && words.length === 0 && secrets.length === 0) return { values, edits, value }
  }
  return undefined
}

/** The marks, the first two of a list, and a token of the victim's. */
function beginnings({ marks, victim }: Stage, { template }: EntryPoint, style: MarkStyle | undefined): Values[] {
  const values = marks.valuesFor(template, style)
  if (style?.id !== undefined) return [values]
  const [number] = numbersIn(template)
  const [holding] = victim.holdings
  const places = template.leaves.flatMap(({ type }, i) => (type === 'address' ? [i] : [])).slice(0, MAX_PLACES)
  return [
    values,
    ...(number === undefined ? [] : FIRST_NUMBERS.map((id) => values.map((value, i) => (i === number ? id : value)))),
    ...(holding ? places.map((place) => values.map((value, i) => (i === place ? BigInt(holding.token) : value))) : []),
  ]
}

const FIRST_NUMBERS = [0n, 1n]
/** Arguments in whose place the token is tried. */
const MAX_PLACES = 3

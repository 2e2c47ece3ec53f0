import type { ReportSummary, SavedAnswers } from './saved-report.js'
import { type Made, madeOf, summarise } from './summarise.js'

/** A value then and now. */
export interface Change<T> {
  before: T
  after: T
}

/** Of a list: what is there now and was not, and the other way round. */
export interface ListChange {
  added: string[]
  removed: string[]
  /** How many more there are than are listed. */
  omitted: number
}

/** What is another thing in a later report on the same target; a part that is the same is null. */
export interface WhatChanged {
  isSame: boolean
  block: Change<ReportSummary['block']>
  level: Change<string> | null
  advice: Change<string> | null
  score: Change<number> | null
  headline: Change<string> | null
  /** Percent; null where a tax was not measured. */
  taxes: { name: string; before: number | null; after: number | null }[]
  findings: ListChange | null
  /** Conditions of a sale that do harm otherwise, or are not explained. */
  conditions: ListChange | null
}

/** More than a person reads. */
const MAX_LISTED = 20

/** Compares two reports on one target; `undefined` where one of them has no verdict. */
export function whatChanged(before: SavedAnswers, after: SavedAnswers): WhatChanged | undefined {
  const [old, fresh] = [before, after].map((answers) => summarise(answers, String))
  if (old === undefined || fresh === undefined) return undefined
  const [oldMade, freshMade] = [madeOf(before), madeOf(after)]
  const changes = {
    level: change(old.overall.level, fresh.overall.level),
    advice: change(old.overall.advice, fresh.overall.advice),
    score: change(old.overall.score, fresh.overall.score),
    headline: change(old.overall.headline, fresh.overall.headline),
    taxes: compareTaxes(taxesOf(oldMade), taxesOf(freshMade)),
    findings: compareLists(findingsOf(oldMade), findingsOf(freshMade)),
    conditions: compareLists(conditionsOf(oldMade), conditionsOf(freshMade)),
  }
  const isSame = Object.values(changes).every((each) => each === null || (Array.isArray(each) && each.length === 0))
  return { isSame, block: { before: old.block, after: fresh.block }, ...changes }
}

const change = <T>(before: T, after: T): Change<T> | null => (before === after ? null : { before, after })

type Taxes = ReadonlyMap<string, number | null>

function taxesOf({ honeypot, solana }: Made): Taxes {
  const trade = honeypot?.honeypotResponse ?? solana?.honeypotResponse
  if (trade === undefined) return new Map()
  const windows = trade.timeTravelResults
    .slice(1)
    .map(({ label, sellTax }) => [`Sell tax in ${label}`, sellTax] as const)
  return new Map<string, number | null>([
    ['Buy tax', trade.buyTax],
    ['Sell tax', trade.sellTax],
    ['Transfer tax', trade.transferTax],
    ...windows,
  ])
}

function compareTaxes(before: Taxes, after: Taxes): WhatChanged['taxes'] {
  const names = [...new Set([...before.keys(), ...after.keys()])]
  return names
    .map((name) => ({ name, before: before.get(name) ?? null, after: after.get(name) ?? null }))
    .filter((tax) => tax.before !== tax.after)
}

/** What is compared, by a name that stays when its figures or its place in the code change. */
type Named = ReadonlyMap<string, string>

function findingsOf({ simulation, honeypot, phishing, solana }: Made): Named {
  const code = simulation?.checks.byteCodeResult ?? solana?.checks.byteCodeResult
  const trade = honeypot?.honeypotResponse
  const harmful = trade?.powers.filter(({ effect }) => effect !== 'none') ?? []
  return new Map([
    ...(code?.riskFlags.map(({ title }) => [`code ${title}`, title] as const) ?? []),
    ...(trade?.findings.map(({ id, detail }) => [`trade ${id}`, detail] as const) ?? []),
    ...harmful.map(({ selector, effect, worstCase }) => [`power ${selector} ${effect}`, worstCase] as const),
    ...(phishing?.findings.map(({ id, detail }) => [`phishing ${id}`, detail] as const) ?? []),
  ])
}

function conditionsOf({ honeypot }: Made): Named {
  const conditions = honeypot?.honeypotResponse.conditions ?? []
  const grave = conditions.filter(({ effect, unexplained }) => effect === 'loss' || unexplained !== null)
  const words = grave.map(({ leaves, effect, unexplained }) => {
    const asked = leaves.length > 0 ? leaves.join(', ') : 'nothing that is known'
    const outcome = effect === 'loss' ? 'otherwise it loses' : (unexplained ?? '')
    return `A sale asks for ${asked}: ${outcome}`
  })
  return new Map(words.map((text) => [text, text]))
}

function compareLists(before: Named, after: Named): ListChange | null {
  const missingIn = (some: Named, others: Named) =>
    [...others].filter(([name]) => !some.has(name)).map(([, text]) => text)
  const [added, removed] = [missingIn(before, after), missingIn(after, before)]
  const omitted = Math.max(0, added.length - MAX_LISTED) + Math.max(0, removed.length - MAX_LISTED)
  if (added.length + removed.length === 0) return null
  return { added: added.slice(0, MAX_LISTED), removed: removed.slice(0, MAX_LISTED), omitted }
}

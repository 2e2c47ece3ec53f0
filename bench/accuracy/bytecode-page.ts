import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { resolve } from 'node:path'
import { type Agreement, type Judged, PATTERNS, type Speed } from './bytecode-corpus.js'
import type { Difference } from './bytecode-differential.js'
import { disagreements } from './bytecode-disagreements.js'
import type { FixtureResult } from './bytecode-fixtures.js'
import type { FuzzResult } from './bytecode-fuzz-result.js'
import type { GrammarResults } from './grammar-results.js'

const PATH = resolve(import.meta.dirname, '../../docs/accuracy.md')

/** Title and text of each section, in the order of the page. */
export type Sections = ReadonlyMap<string, string>

const TITLES = [
  'Examples',
  'Patterns named by RPHunter’s analysts',
  'Findings reviewed for CRPWarner',
  'Where labels and findings differ',
  'Well-known tokens',
  'Time and completeness',
  'Against other engines',
  'Random and generated programs',
  'Grammar of tokens',
]

const INTRODUCTION = `# Accuracy of the bytecode analysis

Written by \`npm run bench:accuracy\`; each section says when it was measured. Do not edit by hand. Of whole judgements say [trades](accuracy-trades.md) how real tokens come out, and
[powers](accuracy-powers.md) what the experiments with privileged functions find.`

/** Writes the page with these sections new and the others as they are there. Returns its path. */
export function writePage(sections: Sections): string {
  const known = existsSync(PATH) ? readSections(readFileSync(PATH, 'utf8')) : new Map<string, string>()
  const all = new Map([...known, ...sections])
  const texts = TITLES.flatMap((title) => (all.has(title) ? [`## ${title}\n\n${all.get(title)}`] : []))
  writeFileSync(PATH, `${[INTRODUCTION, ...texts].join('\n\n')}\n`)
  return PATH
}

function readSections(page: string): Map<string, string> {
  const [, ...parts] = page.split(/^## /m)
  return new Map(
    parts.map((part) => {
      const end = part.indexOf('\n')
      return [part.slice(0, end), part.slice(end).trim()]
    }),
  )
}

const measured = (date = new Date().toISOString().slice(0, 10)) =>
  `Measured on ${date} (${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}).`

const percent = (part: number, whole: number) => (whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)} %`)

export function fixtureSection({ tallies, settings, contracts, mistakes }: FixtureResult): [string, string] {
  const rows = Object.entries(tallies).map(
    ([id, { found, missed, wrong, quiet }]) =>
      `| \`${id}\` | ${found} | ${missed} | ${wrong} | ${quiet} | ${percent(found, found + missed)} | ${percent(found, found + wrong)} |`,
  )
  const text = `The contracts of \`contracts/detectors/\`, each with its harmless twin, deployed on our own EVM: ${contracts} codes from ${settings} settings (solc 0.4.26, 0.5.17, 0.6.12, 0.7.6, 0.8.19 and 0.8.30,
both code generators of 0.8.30, optimiser off, 200 and 10,000 runs, and for each compiler at 200 runs four mutations of the source that must change nothing: shuffled dispatch, junk branches, split constants, other names). A flag counts from \`MEDIUM\` on; of detectors that a contract does not name it says nothing.
${measured()}

| detector | found | missed | wrong | quiet | recall | precision |
| --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

${
  mistakes.length === 0
    ? 'No mistakes.'
    : `Mistakes (${mistakes.length}, the first 30):\n\n${mistakes
        .slice(0, 30)
        .map((mistake) => `- ${mistake}`)
        .join('\n')}`
}`
  return ['Examples', text]
}

const PATTERN_NOTE =
  'A pattern counts as found when one of the detectors that answer it raised a flag of any level. The patterns were named by people reading the source; a normal contract may have the same ability, so that the last column is not an error rate.'
const REVIEW_NOTE =
  'What another tool reported and a person confirmed (`Yes`) or refused (`No`). Only what that tool flagged is here: agreement, not recall.'

export const patternSection = (rows: readonly Agreement[]): [string, string] => [
  'Patterns named by RPHunter’s analysts',
  agreement(PATTERN_NOTE, rows),
]

export const reviewSection = (rows: readonly Agreement[]): [string, string] => [
  'Findings reviewed for CRPWarner',
  agreement(REVIEW_NOTE, rows),
]

function agreement(note: string, rows: readonly Agreement[]): string {
  const lines = rows.map(
    ({ label, yes, found, no, wrong }) =>
      `| ${label} | ${yes} | ${found} | ${percent(found, yes)} | ${wrong} of ${no} |`,
  )
  return `${note} ${measured()}\n\n| label | contracts | found | share | raised on the others |\n| --- | --- | --- | --- | --- |\n${lines.join('\n')}`
}

/** What was missed and what was called HIGH among ordinary contracts, each with its reason. */
export function disagreementSection(judged: readonly Judged[]): [string, string] {
  const missed = judged.flatMap((each) => {
    const labels = Object.entries(PATTERNS).flatMap(([label, ids]) =>
      each.patterns?.includes(label) && !each.flags.some(({ id }) => ids.includes(id)) ? [label] : [],
    )
    return labels.length > 0 ? [{ each, what: `not found: ${labels.join(', ')}` }] : []
  })
  const high = judged.flatMap((each) => {
    const ids = each.flags.filter(({ threatLevel }) => threatLevel === 'HIGH').map(({ id }) => `\`${id}\``)
    return each.labels.includes('normal') && ids.length > 0 ? [{ each, what: `HIGH: ${ids.join(', ')}` }] : []
  })
  const rows = [...missed, ...high].map(
    ({ each, what }) => `| \`${each.address}\` | ${what} | ${disagreements[each.address] ?? 'not looked at'} |`,
  )
  const normal = judged.filter(({ labels }) => labels.includes('normal')).length
  const text = `${high.length} of ${normal} ordinary contracts have a \`HIGH\` flag (${percent(high.length, normal)}). \`Open\` is what the analysis gets wrong, or cannot tell. ${measured()}

| contract | difference | reason |
| --- | --- | --- |
${rows.join('\n')}`
  return ['Where labels and findings differ', text]
}

export const knownTokenSection = (count: number, high: readonly (string | null)[]): [string, string] => [
  'Well-known tokens',
  `${count} tokens of several chains, ${high.length} with a \`HIGH\` flag${high.length > 0 ? `: ${high.join(', ')}` : ''}. Their powers stay listed as \`MEDIUM\` and \`LOW\`. ${measured()}`,
]

export const speedSection = ({ count, p50, p95, p99, max, incomplete }: Speed): [string, string] => [
  'Time and completeness',
  `${count} token contracts without labels, facts and all detectors, nothing cached, in processor time (the collector's threads included):
p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, max ${max.toFixed(0)} ms; ${incomplete} not seen completely (${percent(incomplete, count)}). ${measured()}`,
]

export function differenceSection(differences: readonly Difference[]): [string, string] {
  const rows = differences.map(
    (found) =>
      `| ${found.engine} | ${found.codes} | ${found.failed} | ${found.blocks} | ${found.onlyTheirs} (${percent(found.onlyTheirs, found.blocks)}) | ${found.onlyOurs} (${percent(found.onlyOurs, found.blocks)}) | ${found.selectors} | ${found.selectorsOnlyTheirs} | ${found.selectorsOnlyOurs} |`,
  )
  const text = `Every eighth of the same codes with at most 6,000 bytes. Neither engine rules branches out by computing their conditions, so that both follow some that never happen.
\`given up\`: the engine reported errors of its own, and the code was not compared. sevm leaves out code that runs, behind checks of array bounds and the returns of some inner functions. ${measured()}

| engine | codes | given up | blocks | reached only there | only here | selectors | found only there | only here |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}`
  return ['Against other engines', text]
}

export const fuzzSection = (result: FuzzResult): [string, string] => [
  'Random and generated programs',
  `${result.programs} programs, half of random bytes and half of a grammar (dispatchers, loops, calls with return addresses, storage, memory), facts and all detectors:
${result.thrown} threw, ${result.incomplete} not seen completely, the slowest took ${result.slowestMs} ms of processor time. Heap after a thousand of them ${result.heapAfterWarmUpMegabytes} MB, at the end ${result.heapAtEndMegabytes} MB; the process never held more than ${result.peakMemoryMegabytes} MB.
Written by \`npx tsx bench/accuracy/bytecode-fuzz.bench.ts\` (seed ${result.seed}). ${measured(result.date)}`,
]

/** Sentences by the way they were compiled, and tokens that were joined from random clauses. */
export function grammarSection({ settings, generated }: GrammarResults): [string, string] {
  const rows = Object.entries(settings).map(
    ([label, { date, pairs, said, calm }]) =>
      `| ${label} | ${pairs} | ${percent(said, pairs)} | ${percent(calm, pairs)} | ${date} |`,
  )
  const runs = Object.entries(generated)
  const sum = (of: 'tokens' | 'clean' | 'harmful' | 'wrong') => runs.reduce((all, [, result]) => all + result[of], 0)
  const played = `${sum('tokens')} tokens joined from random clauses, compiled in turn in each of these ways and played (\`reader-soundness.bench.ts\`, first seeds ${runs.map(([seed]) => seed).join(', ')}): ${sum('clean')} held for clean by their code alone, ${sum('harmful')} seen to do harm, **${sum('wrong')}** both.`
  const text = `Each leaf of a transfer's conditions, with each outcome and each mover, written out as a trap and a harmless twin (\`test/grammar/\`), and judged by the code alone (\`grammar.bench.ts\`): a trap is said where a finding is above \`LOW\` or a condition has no reason, and a twin is calm where neither is.

| compiled by | pairs | traps said | twins calm | measured on |
| --- | --- | --- | --- | --- |
${rows.join('\n')}${runs.length === 0 ? '' : `\n\n${played}`}`
  return ['Grammar of tokens', text]
}

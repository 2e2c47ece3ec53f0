import { fork } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { resolve } from 'node:path'
import {
  type Agreement,
  corpusIsPresent,
  judgeCorpus,
  measurePatterns,
  measureReviewed,
  measureSpeed,
  type Speed,
} from './bytecode-corpus.js'
import { type Difference, measureDifference } from './bytecode-differential.js'
import { type FixtureResult, measureFixtures, mergeResults } from './bytecode-fixtures.js'

const say = (text: string) => process.stderr.write(`${text}\n`)

/** Processes that compile and judge the examples side by side: one per core, and one for the time that the others wait. */
const PARTS = cpus().length + 1

/** Measures right and wrong of the bytecode analysis and writes `docs/accuracy.md`. */
async function main(): Promise<void> {
  const shares = Promise.all(Array.from({ length: PARTS }, (_, part) => measureElsewhere(part)))
  const sections: string[] = []
  if (corpusIsPresent()) {
    say('the corpora')
    const rug = [...judgeCorpus('rug-or-normal')]
    const known = [...judgeCorpus('known-tokens')]
    const safe = known.filter(({ labels }) => labels.includes('safe'))
    const high = safe.filter(({ flags }) => flags.some(({ threatLevel }) => threatLevel === 'HIGH'))
    sections.push(
      agreementSection('Patterns named by RPHunter’s analysts', PATTERN_NOTE, measurePatterns(rug)),
      agreementSection(
        'Findings reviewed for CRPWarner',
        REVIEW_NOTE,
        measureReviewed([...judgeCorpus('reviewed-findings')]),
      ),
      `## Well-known tokens\n\n${safe.length} tokens of several chains, ${high.length} with a \`HIGH\` flag${high.length > 0 ? `: ${high.map(({ name }) => name).join(', ')}` : ''}. Their powers stay listed as \`MEDIUM\` and \`LOW\`.`,
      speedSection(measureSpeed(judgeCorpus('unlabelled'))),
      differenceSection(measureDifference('unlabelled')),
    )
  } else sections.push('The corpora (`../shared/data`) were not there, so that only the examples were measured.')
  const fixtures = mergeResults(await shares)
  const path = resolve(import.meta.dirname, '../../docs/accuracy.md')
  writeFileSync(path, `${[introduction(), fixtureSection(fixtures), ...sections].join('\n\n')}\n`)
  say(`written: ${path}`)
  for (const mistake of fixtures.mistakes.slice(0, 40)) say(`  ${mistake}`)
}

/** Measures one share of the examples in a process of its own. Rejects when that ends badly. */
function measureElsewhere(part: number): Promise<FixtureResult> {
  const child = fork(import.meta.filename, [`${part}`], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  return new Promise((done, fail) => {
    child.on('message', (result) => done(result as FixtureResult))
    child.on('exit', (status) => fail(new Error(`part ${part} of the examples ended with ${status}`)))
  })
}

const PATTERN_NOTE =
  'A pattern counts as found when one of the detectors that answer it raised a flag of any level. The patterns were named by people reading the source; a normal contract may have the same ability, so that the last column is not an error rate.'
const REVIEW_NOTE =
  'What another tool reported and a person confirmed (`Yes`) or refused (`No`). Only what that tool flagged is here: agreement, not recall.'

const introduction = () =>
  `# Accuracy of the bytecode analysis

Written by \`npm run bench:accuracy\` on ${new Date().toISOString().slice(0, 10)} (${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}). Do not edit by hand.`

const percent = (part: number, whole: number) => (whole === 0 ? '' : `${((100 * part) / whole).toFixed(1)} %`)

function fixtureSection({ tallies, settings, contracts, mistakes }: FixtureResult): string {
  const rows = Object.entries(tallies).map(
    ([id, { found, missed, wrong, quiet }]) =>
      `| \`${id}\` | ${found} | ${missed} | ${wrong} | ${quiet} | ${percent(found, found + missed)} | ${percent(found, found + wrong)} |`,
  )
  return `## Examples

The contracts of \`contracts/detectors/\`, each with its harmless twin, deployed on our own EVM: ${contracts} codes from ${settings} settings (solc 0.4.26, 0.5.17, 0.6.12, 0.7.6, 0.8.19 and 0.8.30,
both code generators of 0.8.30, optimiser off, 200 and 10,000 runs, and for each compiler at 200 runs four mutations of the source that must change nothing: shuffled dispatch, junk branches, split constants, other names). A flag counts from \`MEDIUM\` on; a contract that does not name a detector must not raise it.

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
}

function agreementSection(title: string, note: string, rows: readonly Agreement[]): string {
  const lines = rows.map(
    ({ label, yes, found, no, wrong }) =>
      `| ${label} | ${yes} | ${found} | ${percent(found, yes)} | ${wrong} of ${no} |`,
  )
  return `## ${title}\n\n${note}\n\n| label | contracts | found | share | raised on the others |\n| --- | --- | --- | --- | --- |\n${lines.join('\n')}`
}

const differenceSection = ({
  codes,
  blocks,
  onlyEvmole,
  onlyOurs,
  ...selectors
}: Difference) => `## Against another engine

${codes} of the same codes, of at most 6,000 bytes, read by evmole 0.8.4 too: of ${blocks} blocks ${onlyEvmole} (${percent(onlyEvmole, blocks)}) are reached only in evmole's reading, ${onlyOurs} only in ours;
of ${selectors.selectors} selectors ${selectors.selectorsOnlyEvmole} are found only by evmole, ${selectors.selectorsOnlyOurs} only by us. evmole does not compute conditions, so that it follows branches that never happen.
sevm is no dependency of the project and was not compared.`

const speedSection = ({ count, p50, p95, p99, max, incomplete }: Speed) => `## Time and completeness

${count} token contracts without labels, facts and all detectors, nothing cached, in processor time (the collector's threads included):
p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, max ${max.toFixed(0)} ms; ${incomplete} not seen completely (${percent(incomplete, count)}).`

const part = process.argv[2]
if (part === undefined) await main()
else process.send?.(await measureFixtures({ part: Number(part), parts: PARTS }, say))

import { fork } from 'node:child_process'
import { cpus } from 'node:os'
import { corpusIsPresent, judgeCorpus, measurePatterns, measureReviewed, measureSpeed } from './bytecode-corpus.js'
import { measureDifferences } from './bytecode-differential.js'
import { type FixtureResult, measureFixtures, mergeResults } from './bytecode-fixtures.js'
import { readFuzzResult } from './bytecode-fuzz-result.js'
import {
  differenceSection,
  disagreementSection,
  fixtureSection,
  fuzzSection,
  grammarSection,
  knownTokenSection,
  patternSection,
  reviewSection,
  speedSection,
  writePage,
} from './bytecode-page.js'
import { readGrammarResults } from './grammar-results.js'

/**
 * Measures right and wrong of the bytecode analysis and writes `docs/accuracy.md`.
 *
 *     npx tsx bench/accuracy/run.ts [examples|corpora]
 *
 * With a word, only those sections are measured anew.
 */
const say = (text: string) => process.stderr.write(`${text}\n`)

/**
 * Processes that compile and judge the examples side by side: one per core, and one for the time
 * that the others wait.
 */
const PARTS = cpus().length + 1

/** The corpora before the examples: what runs beside a measurement of time makes it slower. */
async function main(only: string | undefined): Promise<void> {
  const sections = new Map<string, string>()
  if (only !== 'examples') for (const [title, text] of measureCorpora()) sections.set(title, text)
  const fuzz = readFuzzResult()
  if (fuzz !== undefined) sections.set(...fuzzSection(fuzz))
  sections.set(...grammarSection(readGrammarResults()))
  if (only !== 'corpora') {
    const fixtures = mergeResults(await Promise.all(Array.from({ length: PARTS }, (_, part) => measureElsewhere(part))))
    sections.set(...fixtureSection(fixtures))
    for (const mistake of fixtures.mistakes.slice(0, 40)) say(`  ${mistake}`)
  }
  say(`written: ${writePage(sections)}`)
}

function measureCorpora(): [string, string][] {
  if (!corpusIsPresent()) {
    say('the corpora (`../shared/data`) are not there: their sections stay as they are')
    return []
  }
  say('the corpora')
  const speed = measureSpeed(judgeCorpus('unlabelled'))
  const safe = [...judgeCorpus('known-tokens')].filter(({ labels }) => labels.includes('safe'))
  const judged = [...judgeCorpus('rug-or-normal')]
  const high = safe.filter(({ flags }) => flags.some(({ threatLevel }) => threatLevel === 'HIGH'))
  return [
    speedSection(speed),
    patternSection(measurePatterns(judged)),
    disagreementSection(judged),
    reviewSection(measureReviewed([...judgeCorpus('reviewed-findings')])),
    knownTokenSection(
      safe.length,
      high.map(({ name }) => name),
    ),
    differenceSection(measureDifferences('unlabelled')),
  ]
}

/** Measures one share of the examples in a process of its own. Rejects when that ends badly. */
function measureElsewhere(part: number): Promise<FixtureResult> {
  const child = fork(import.meta.filename, [`${part}`], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  return new Promise((done, fail) => {
    child.on('message', (result) => done(result as FixtureResult))
    child.on('exit', (status) => fail(new Error(`part ${part} of the examples ended with ${status}`)))
  })
}

const [argument] = process.argv.slice(2)
if (argument === undefined || argument === 'examples' || argument === 'corpora') await main(argument)
else process.send?.(await measureFixtures({ part: Number(argument), parts: PARTS }, say))

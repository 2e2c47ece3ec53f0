import { measureSoundness } from '../../test/grammar/reader-soundness.js'
import { grammarSection, writePage } from './bytecode-page.js'
import { keepGrammarResults } from './grammar-results.js'

/**
 * Generates tokens, holds some of them for clean by their code alone, plays all, and names those
 * that were held for clean and did harm. What it came to goes to `docs/accuracy.md`.
 *
 *     npx tsx bench/accuracy/reader-soundness.bench.ts [tokens] [first seed]
 */
const [wanted = '10000', first = '1'] = process.argv.slice(2)
/** Contracts of one file: compilers take long over larger ones. */
const FILE = 100

const total = { tokens: 0, clean: 0, harmful: 0, wrong: 0 }
for (let seed = Number(first); total.tokens < Number(wanted); seed += 1) {
  const { tokens, clean, harmful, wrong } = measureSoundness(seed, FILE)
  total.tokens += tokens
  total.clean += clean
  total.harmful += harmful
  total.wrong += wrong.length
  for (const each of wrong) say(each)
}
const date = new Date().toISOString().slice(0, 10)
writePage(new Map([grammarSection(keepGrammarResults({ generated: { [first]: { date, ...total } } }))]))
say(`${total.tokens} tokens: ${total.clean} held for clean, ${total.harmful} seen to do harm, ${total.wrong} both`)
process.exitCode = total.wrong > 0 ? 1 : 0

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

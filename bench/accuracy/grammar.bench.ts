import { GRAMMAR_WAYS, type GrammarResult, judgeGrammar } from '../../test/grammar/judge-grammar.js'
import { listPairs } from '../../test/grammar/token-grammar.js'
import { grammarSection, writePage } from './bytecode-page.js'
import { keepGrammarResults } from './grammar-results.js'

/**
 * Judges every sentence of the token grammar by its code alone: traps that are said, and twins that
 * stay calm. What each way to compile them came to goes to `docs/accuracy.md`.
 *
 *     npx tsx bench/accuracy/grammar.bench.ts [part of a way's label]
 */
const [wanted = ''] = process.argv.slice(2)
/** Mistakes shown for each setting. */
const MAX_SHOWN = 40

const results: GrammarResult[] = []
for (const way of GRAMMAR_WAYS.filter(({ label }) => label.includes(wanted))) {
  const found = judgeGrammar(listPairs(), way)
  results.push(...found)
  const missed = found.filter(({ trap }) => trap.length === 0)
  const loud = found.filter(({ twin }) => twin.length > 0)
  const [pairs, said, calm] = [found.length, found.length - missed.length, found.length - loud.length]
  const date = new Date().toISOString().slice(0, 10)
  writePage(new Map([grammarSection(keepGrammarResults({ settings: { [way.label]: { date, pairs, said, calm } } }))]))
  say(`${way.label}: ${share(found, missed)} of traps said, ${share(found, loud)} of twins calm`)
  for (const { pair } of missed.slice(0, MAX_SHOWN)) say(`  missed ${pair.name}`)
  for (const { pair, twin } of loud.slice(0, MAX_SHOWN)) say(`  loud ${pair.name}: ${twin.slice(0, 2).join(' | ')}`)
}
say(
  `${results.length} pairs: recall ${share(
    results,
    results.filter(({ trap }) => trap.length === 0),
  )}, calm ${share(
    results,
    results.filter(({ twin }) => twin.length > 0),
  )}`,
)

function share(all: readonly unknown[], wrong: readonly unknown[]): string {
  return (1 - wrong.length / all.length).toFixed(4)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

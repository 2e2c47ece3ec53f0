import { generations } from '../../scripts/trap-compilers.js'
import { judgePowerGrammar, type PowerGrammarResult } from '../../test/powers/judge-power-grammar.js'
import { listPowerPairs, type Sentence } from '../../test/powers/power-grammar.js'
import { startSweepStage } from '../../test/powers/sweep-stage.js'

/**
 * Sweeps the sentences of the grammar of powers: traps whose harm is shown, and twins that stay
 * calm.
 *
 *     npx tsx bench/accuracy/power-grammar.bench.ts [seed] [part of a generation's label] [so many]
 */
const [seed = '1', wanted = '', most = 'all'] = process.argv.slice(2)
const pairs = spread(listPowerPairs({ seed: Number(seed) }))

const results: PowerGrammarResult[] = []
for (const generation of generations.filter(({ label }) => label.includes(wanted))) {
  const stage = await startSweepStage()
  try {
    const found = await judgePowerGrammar(stage, pairs, generation)
    results.push(...found)
    say(`${generation.label}: ${shares(found)}`)
    for (const { pair, trap } of found) if (!trap.isSaid) say(`  missed ${named(pair.sentence)}: ${trap.text}`)
    for (const { pair, twin } of found) if (!twin.isCalm) say(`  loud ${named(pair.sentence)}: ${twin.text}`)
  } finally {
    await stage.stop()
  }
}
say(`${results.length} pairs: ${shares(results)}`)
for (const dimension of ['guard', 'entry', 'argument', 'chain', 'place', 'victim'] as const)
  for (const part of new Set(results.map(({ pair }) => pair.sentence[dimension])))
    say(`  ${dimension} ${part}: ${shares(results.filter(({ pair }) => pair.sentence[dimension] === part))}`)
process.exit()

/** So many of them, spread over all: the first ones are drawn while most pairs of parts are new. */
function spread<T>(all: readonly T[]): T[] {
  const count = Math.min(Number(most) || all.length, all.length)
  return Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)] as T)
}

function shares(of: readonly PowerGrammarResult[]): string {
  const part = (right: (result: PowerGrammarResult) => boolean) => (of.filter(right).length / of.length).toFixed(3)
  return `${of.length} pairs, recall ${part(({ trap }) => trap.isSaid)}, calm ${part(({ twin }) => twin.isCalm)}`
}

function named(sentence: Sentence): string {
  return Object.values(sentence).join(' ')
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

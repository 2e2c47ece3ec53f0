import type { Chain } from '../chains/chain.js'
import type { Ending, RecordedSimulation, Round } from '../simulation/record-runs.js'
import type { StateMiss } from '../state/state-reader.js'
import type { AnalysisTrace } from './trace-command.js'

/** The trace for a person: a line for each simulation, and one below it for each of its rounds. */
export function renderTrace({ address, simulations, simulationsLeftOut, parts }: AnalysisTrace, chain: Chain): string {
  const left = simulationsLeftOut > 0 ? [`and ${simulationsLeftOut} simulations more`] : []
  const ends = Object.entries(parts).map(([name, became]) => `${name}: ${became}`)
  return `${[`${address} on ${chain.name}`, ...simulations.flatMap(linesOf), ...left, ends.join(', ')].join('\n')}\n`
}

function linesOf({ scenario, seeds, rounds, roundsLeftOut, ms, ended }: RecordedSimulation): string[] {
  const count = rounds.length + roundsLeftOut
  const title = `${scenario}: ${wordsOf(ended)}, ${count} ${count === 1 ? 'round' : 'rounds'} of fetching, ${Math.round(ms)} ms`
  return [
    seeds > 0 ? `${title}, ${seeds} values before the first run` : title,
    ...rounds.map((round, i) => `  round ${i + 1}: ${describe(round)}`),
    ...(roundsLeftOut > 0 ? [`  and ${roundsLeftOut} rounds more`] : []),
  ]
}

function wordsOf(ended: Ending): string {
  switch (ended.how) {
    case 'done':
      return 'done'
    case 'resisted':
      return `met the bound ${ended.bound}`
    case 'unsettled':
      return 'asked for new state in each round'
    case 'unsupported':
      return ended.what
    case 'failed':
      return `failed (${ended.error})`
  }
}

function describe({ accounts, slots, blockHashes, first, ms }: Round): string {
  const counts = [
    [accounts, 'accounts'],
    [slots, 'slots'],
    [blockHashes, 'block hashes'],
  ] as const
  const missing = counts.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : []))
  const more = accounts + slots + blockHashes > first.length ? ', …' : ''
  return `${missing.join(', ')} in ${Math.round(ms)} ms (${first.map(nameOf).join(', ')}${more})`
}

function nameOf(miss: StateMiss): string {
  if (miss.kind === 'account') return miss.address
  return miss.kind === 'storage' ? `${miss.address}[0x${miss.slot.toString(16)}]` : `block ${miss.number}`
}

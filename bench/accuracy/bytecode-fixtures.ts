import { readFacts } from '../../src/bytecode/facts.js'
import { ethereum } from '../../src/chains/ethereum.js'
import { checkBytecode } from '../../src/checks/bytecode/check-bytecode.js'
import { detectors } from '../../src/checks/bytecode/detectors/index.js'
import { readExpectations } from '../../src/checks/bytecode/expectations.conformance.js'
import { deploy } from '../../src/checks/bytecode/test-state.conformance.js'
import { compileFixtures, listSettings } from './bytecode-compilers.js'

export interface Tally {
  found: number
  missed: number
  quiet: number
  wrong: number
}

export interface FixtureResult {
  /** By detector id. */
  tallies: Record<string, Tally>
  settings: number
  contracts: number
  /** What was missed or wrongly found, one line each. */
  mistakes: string[]
}

/** One of several equal shares of the settings; the first has number 0. */
export interface Share {
  part: number
  parts: number
}

/** The results of all shares as one. */
export function mergeResults(results: readonly FixtureResult[]): FixtureResult {
  const tallies: Record<string, Tally> = {}
  for (const result of results) {
    for (const [id, { found, missed, quiet, wrong }] of Object.entries(result.tallies)) {
      tallies[id] ??= { found: 0, missed: 0, quiet: 0, wrong: 0 }
      const total = tallies[id]
      total.found += found
      total.missed += missed
      total.quiet += quiet
      total.wrong += wrong
    }
  }
  return {
    tallies,
    settings: results.reduce((sum, { settings }) => sum + settings, 0),
    contracts: results.reduce((sum, { contracts }) => sum + contracts, 0),
    mistakes: results.flatMap(({ mistakes }) => mistakes),
  }
}

/**
 * Every example under every compiler setting. An example that expects a detector must get its flag
 * above `LOW`, and one that names it as to be ignored must not. Of the others it says nothing.
 */
export async function measureFixtures(
  { part, parts }: Share,
  onProgress: (label: string) => void,
): Promise<FixtureResult> {
  const expectations = readExpectations()
  const tallies: Record<string, Tally> = Object.fromEntries(
    detectors.map(({ id }) => [id, { found: 0, missed: 0, quiet: 0, wrong: 0 }]),
  )
  const mistakes: string[] = []
  const settings = listSettings().filter((_, index) => index % parts === part)
  let contracts = 0
  for (const setting of settings) {
    onProgress(setting.label)
    for (const { name, creationCode } of compileFixtures(setting)) {
      const expectation = expectations.get(name)
      if (expectation === undefined) continue
      contracts += 1
      const { state, address } = deploy(creationCode)
      const { riskFlags, gaps } = checkBytecode({
        state,
        address,
        chain: ethereum,
        // Right or wrong is asked here, not how long it takes on a busy machine.
        analyse: (code) => readFacts(code),
        isOverdue: () => false,
      })
      if (gaps.length > 0) mistakes.push(`${setting.label}: ${name} is incomplete (${gaps.join(', ')})`)
      const raised = new Set(riskFlags.filter(({ threatLevel }) => threatLevel !== 'LOW').map(({ id }) => id))
      for (const [id, tally] of Object.entries(tallies)) {
        const expected = expectation.expected.includes(id)
        if (!expected && !expectation.ignored.includes(id)) continue
        const found = raised.has(id)
        if (expected) tally[found ? 'found' : 'missed'] += 1
        else tally[found ? 'wrong' : 'quiet'] += 1
        if (expected !== found) mistakes.push(`${setting.label}: ${name} ${found ? 'wrongly has' : 'lacks'} ${id}`)
      }
    }
  }
  return { tallies, settings: settings.length, contracts, mistakes }
}

import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type ContractFacts, readFacts } from '../../src/bytecode/facts.js'
import { ethereum } from '../../src/chains/ethereum.js'
import { checkBytecode } from '../../src/checks/bytecode/check-bytecode.js'
import { detectors } from '../../src/checks/bytecode/detectors/index.js'
import { findFlags } from '../../src/checks/bytecode/find-flags.js'
import { deploy } from '../../src/checks/bytecode/test-state.conformance.js'
import { createUnknownSubject } from '../../src/checks/bytecode/unknown-storage.conformance.js'
import { compileFixtures, listSettings } from './bytecode-compilers.js'
import { readCodes } from './bytecode-corpus.js'

/**
 * Writes down everything that the analysis says of each code, or compares with what was written
 * before: a change that is meant to save time must change no line.
 *
 *     npx tsx bench/accuracy/bytecode-flags.bench.ts <corpus|examples> <file>
 *
 * One line per code: its name, flags with all their evidence, gaps, and a digest of the places that
 * can run. Without deadlines, so that the machine does not matter. Ends with 1 when a line differs.
 */
const FILES = ['rug-or-normal', 'known-tokens', 'reviewed-findings', 'unlabelled']
/** Differences shown. */
const MAX_SHOWN = 20

const never = () => false

const describe = (facts: ContractFacts, said: unknown): string => {
  const { reachable, gaps, functions } = facts
  const places = createHash('sha256')
    .update(reachable.map(({ pc }) => pc).join())
    .digest('hex')
    .slice(0, 16)
  const selectors = functions.map(({ selector }) => selector ?? '*').join()
  return JSON.stringify({ said, gaps, places, selectors })
}

function* corpusLines(): Generator<string> {
  for (const file of FILES) {
    for (const [index, code] of readCodes(file).entries()) {
      const facts = readFacts(code)
      yield `${file} ${index}\t${describe(facts, findFlags(detectors, [createUnknownSubject(code, facts)], never))}`
    }
  }
}

async function* exampleLines(): AsyncGenerator<string> {
  for (const setting of listSettings()) {
    for (const { name, creationCode } of compileFixtures(setting)) {
      const { state, address, code } = deploy(creationCode)
      const said = checkBytecode({
        state,
        address,
        chain: ethereum,
        analyse: (of) => readFacts(of),
        isOverdue: never,
      })
      yield `${setting.label}: ${name}\t${describe(readFacts(code), said)}`
    }
  }
}

const [kind, path] = process.argv.slice(2)
if ((kind !== 'corpus' && kind !== 'examples') || path === undefined) {
  process.stderr.write('usage: bytecode-flags.bench.ts <corpus|examples> <file>\n')
  process.exit(2)
}
const lines: string[] = []
for await (const line of kind === 'corpus' ? corpusLines() : exampleLines()) lines.push(line)

if (!existsSync(path)) {
  writeFileSync(path, lines.join('\n'))
  process.stderr.write(`${lines.length} codes written to ${path}\n`)
} else {
  const before = readFileSync(path, 'utf8').split('\n')
  const places = Array.from({ length: Math.max(before.length, lines.length) }, (_, index) => index)
  const changed = places.filter((index) => before[index] !== lines[index])
  for (const index of changed.slice(0, MAX_SHOWN)) process.stderr.write(`- ${before[index]}\n+ ${lines[index]}\n`)
  process.stderr.write(`${lines.length} codes, ${changed.length} differ from ${path}\n`)
  process.exitCode = changed.length === 0 ? 0 : 1
}

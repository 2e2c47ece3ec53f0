import { basename } from 'node:path'
import { blockOf, readBlockFile, witnessOf } from '../src/replay-blocks/block-file.js'
import { contradictions, describeReplay, replayBlock } from '../src/replay-blocks/replay-block.js'
import { sharedFiles, sharedPath } from '../test/conformance/shared-data.js'
import { replayChain } from '../test/real-blocks/witness-chains.js'

const FOLDER = 'real-blocks'
const given = process.argv.slice(2)
const files = given.length > 0 ? given : sharedFiles(FOLDER).map((name) => sharedPath(FOLDER, name))

for (const path of files) {
  const started = performance.now()
  try {
    process.stdout.write(`${describe(path)} ${Math.round(performance.now() - started)} ms\n`)
  } catch (error) {
    process.exitCode = 1
    process.stdout.write(`${basename(path)}: ${error instanceof Error ? error.stack : error}\n`)
  }
}

/** Executes the block of a file and says on one line whether the chain came to the same. */
function describe(path: string): string {
  const file = readBlockFile(path)
  const block = blockOf(file, replayChain(file.chainId))
  const replayed = replayBlock(block, witnessOf(file))
  if (contradictions(block, replayed).length > 0) process.exitCode = 1
  return `${basename(path, '.json.gz')}: ${describeReplay(block, replayed)},`
}

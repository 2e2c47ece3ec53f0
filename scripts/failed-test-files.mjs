import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

/**
 * `node scripts/failed-test-files.mjs tests.json`: the files of a report of vitest (its `json`
 * reporter) in which something failed, with a space between. Fails when there are none, as after
 * an error outside all tests, or more than a race on a busy machine explains.
 */
const MOST_FILES = 8

const [path = ''] = process.argv.slice(2)
const { testResults } = JSON.parse(readFileSync(path, 'utf8'))
const failed = testResults
  .filter(
    ({ status, assertionResults }) => status === 'failed' || assertionResults.some((each) => each.status === 'failed'),
  )
  .map(({ name }) => relative(process.cwd(), name))
if (failed.length === 0 || failed.length > MOST_FILES) {
  process.stderr.write(`${failed.length} files failed: not tried again\n`)
  process.exit(1)
}
process.stdout.write(`${failed.join(' ')}\n`)

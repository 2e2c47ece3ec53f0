import { type Command, InvalidArgumentError } from 'commander'
import { createSystemClock } from '../clock.js'
import { readConfig } from '../config.js'
import { BaseError } from '../errors.js'
import { openStores } from '../keys/create-key-store.js'
import { createFalseResultStore, createFalseResults, type FalseResults } from '../saved-reports/create-false-results.js'
import type { FalseResult } from '../saved-reports/false-result.js'
import type { CommandLine } from './command-line.js'

/**
 * `assay false-results …`: what callers hold to be wrong. Works on the database directly, whether
 * the service runs or not.
 */
export function addFalseResultCommands(program: Command, io: CommandLine): void {
  const group = program.command('false-results').description('results that callers hold to be wrong')

  group
    .command('list')
    .description('list them, newest first')
    .option('--limit <n>', 'so many at most', parseLimit, DEFAULT_LIMIT)
    .option('--json', 'one line of JSON each')
    .action(({ limit, json }: { limit: number; json?: true }) =>
      withFalseResults(io, async (results) => {
        const found = await results.list(limit)
        io.write(found.map((each) => (json ? `${JSON.stringify(toPublic(each))}\n` : describe(each))).join(''))
        if (!json && found.length === 0) io.write('none\n')
      }),
    )

  group
    .command('show')
    .description('the complaint and the answers that were kept with it, as JSON')
    .argument('<id>', 'as "assay false-results list" shows it')
    .action((id: string) =>
      withFalseResults(io, async (results) => {
        const { found, answers } = await readFalseResult(results, id)
        io.write(`${JSON.stringify({ ...toPublic(found), answers }, null, 2)}\n`)
      }),
    )

  group
    .command('remove')
    .description('delete one that was dealt with')
    .argument('<id>', 'as "assay false-results list" shows it')
    .action((id: string) =>
      withFalseResults(io, async (results) => {
        if (!(await results.remove(id))) throw new UnknownFalseResultError()
        io.write(`removed ${id}\n`)
      }),
    )
}

/** What was kept under an id. Rejects where there is none. */
export async function readFalseResult(results: FalseResults, id: string) {
  const [found, answers] = [await results.find(id), await results.readAnswers(id)]
  if (found === undefined || answers === undefined) throw new UnknownFalseResultError()
  return { found, answers }
}

/** Opens the database for one job. */
export async function withFalseResults<T>(io: CommandLine, job: (results: FalseResults) => Promise<T>): Promise<T> {
  const { db, keyStore } = await openStores(readConfig(io.env))
  try {
    return await job(createFalseResults({ store: createFalseResultStore(db), clock: createSystemClock() }))
  } finally {
    await keyStore.close()
  }
}

const DEFAULT_LIMIT = 50
/** As many as are kept. */
const MAX_LIMIT = 2_000

function parseLimit(text: string): number {
  const limit = Number(text)
  if (!/^\d+$/.test(text) || limit < 1 || limit > MAX_LIMIT) {
    throw new InvalidArgumentError(`Not a whole number from 1 to ${MAX_LIMIT}.`)
  }
  return limit
}

function toPublic({ createdAt, expiresAt, ...rest }: FalseResult) {
  return { ...rest, createdAt: toTime(createdAt), expiresAt: toTime(expiresAt) }
}

/** Two lines: what was said of what, and the words of the caller, which are one line. */
function describe({ id, createdAt, summary, complaint }: FalseResult): string {
  const { chainName, address, symbol, overall, block } = summary
  const named = symbol === '' ? address : `${symbol} ${address}`
  const judged = `${overall.level} (${Math.round(overall.score)}) at block ${block.number}`
  return `${id}  ${toTime(createdAt).slice(0, 16)}  ${chainName}  ${named}  ${judged}, expected ${complaint.expected}
    ${complaint.message}\n`
}

const toTime = (ms: number) => new Date(ms).toISOString()

/** The operator named one that is not there. */
class UnknownFalseResultError extends BaseError {
  override readonly name = 'UnknownFalseResultError'

  constructor() {
    super('there is no such false result; "assay false-results list" shows what there is')
  }
}

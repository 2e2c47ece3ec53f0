import { readFileSync, statSync } from 'node:fs'
import type { Command } from 'commander'
import { readConfig } from '../config.js'
import { BaseError } from '../errors.js'
import type { Difference } from '../reports/compare-reports.js'
import { isFalseResultId } from '../saved-reports/create-false-results.js'
import type { CommandLine } from './command-line.js'
import { readFalseResult, withFalseResults } from './false-results-command.js'

/**
 * `assay replay <report>`: makes a saved report again at its block, and says in which fields it
 * differs. Of a false result that a caller reported, each of its answers. With `--proof`, what
 * shows its powers on a fork.
 */
export function addReplayCommand(program: Command, io: CommandLine): void {
  program
    .command('replay')
    .description('make a saved report again at its block and compare it field by field')
    .argument('<report>', 'file with one answer of the API, or the id of a false result')
    .option('--proof', 'print the transactions that show its powers, for cast on a fork, instead')
    .action(async (named: string, { proof }: { proof?: true }) => {
      if (proof) return void io.write((await import('./render-proof.js')).renderProofs(readReport(named)))
      if (!isFalseResultId(named)) return replay(io, readReport(named))
      const { answers } = await withFalseResults(io, (results) => readFalseResult(results, named))
      const failures: unknown[] = []
      for (const [name, answer] of Object.entries(answers)) {
        io.write(`${name}: `)
        await replay(io, answer as Readonly<Record<string, unknown>>).catch((error: unknown) => {
          io.write(error instanceof BaseError ? `${error.message}\n` : 'failed\n')
          failures.push(error)
        })
      }
      if (failures.length > 0) throw failures[0]
    })
}

async function replay(io: CommandLine, answer: Readonly<Record<string, unknown>>): Promise<void> {
  const { withoutCompatFields } = await import('../reports/compat-fields.js')
  const saved = withoutCompatFields(answer)
  // The engine is loaded only by the commands that need it.
  const { makeAgain } = await import('./make-again.js')
  const { compareReports, MAX_DIFFERENCES } = await import('../reports/compare-reports.js')
  const isSame = (again: object) => compareReports(saved, again).length === 0
  const differences = compareReports(saved, await makeAgain(readConfig(io.env), saved, isSame, io))
  if (differences.length === 0) return void io.write('the report is the same\n')
  for (const difference of differences) io.write(`${describe(difference)}\n`)
  throw new ReportDiffersError(differences.length, differences.length === MAX_DIFFERENCES)
}

/** Reads a file that must hold one JSON object. */
export function readReport(path: string): Readonly<Record<string, unknown>> {
  const report = parse(path)
  if (typeof report !== 'object' || report === null || Array.isArray(report)) throw new NoReportError(path)
  return report as Record<string, unknown>
}

function parse(path: string): unknown {
  try {
    if (statSync(path).size > MAX_REPORT_BYTES) throw new NoReportError(path)
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw cause instanceof NoReportError ? cause : new NoReportError(path, cause)
  }
}

/** Traces are cut at 4 MB; written as text with names they are a few times that. */
const MAX_REPORT_BYTES = 64 * 1024 * 1024

const describe = ({ path, saved, again }: Difference) => `${path}: ${show(saved)} in the report, ${show(again)} now`

/** A value on one line of bearable length. JSON leaves no control character as it is. */
function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

const MAX_SHOWN = 120

/** The file holds nothing that could be a report. */
export class NoReportError extends BaseError {
  override readonly name = 'NoReportError'

  constructor(path: string, cause?: unknown) {
    super(`${path} is no readable report`, { cause, docs: 'docs/replay.md' })
  }
}

/** The answer of `assay replay` that is worth an exit code. */
class ReportDiffersError extends BaseError {
  override readonly name = 'ReportDiffersError'

  constructor(count: number, isCut: boolean) {
    super(`the report differs in ${isCut ? 'at least ' : ''}${count} field${count === 1 ? '' : 's'}`)
  }
}

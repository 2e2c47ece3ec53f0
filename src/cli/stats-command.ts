import type { Command } from 'commander'
import { toWireChainId } from '../chains/chain-id.js'
import { createSystemClock } from '../clock.js'
import { readConfig } from '../config.js'
import { createSqlFamilyStore } from '../families/sql-family-store.js'
import { openStores } from '../keys/create-key-store.js'
import { type Followed, OUTCOMES } from '../outcomes/outcome.js'
import { createStatsReader, type StageStats, WARNING } from '../outcomes/outcome-stats.js'
import { createSqlOutcomeStore } from '../outcomes/sql-outcome-store.js'
import { toStatsBody } from '../outcomes/to-stats-body.js'
import type { CommandLine } from './command-line.js'

/** Verdicts that are listed; the newest. */
const MAX_LISTED = 200

/**
 * `assay stats`: what became of the verdicts that were given here. Works on the database directly,
 * whether the service runs or not.
 */
export function addStatsCommand(program: Command, io: CommandLine): void {
  program
    .command('stats')
    .description('how right the verdicts of this installation were')
    .option('--list', `the newest ${MAX_LISTED} verdicts that are followed, each with what was seen since`)
    .option('--json', 'as GET /api/stats has it; with --list one line of JSON each')
    .action(async ({ list, json }: { list?: true; json?: true }) => {
      const { db, keyStore } = await openStores(readConfig(io.env))
      try {
        const outcomes = createSqlOutcomeStore(db)
        if (list) {
          const all = (await outcomes.list(MAX_LISTED)).map(toPublic)
          io.write(all.map((each) => (json ? `${JSON.stringify(each)}\n` : lineOf(each))).join(''))
          return
        }
        const families = createSqlFamilyStore(db)
        const stats = toStatsBody(await createStatsReader({ outcomes, families, clock: createSystemClock() }).read())
        io.write(json ? `${JSON.stringify(stats, null, 2)}\n` : render(stats))
      } finally {
        await keyStore.close()
      }
    })
}

type Shown = ReturnType<typeof toStatsBody>

function render({ followed, stages, families }: Shown): string {
  const { copies, codes, hostile, turned } = families
  return [
    `${copies} tokens of ${codes} codes were judged; ${hostile} were hostile, ${turned} of them only later.\n`,
    `${followed} verdicts are, or were, followed.\n`,
    ...stages.map(renderStage),
  ].join('')
}

const COLUMN = 10

function renderStage(stage: Shown['stages'][number]): string {
  const { days, levels, warned, warnedRightly, harmed, precision, recall, traps, unknown } = stage
  const row = (cells: readonly (string | number)[]) =>
    `  ${cells.map((cell, at) => (at === 0 ? String(cell).padEnd(2 * COLUMN) : String(cell).padStart(COLUMN))).join('')}\n`
  return [
    `\nAfter ${days} days, of tokens that could be sold when they were judged:\n`,
    row(['', ...OUTCOMES]),
    ...levels.map((each) => row([each.level, ...OUTCOMES.map((outcome) => each[outcome])])),
    `  precision ${percent(precision)}: of ${warned} judged ${WARNING} or worse, ${warnedRightly} came to harm\n`,
    `  recall ${percent(recall)}: of ${harmed} that came to harm, ${warnedRightly} had been judged so\n`,
    `  shut already when judged: ${traps.followed}, of which ${traps.stillHarmful} still harmful; not seen in time: ${unknown}\n`,
  ].join('')
}

const percent = (share: StageStats['precision'] | null) =>
  typeof share === 'number' ? `${Math.round(share * 1_000) / 10} %` : 'unknown'

const toPublic = ({ chainId, address, origin, judgedAt, level, wasTrap, harm, harmAt, seen }: Followed) => ({
  ...{ chainId: toWireChainId(chainId), address, origin, judgedAt: toTime(judgedAt), level, wasTrap },
  ...{ harm: harm ?? null, harmAt: harmAt === undefined ? null : toTime(harmAt) },
  ...{ after7Days: seen[7] ?? null, after30Days: seen[30] ?? null },
})

function lineOf({
  chainId,
  address,
  judgedAt,
  level,
  harm,
  harmAt,
  after7Days,
  after30Days,
}: ReturnType<typeof toPublic>): string {
  const since = harm === null ? 'no harm seen' : `${harm} ${harmAt?.slice(0, 16)}`
  const stages = `7 days: ${after7Days ?? '-'}, 30 days: ${after30Days ?? '-'}`
  return `${judgedAt.slice(0, 16)}  ${chainId}  ${address}  ${level}: ${since} (${stages})\n`
}

const toTime = (ms: number) => new Date(ms).toISOString()

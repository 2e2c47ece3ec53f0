import { type Command, InvalidArgumentError, Option } from 'commander'
import { createSystemClock } from '../clock.js'
import { readConfig } from '../config.js'
import { BaseError } from '../errors.js'
import { createKeyStore } from '../keys/create-key-store.js'
import { issueKey } from '../keys/issue.js'
import { type KeyLimits, type KeyRecord, MAX_LIMIT, TIERS, type Tier } from '../keys/key-record.js'
import type { KeyStore } from '../keys/key-store.js'
import { revokeKey } from '../keys/revoke.js'
import { setTier } from '../keys/tier.js'
import type { CommandLine } from './command-line.js'

/**
 * `assay keys …`: what the operator does with API keys. Works on the database directly, whether the
 * service runs or not.
 */
export function addKeysCommands(program: Command, io: CommandLine): void {
  const keys = program.command('keys').description('issue, list and revoke API keys')

  withTierOptions(keys.command('create'))
    .description('issue a key; it is shown this once')
    .requiredOption('--label <text>', 'what the key is for')
    .addOption(new Option('--tier <tier>', 'tier of the key').choices(TIERS).default('free'))
    .option('--origin <origins...>', 'pages that are to use it, such as https://app.example; it answers to these alone')
    .option('--json', 'one line of JSON with id and key')
    .action((options: TierOptions & { label: string; tier: Tier; origin?: string[]; json?: true }) =>
      withStore(io, async (store) => {
        const { label, tier, origin: origins = [] } = options
        const order = { label, tier, origins, limits: limitsIn(options) }
        const { key, record } = await issueKey({ store, clock: createSystemClock() }, order)
        io.write(options.json ? `${JSON.stringify({ id: record.id, key })}\n` : describeNew(key, record))
      }),
    )

  keys
    .command('list')
    .description('list the keys, oldest first')
    .option('--json', 'one line of JSON per key')
    .action(({ json }: { json?: true }) =>
      withStore(io, async (store) => {
        const records = await store.list()
        io.write(json ? records.map((record) => `${JSON.stringify(toPublic(record))}\n`).join('') : toTable(records))
      }),
    )

  keys
    .command('revoke')
    .description('end a key for good; refused everywhere within a second')
    .argument('<id>', 'id of the key, or the key itself')
    .action((idOrKey: string) =>
      withStore(io, async (store) => {
        const id = await revokeKey({ store, clock: createSystemClock() }, idOrKey)
        if (id === undefined) throw new UnknownKeyError()
        io.write(`revoked ${id}\n`)
      }),
    )

  withTierOptions(keys.command('tier'))
    .description('move a key to another tier')
    .argument('<id>', 'id of the key')
    .addArgument(keys.createArgument('<tier>', 'its new tier').choices(TIERS))
    .action((id: string, tier: Tier, options: TierOptions) =>
      withStore(io, async (store) => {
        const limits = await setTier(store, id, { tier, limits: limitsIn(options) })
        if (limits === undefined) throw new UnknownKeyError()
        io.write(`${id} is ${tier}: ${describeLimits(limits)}\n`)
      }),
    )
}

interface TierOptions {
  analysis?: number
  general?: number
}

function withTierOptions(command: Command): Command {
  return command
    .option('--analysis <n>', 'analyses per minute of a partner', parseLimit)
    .option('--general <n>', 'other requests per minute of a partner', parseLimit)
}

function limitsIn({ analysis, general }: TierOptions): Partial<KeyLimits> {
  return { ...(analysis !== undefined && { analysis }), ...(general !== undefined && { general }) }
}

function parseLimit(text: string): number {
  const limit = Number(text)
  if (!/^\d+$/.test(text) || limit < 1 || limit > MAX_LIMIT) {
    throw new InvalidArgumentError(`Not a whole number from 1 to ${MAX_LIMIT}.`)
  }
  return limit
}

async function withStore(io: CommandLine, job: (store: KeyStore) => Promise<void>): Promise<void> {
  const store = await createKeyStore(readConfig(io.env))
  try {
    await job(store)
  } finally {
    await store.close()
  }
}

function describeNew(key: string, { id, label, tier, limits, origins }: KeyRecord): string {
  const notice =
    origins.length === 0
      ? 'Store it now: it cannot be shown again.'
      : `Pages of ${origins.join(', ')} alone can use it.`
  return `${key}

${notice}
${id}, "${label}", ${tier}: ${describeLimits(limits)}
`
}

function describeLimits({ analysis, general }: KeyLimits): string {
  return `${analysis} analyses and ${general} other requests a minute`
}

function toPublic({ hash: _, createdAt, lastUsedAt, revokedAt, ...record }: KeyRecord) {
  return { ...record, createdAt: toTime(createdAt), lastUsedAt: toTime(lastUsedAt), revokedAt: toTime(revokedAt) }
}

const COLUMNS = ['ID', 'KEY', 'LABEL', 'TIER', 'LIMITS', 'CREATED', 'LAST USED', 'STATE']

function toTable(records: readonly KeyRecord[]): string {
  const rows = records.map(({ id, masked, label, tier, limits, origins, createdAt, lastUsedAt, revokedAt }) => [
    id,
    masked.replace(/\*+/, '…'),
    label,
    tier,
    `${limits.analysis}/${limits.general}`,
    toTime(createdAt)?.slice(0, 16) ?? '',
    toTime(lastUsedAt)?.slice(0, 16) ?? 'never',
    revokedAt !== undefined ? 'revoked' : ['valid', ...origins].join(' '),
  ])
  const table = [COLUMNS, ...rows]
  const widths = COLUMNS.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  return table
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

function toTime(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString()
}

/** The operator named a key that is not there. */
class UnknownKeyError extends BaseError {
  override readonly name = 'UnknownKeyError'

  constructor() {
    super('there is no such key; "assay keys list" shows what there is')
  }
}

import { closeSync, fstatSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { createSystemClock } from '../clock.js'
import { readConfig } from '../config.js'
import { BaseError } from '../errors.js'
import { MAX_FILE_BYTES, readFamilyFile, writeFamilyFile } from '../families/family-file.js'
import { MAX_IMPORTED } from '../families/family-member.js'
import type { FamilyStore } from '../families/family-store.js'
import { createSqlFamilyStore } from '../families/sql-family-store.js'
import { openStores } from '../keys/create-key-store.js'
import { createSigningKey, readPublicKey } from '../reports/signing-key.js'
import type { CommandLine } from './command-line.js'
import { readPem } from './verify.js'

/**
 * `assay families …`: what is remembered of codes, for other installations and from them. Works on
 * the database directly, whether the service runs or not.
 */
export function addFamilyCommands(program: Command, io: CommandLine): void {
  const group = program.command('families').description('what is remembered of tokens by their code')

  group
    .command('export')
    .description('write what was judged here into a file, signed with ASSAY_SIGNING_KEY')
    .argument('<file>', 'that does not exist yet')
    .action(async (path: string) => {
      const { signingKey } = readConfig(io.env)
      if (signingKey === undefined) throw new UnsignedError()
      const key = createSigningKey(signingKey)
      const members = await withFamilies(io, (store) => store.list(MAX_IMPORTED))
      writeFileSync(path, writeFamilyFile(members, { key, now: createSystemClock().now() }), { flag: 'wx' })
      io.write(`${members.length} tokens, signed by ${key.keyId}\n`)
    })

  group
    .command('import')
    .description('read the file of another installation; what it told before is replaced')
    .argument('<file>', 'that "assay families export" wrote')
    .requiredOption(
      '--key <file>',
      'trusted public key in PEM, or the answer of GET /api/signing-key; several times',
      collect,
    )
    .action(async (path: string, { key }: { key: readonly string[] }) => {
      const trusted = key.map((each) => readPublicKey(readPem(each)))
      const file = readFamilyFile(readBounded(path), { trusted, now: createSystemClock().now() })
      const refusal = await withFamilies(io, (store) => store.replaceSource(file.keyId, file))
      if (refusal !== undefined) throw new ImportRefusedError(refusal)
      io.write(`${file.members.length} tokens from ${file.keyId}, as of ${toTime(file.madeAt)}\n`)
    })

  group
    .command('sources')
    .description('list the installations whose files were imported')
    .action(() =>
      withFamilies(io, async (store) => {
        const sources = await store.listSources()
        io.write(
          sources.map(({ keyId, madeAt, members }) => `${keyId}  ${toTime(madeAt)}  ${members} tokens\n`).join(''),
        )
        if (sources.length === 0) io.write('none\n')
      }),
    )

  group
    .command('forget')
    .description('forget what an installation told')
    .argument('<key id>', 'as "assay families sources" shows it')
    .action((keyId: string) =>
      withFamilies(io, async (store) => {
        if (keyId === '' || !(await store.removeSource(keyId))) throw new UnknownSourceError()
        io.write(`forgot ${keyId}\n`)
      }),
    )
}

const collect = (path: string, before: readonly string[] = []) => [...before, path]

const toTime = (ms: number) => new Date(ms).toISOString()

/** Opens the database for one job. */
async function withFamilies<T>(io: CommandLine, job: (store: FamilyStore) => Promise<T>): Promise<T> {
  const { db, keyStore } = await openStores(readConfig(io.env))
  try {
    return await job(createSqlFamilyStore(db))
  } finally {
    await keyStore.close()
  }
}

/** The size is known before the first byte is read. */
function readBounded(path: string): string {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const { size } = fstatSync(file)
    if (size > MAX_FILE_BYTES) throw new RangeError(`larger than ${MAX_FILE_BYTES} bytes`)
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new FamilyPathError(path, cause)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

class FamilyPathError extends BaseError {
  override readonly name = 'FamilyPathError'

  constructor(path: string, cause: unknown) {
    super(`${path} cannot be read, or is too large`, { cause, docs: 'docs/families.md' })
  }
}

/** Without a key there is no file that another installation could trust. */
class UnsignedError extends BaseError {
  override readonly name = 'UnsignedError'

  constructor() {
    super('families are exported signed: set ASSAY_SIGNING_KEY', { docs: 'docs/families.md' })
  }
}

class ImportRefusedError extends BaseError {
  override readonly name = 'ImportRefusedError'

  constructor(refusal: 'older' | 'sources') {
    super(
      refusal === 'older'
        ? 'a newer file of that installation was imported already'
        : 'too many installations are known; "assay families forget" makes room',
      { docs: 'docs/families.md' },
    )
  }
}

class UnknownSourceError extends BaseError {
  override readonly name = 'UnknownSourceError'

  constructor() {
    super('nothing was imported from that installation; "assay families sources" shows what was')
  }
}

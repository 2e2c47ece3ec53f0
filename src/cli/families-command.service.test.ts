import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { memberOf } from '../families/family-store.conformance.js'
import { createSqlFamilyStore } from '../families/sql-family-store.js'
import { createSigningKey } from '../reports/signing-key.js'
import { openDatabase } from '../stores/database.js'
import { run } from './program.js'

const folder = mkdtempSync(join(tmpdir(), 'assay-families-command-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const key = createSigningKey(pem)
const [file, trusted, other] = ['families.json', 'trusted.pem', 'other.pem'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
]
writeFileSync(trusted, key.publicKey)
writeFileSync(other, generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }))

/** The command at an installation of its own. */
const at =
  (name: string, env: Record<string, string> = {}) =>
  async (...args: string[]) => {
    let out = ''
    const write = (text: string) => {
      out += text
    }
    const code = await run(args, { write, writeError: write, env: { ...env, ASSAY_DATA_DIR: join(folder, name) } })
    return { code, out }
  }

test('what one installation exports, another that trusts its key imports, lists and forgets', async () => {
  const db = await openDatabase({ dataDir: join(folder, 'one'), databaseUrl: undefined })
  for (const each of [1, 2]) await createSqlFamilyStore(db).record(memberOf(each))
  await db.destroy()

  expect((await at('one')('families', 'export', file)).out).toContain('set ASSAY_SIGNING_KEY')
  expect(existsSync(file)).toBe(false)
  const signed = at('one', { ASSAY_SIGNING_KEY: pem.replaceAll('\n', '\\n') })
  expect(await signed('families', 'export', file)).toEqual({ code: 0, out: `2 tokens, signed by ${key.keyId}\n` })
  expect((await signed('families', 'export', file)).code).toBe(1)

  const two = at('two')
  expect((await two('families', 'import', file)).code).toBe(2)
  expect((await two('families', 'import', file, '--key', other)).out).toContain('not trusted')
  expect((await two('families', 'sources')).out).toBe('none\n')
  const imported = await two('families', 'import', file, '--key', other, '--key', trusted)
  expect(imported).toMatchObject({ code: 0, out: expect.stringContaining(`2 tokens from ${key.keyId}`) })
  expect((await two('families', 'sources')).out).toContain(`${key.keyId}  `)
  expect((await two('families', 'forget', key.keyId)).code).toBe(0)
  expect((await two('families', 'forget', key.keyId)).code).toBe(1)
})

test('the record of a new installation is empty, and says so', async () => {
  const { code, out } = await at('one')('stats')
  expect(code).toBe(0)
  expect(out).toContain('2 tokens of 1 codes were judged; 0 were hostile')
  expect(out).toContain('precision unknown')
  expect(JSON.parse((await at('one')('stats', '--json')).out)).toMatchObject({ followed: 0, families: { copies: 2 } })
  expect(await at('one')('stats', '--list')).toEqual({ code: 0, out: '' })
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createSystemClock } from '../../src/clock.js'
import { createKeyStore } from '../../src/keys/create-key-store.js'
import { issueKey } from '../../src/keys/issue.js'
import { compiled } from '../compiled.js'

const dataDir = mkdtempSync(join(tmpdir(), 'assay-full-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

/** In blocks of 512 bytes: the database has room for some hundred changes. */
const LARGEST_FILE_BLOCKS = 1_024

test('42: a full disk refuses the next key, keeps those before it, and leaves none half written', {
  timeout: 120_000,
}, async () => {
  const script = compiled('test/keys/insert-forever.ts')
  const child = spawn(
    'sh',
    ['-c', `ulimit -f ${LARGEST_FILE_BLOCKS}; exec "$@"`, 'sh', process.execPath, script, dataDir],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let [accepted, errors] = ['', '']
  child.stdout.on('data', (chunk) => {
    accepted += chunk
  })
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const [code] = await once(child, 'close')
  expect(code).toBe(1)
  expect(errors).toContain('KeyStoreError')
  const ids = accepted.trimEnd().split('\n')
  expect(ids.length).toBeGreaterThan(1)

  const store = await createKeyStore({ dataDir, databaseUrl: undefined })
  const stored = await store.list()
  expect(stored.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  await issueKey({ store, clock: createSystemClock() }, { label: 'after', tier: 'free' })
  expect(await store.list()).toHaveLength(ids.length + 1)
  await store.close()
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { program } from '../../test/compiled.js'
import { createSystemClock } from '../clock.js'
import { createKeyStore } from '../keys/create-key-store.js'
import { createKeyVerifier } from '../keys/verify-key.js'
import { run } from './program.js'

const root = mkdtempSync(join(tmpdir(), 'assay-cli-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

let folders = 0
/** A command line on a database of its own. */
const setUp = () => {
  folders += 1
  const env = { ASSAY_DATA_DIR: join(root, String(folders)) }
  const assay = async (...args: string[]) => {
    const out: string[] = []
    const err: string[] = []
    const code = await run(args, { env, write: (text) => out.push(text), writeError: (text) => err.push(text) })
    return { code, out: out.join(''), err: err.join('') }
  }
  const create = async (...args: string[]): Promise<{ id: string; key: string }> =>
    JSON.parse((await assay('keys', 'create', '--label', 'bot', '--json', ...args)).out)
  const list = async () =>
    (await assay('keys', 'list', '--json')).out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  return { env, assay, create, list }
}

describe('create', () => {
  test('prints one line of JSON with id and key, and the key is valid', async () => {
    const { env, assay } = setUp()
    const { code, out, err } = await assay('keys', 'create', '--label', 'bot', '--tier', 'free', '--json')
    expect([code, err, out.split('\n').length]).toEqual([0, '', 2])
    const { id, key, ...rest } = JSON.parse(out)
    expect(rest).toEqual({})
    const store = await createKeyStore({ dataDir: env.ASSAY_DATA_DIR, databaseUrl: undefined })
    const record = await createKeyVerifier({ store, clock: createSystemClock() }).verify(key)
    expect(record).toMatchObject({ id, label: 'bot', tier: 'free' })
    await store.close()
  })

  test('tells a person to keep the key', async () => {
    const { out } = await setUp().assay('keys', 'create', '--label', 'bot')
    expect(out).toMatch(
      /^assay_\w{49}\n\nStore it now: it cannot be shown again.\nkey_\w+, "bot", free: 10 analyses and 30 /,
    )
  })

  test('gives a partner the limits that were named', async () => {
    const { create, list } = setUp()
    await create('--tier', 'partner', '--analysis', '500')
    expect(await list()).toMatchObject([{ tier: 'partner', limits: { analysis: 500, general: 300 } }])
  })
})

describe('list', () => {
  test('shows no key and no hash', async () => {
    const { assay, create, list } = setUp()
    const { id, key } = await create()
    const [record] = await list()
    expect(record).toEqual({
      id,
      masked: expect.stringMatching(/^assay_.\*{28}.{4}$/),
      label: 'bot',
      tier: 'free',
      limits: { analysis: 10, general: 30 },
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      lastUsedAt: null,
      origins: [],
      revokedAt: null,
    })
    const { out } = await assay('keys', 'list')
    expect(out).toContain(`${id}  ${key.slice(0, 7)}…${key.slice(-4)}  bot    free  10/30`)
    expect(out).toMatch(/never {6}valid\n$/)
    expect(out).not.toContain(key)
  })

  test('of nothing is a heading', async () => {
    expect((await setUp().assay('keys', 'list')).out).toBe('ID  KEY  LABEL  TIER  LIMITS  CREATED  LAST USED  STATE\n')
  })
})

describe('revoke and tier', () => {
  test('revoke takes an id or the key', async () => {
    const { assay, create, list } = setUp()
    const first = await create()
    const second = await create()
    expect(await assay('keys', 'revoke', first.id)).toEqual({ code: 0, out: `revoked ${first.id}\n`, err: '' })
    expect(await assay('keys', 'revoke', second.key)).toEqual({ code: 0, out: `revoked ${second.id}\n`, err: '' })
    expect((await list()).every(({ revokedAt }) => revokedAt !== null)).toBe(true)
  })

  test('tier changes the limits', async () => {
    const { assay, create } = setUp()
    const { id } = await create()
    expect((await assay('keys', 'tier', id, 'partner', '--general', '60')).out).toBe(
      `${id} is partner: 100 analyses and 60 other requests a minute\n`,
    )
    expect((await assay('keys', 'tier', id, 'free')).out).toBe(
      `${id} is free: 10 analyses and 30 other requests a minute\n`,
    )
  })

  test.each([
    ['revoke', 'key_none'],
    ['tier', 'key_none', 'free'],
  ])('a key that is not there: %s', async (...args) => {
    expect(await setUp().assay('keys', ...args)).toEqual({
      code: 1,
      out: '',
      err: 'assay: there is no such key; "assay keys list" shows what there is\n',
    })
  })
})

describe('a command line that makes no sense', () => {
  test.each([
    ['keys', 'create'],
    ['keys', 'create', '--label', 'x', '--tier', 'gold'],
    ['keys', 'create', '--label', 'x', '--tier', 'partner', '--analysis', '0'],
    ['keys', 'create', '--label', 'x', '--tier', 'partner', '--analysis', '10001'],
    ['keys', 'revoke'],
    ['keys', 'tier', 'key_a', 'gold'],
    ['nonsense'],
    ['--nonsense'],
  ])('%s %s %s %s %s', async (...args) => {
    const { code, out, err } = await setUp().assay(...args.filter((arg) => arg !== undefined))
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(/^error: /)
  })

  test('help is not an error', async () => {
    const { code, out } = await setUp().assay('keys', '--help')
    expect(code).toBe(0)
    expect(out).toContain('revoke')
  })
})

test.each([
  [['keys', 'create', '--label', 'a\nb'], {}, 'assay: A label is 1 to 100 visible characters on one line\n'],
  [
    ['keys', 'list'],
    { PORT: 'x' },
    'assay: The configuration cannot be used:\n  - PORT must be a port number from 0 to 65535\n',
  ],
])('an expected failure is said without a stack: %s', async (args, env, expected) => {
  const err: string[] = []
  const io = { env: { ...setUp().env, ...env }, write: () => {}, writeError: (text: string) => err.push(text) }
  expect(await run(args, io)).toBe(1)
  expect(err.join('')).toBe(expected)
})

test('two processes can issue keys at the same time, on a database that neither has made', async () => {
  const { env, list } = setUp()
  const issue = async () => {
    const args = [program('cli/main'), 'keys', 'create', '--label', 'x', '--json']
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let out = ''
    child.stdout.on('data', (chunk) => (out += chunk))
    const [code] = await once(child, 'close')
    return { code, id: JSON.parse(out).id }
  }
  const issued = await Promise.all([issue(), issue()])
  expect(issued.map(({ code }) => code)).toEqual([0, 0])
  expect((await list()).map(({ id }) => id).toSorted()).toEqual(issued.map(({ id }) => id).toSorted())
})

import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fetchVectors, readVectors } from '../../scripts/fetch-tests.js'

const FILES: Readonly<Record<string, string>> = { '/copy/a/one.gz': 'first', '/copy/b/two.gz': 'second' }
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const ONE = { path: 'a/one.gz', sha256: sha256('first') }
const TWO = { path: 'b/two.gz', sha256: sha256('second') }

/** A copy of the vectors, and a folder to put them in. */
async function setUp() {
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    const text = FILES[url]
    response.writeHead(text === undefined ? 404 : 200).end(text)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const folder = mkdtempSync(join(tmpdir(), 'assay-vectors-'))
  onTestFinished(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })
  return { asked, folder, from: `http://127.0.0.1:${(server.address() as AddressInfo).port}/copy/` }
}

test('fetches what is not there, and asks for nothing that is', async () => {
  const { asked, folder, from } = await setUp()
  expect(await fetchVectors([ONE], from, folder)).toEqual(['a/one.gz'])
  expect(await fetchVectors([ONE, TWO], from, folder)).toEqual(['b/two.gz'])
  expect(readFileSync(join(folder, 'b/two.gz'), 'utf8')).toBe('second')
  expect(asked).toEqual(['/copy/a/one.gz', '/copy/b/two.gz'])
})

test('a file that was changed is fetched again', async () => {
  const { folder, from } = await setUp()
  await fetchVectors([ONE], from, folder)
  writeFileSync(join(folder, 'a/one.gz'), 'other')
  expect(await fetchVectors([ONE], from, folder)).toEqual(['a/one.gz'])
})

test.each([
  ['is another one', { ...ONE, sha256: sha256('what it was') }, 'not the file that the tests were written for'],
  ['is not there', { ...ONE, path: 'a/none.gz' }, '404'],
])('a file that %s is left out, and ends it', async (_, vector, message) => {
  const { folder, from } = await setUp()
  await expect(fetchVectors([vector, TWO], from, folder)).rejects.toThrow(message)
  expect(existsSync(join(folder, vector.path))).toBe(false)
  expect(existsSync(join(folder, TWO.path))).toBe(false)
})

test.each(['first', `${ONE.sha256}  ../one.gz`, `${ONE.sha256}  a/../../one.gz`, `${ONE.sha256}  /etc/one`])(
  '%s names no vector',
  (line) => {
    expect(() => readVectors(line)).toThrow(TypeError)
  },
)

test('the list of the project can be read', () => {
  const list = readFileSync(resolve(import.meta.dirname, '../vectors.sha256'), 'utf8')
  expect(readVectors(list).length).toBeGreaterThan(90)
})

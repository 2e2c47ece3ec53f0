import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
const filesIn = (folder: string, ending: RegExp) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name) && !/node_modules|dist|client\/operations\.ts$/.test(name))
    .map((name) => `${folder}/${name}`)
const code = ['src', 'portal', 'test'].flatMap((folder) => filesIn(folder, /\.(tsx?|mjs|css|html)$/))
const texts = [
  'README.md',
  'AGENTS.md',
  ...filesIn('docs', /\.md$/),
  ...code.filter((name) => !name.startsWith('test/')),
]

const tools = ['bench', 'scripts'].flatMap((folder) => filesIn(folder, /\.(tsx?|mjs)$/))
const contracts = filesIn('contracts', /\.sol$/)

const linesOf = (name: string) =>
  readFileSync(join(ROOT, name), 'utf8')
    .split('\n')
    .map((line, i) => ({ line, place: `${name}:${i + 1}` }))
const placesOf = (names: readonly string[], isWrong: (line: string) => boolean) =>
  names.flatMap((name) => linesOf(name).flatMap(({ line, place }) => (isWrong(line) ? [place] : [])))

/** Say who it is: the owner, any address, the caller. */
const VAGUE = /\b(no|any|some|every)body\b|\bwho(ever|m)\b/i
/** In fixtures a mapping says what holds for everybody. */
const VAGUE_IN_FIXTURES = /\b(no|any|some)body\b|\bwho(ever|m)\b/i
/** `{/*` is a comment in markup. */
const COMMENT = /^\s*(\/\/|\{?\/\*|\*\s)|\s\/\/ /
const MAX_COLUMNS = 100

test('texts, comments and fixtures name the account that they speak of', () => {
  expect(placesOf([...texts, ...tools], (line) => VAGUE.test(line))).toEqual([])
  expect(placesOf(contracts, (line) => VAGUE_IN_FIXTURES.test(line))).toEqual([])
})

test('comments have at most 100 columns', () => {
  expect(placesOf([...code, ...tools], (line) => line.length > MAX_COLUMNS && COMMENT.test(line))).toEqual([])
})

/** An entry of a program, and a list with a meaning. */
const SHARED_NAMES = ['main.ts', 'index.ts']

/** Each analysis has the schema of its report, and what writes it. */
const REPORT_FOLDER = /src\/reports\/\w+\/(schema|to-report)\.ts$/

test('outside the folders of routes and reports no two files have one name', () => {
  const paths = code.filter((name) => !name.includes('/routes/') && !REPORT_FOLDER.test(name))
  const seen = new Map<string, string>()
  const twice = paths.flatMap((path) => {
    const name = basename(path)
    const other = seen.get(name)
    seen.set(name, path)
    return other === undefined || SHARED_NAMES.includes(name) ? [] : [`${other} and ${path}`]
  })
  expect(twice).toEqual([])
})

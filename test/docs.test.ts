import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { CHAINS_PAGE, chainsPage, PORTAL_LIST, portalList } from '../scripts/write-chain-tables.js'
import { decisionsIndex, readDecisions } from '../scripts/write-decisions-index.js'

const ROOT = resolve(import.meta.dirname, '..')
const HOW_TO = 'docs/how-to'
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8')
const guides = ['CONTRIBUTING.md', ...readdirSync(join(ROOT, HOW_TO)).map((name) => `${HOW_TO}/${name}`)]

test('the index of decisions is what the pages say: npm run docs:decisions', () => {
  expect(read('docs/decisions/README.md')).toBe(decisionsIndex())
})

test('the table of exchanges and the list of the portal are what the chains say: npm run docs:chains', () => {
  expect(read(CHAINS_PAGE)).toBe(chainsPage(read(CHAINS_PAGE)))
  expect(read(PORTAL_LIST)).toBe(portalList())
})

test('a status names a page that is there', () => {
  for (const { number, status } of readDecisions().filter((each) => each.status !== 'in force')) {
    const [, page = ''] = /^(?:changed|superseded) by \[\d{4}\]\(([^)]+)\)/.exec(status) ?? []
    expect(page !== '' && existsSync(join(ROOT, 'docs/decisions', page)), `${number}: ${status}`).toBe(true)
  }
})

test('no two decisions have one number', () => {
  const numbers = readDecisions().map(({ number }) => number)
  expect(numbers.filter((number, i) => numbers.indexOf(number) !== i)).toEqual([])
})

test.each(guides)('%s names files that are there', (guide) => {
  const paths = [...read(guide).matchAll(/`((?:src|test|docs|contracts|bench|scripts|portal|\.ci)\/[^`\s<*]*)`/g)]
  expect(paths.length).toBeGreaterThan(0)
  expect(paths.flatMap(([, path = '']) => (existsSync(join(ROOT, path)) ? [] : [path]))).toEqual([])
})

test.each(guides)('%s names scripts that are there', (guide) => {
  const { scripts } = JSON.parse(read('package.json'))
  const named = [...read(guide).matchAll(/npm run ([\w:]+)/g)].map(([, script]) => script ?? '')
  expect(named.filter((script) => !(script in scripts))).toEqual([])
})

test('the figures of the README stand on the pages that they name', () => {
  const [, table = ''] = /## What it does that others do not\n([\s\S]*?)\n## /.exec(read('README.md')) ?? []
  const rows = [...table.matchAll(/^\|([^|]+)\|([^|]+)\|[^|]*\((docs\/[^)]+)\) \|$/gm)]
  expect(rows.length).toBeGreaterThan(4)
  for (const [, , text = '', page = ''] of rows)
    for (const [figure] of text.matchAll(/\d+(\.\d+)?/g)) expect(read(page).split(/[^\d.]+/), page).toContain(figure)
})

test('the workflow runs the gate', () => {
  expect(read('.github/workflows/ci.yml')).toMatch(/run: .*\.ci\/run$/m)
})

test('what the gate leaves out of long lists is tried every night, and before a version', () => {
  const whole = /--preserve-env=\S*ASSAY_TESTS \.ci\/run\n {8}env:\n {10}ASSAY_TESTS: whole\n/
  expect(read('.github/workflows/whole.yml')).toMatch(whole)
  expect(read('.github/workflows/whole.yml')).toMatch(/schedule:\n {4}- cron: "\d+ \d+ \* \* \*"/)
  expect(read('.github/workflows/release.yml')).toMatch(whole)
})

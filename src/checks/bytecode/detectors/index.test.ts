import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { detectors } from './index.js'

const DOCS = resolve(import.meta.dirname, '../../../../docs/detectors')
const HEADINGS = ['## What it flags', '## Why it matters', '## What it does not prove', '## Example']

test.each(detectors.map(({ id, title }) => [id, title]))(
  '%s has a docs page with its title and all headings',
  (id, title) => {
    const page = readFileSync(join(DOCS, `${id}.md`), 'utf8')
    expect(page).toContain(`# ${title} (\`${id}\`)`)
    for (const heading of HEADINGS) expect(page).toContain(`${heading}\n`)
  },
)

test('every docs page has its detector', () => {
  const pages = readdirSync(DOCS).filter((name) => name.endsWith('.md') && name !== '_template.md')
  expect(pages.map((name) => name.replace('.md', '')).sort()).toEqual(detectors.map(({ id }) => id).sort())
})

test('every detector has a file and a test of its name', () => {
  const files = readdirSync(import.meta.dirname)
  for (const { id } of detectors) expect(files).toEqual(expect.arrayContaining([`${id}.ts`, `${id}.test.ts`]))
})

test('the titles of the specification are kept to the letter', () => {
  const titles = detectors.map(({ title }) => title)
  expect(titles).toEqual(expect.arrayContaining(['Kill Switch Detected', 'Hidden Logic (Proxy)', 'Dynamic Deployment']))
})

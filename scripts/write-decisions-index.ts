/*
 * Writes docs/decisions/README.md: every decision with its status. A page that says nothing is in
 * force; one that another page overtook says so below its title: `Status: changed by 0246`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

const FOLDER = resolve(import.meta.dirname, '../docs/decisions')
const PAGE = /^\d{4}-.*\.md$/
const TITLE = /^# \d{4}:? (.+)$/m
const STATUS = /^Status: (.+)$/m

const HEAD = `# Decisions

Why things are as they are, one page for each question that has more than one good answer. A number is never used twice. Written by \`npm run docs:decisions\`.

| | decision | status |
| --- | --- | --- |
`

/** The text of the index, from the pages as they are. Throws a `TypeError` at a page without a title. */
export function decisionsIndex(): string {
  const rows = readdirSync(FOLDER)
    .filter((name) => PAGE.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(resolve(FOLDER, name), 'utf8')
      const title = TITLE.exec(text)?.[1]
      if (title === undefined) throw new TypeError(`${name} has no title`)
      return `| [${name.slice(0, 4)}](${name}) | ${title} | ${STATUS.exec(text)?.[1] ?? 'in force'} |\n`
    })
  return HEAD + rows.join('')
}

if (process.argv[1] === import.meta.filename) writeFileSync(resolve(FOLDER, 'README.md'), decisionsIndex())

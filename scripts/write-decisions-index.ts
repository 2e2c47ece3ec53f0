/*
 * Writes docs/decisions/README.md: every decision with its page and status. One that says nothing
 * is in force; one that another overtook says so below its title: `Status: changed by
 * [0246](reports.md)`.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

const FOLDER = resolve(import.meta.dirname, '../docs/decisions')
/** `# 0248: …` where a page is one decision, `## 0246: …` where it holds those of one subject. */
const DECISION = /^##? (\d{4}):? (.+)$((?:\n(?!#).*)*)/gm
const SUBJECT = /^# (?:\d{4}:? )?(.+)$/m
const STATUS = /^Status: (.+)$/m

const HEAD = `# Decisions

Why things are as they are, a page for each subject. A new decision gets the next number, below its subject or on a page of its own; a number is never used twice. What was measured for them is in
[bench/results](../../bench/results/decisions.md). Written by \`npm run docs:decisions\`.

| | decision | subject | status |
| --- | --- | --- | --- |
`

export interface Decision {
  number: string
  title: string
  subject: string
  page: string
  status: string
}

/** Every decision, by its number. Throws a `TypeError` at a page without one. */
export function readDecisions(): Decision[] {
  const pages = readdirSync(FOLDER).filter((name) => name.endsWith('.md') && name !== 'README.md')
  return pages.flatMap(readPage).sort((a, b) => a.number.localeCompare(b.number))
}

function readPage(page: string): Decision[] {
  const text = readFileSync(resolve(FOLDER, page), 'utf8')
  const subject = SUBJECT.exec(text)?.[1] ?? page
  const found = [...text.matchAll(DECISION)].map(([, number = '', title = '', rest = '']) => {
    return { number, title, subject, page, status: STATUS.exec(rest)?.[1] ?? 'in force' }
  })
  if (found.length === 0) throw new TypeError(`${page} holds no decision`)
  return found
}

/** The text of the index, from the pages as they are. */
export function decisionsIndex(): string {
  const rows = readDecisions().map(({ number, title, subject, page, status }) => {
    return `| ${number} | [${title}](${page}) | ${subject === title ? '' : subject} | ${status} |\n`
  })
  return HEAD + rows.join('')
}

if (process.argv[1] === import.meta.filename) writeFileSync(resolve(FOLDER, 'README.md'), decisionsIndex())

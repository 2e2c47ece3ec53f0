import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { createProgram } from '../src/cli/program.js'

const ROOT = resolve(import.meta.dirname, '..')
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'AGENTS.md', 'CHANGELOG.md', '.github/workflows/ci.yml'],
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]
const read = (page: string) => readFileSync(join(ROOT, page), 'utf8')

const program = createProgram({ env: {}, write: () => {}, writeError: () => {} })

/** Every command line of `assay` on a page: those in code, wherever a line of a shell has them. */
const commandsOn = (page: string) =>
  [...read(page).matchAll(/(?<![\w/.-])assay ((?:[a-z][a-z-]*\b)(?:[^\n`#|<>;&"')]|\||<[^>\n]*>|'[^'\n]*')*)/g)]
    .map(([line = '', rest = '']) => ({ line, words: rest.trim().split(/\s+/) }))
    .filter(({ line }) => isCode(page, line))

/** A sentence about the project is none. */
const isCode = (page: string, line: string) =>
  new RegExp(`(\`|^|\\$\\(|npx |= |; )(npx )?${line.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`, 'm').test(
    read(page),
  )

const commands = pages.flatMap((page) => commandsOn(page).map((command) => ({ page, ...command })))

/** What is wrong with a command line; `undefined` where nothing is. */
function faultOf(words: readonly string[]): string | undefined {
  let command: Command = program
  for (const word of words) {
    const names = word.split('|').filter((name) => name !== '')
    if (word.startsWith('-')) {
      const flag = word.replace(/[\]=].*$/, '')
      const known = [...command.options, ...program.options].flatMap(({ long, short }) => [long, short])
      if (flag !== '-' && !known.includes(flag)) return `no option ${flag} of ${command.name()}`
    } else if (command.commands.length > 0) {
      const found = names.map((name) => command.commands.find((each) => each.name() === name))
      if (found.includes(undefined)) return `no command ${word} of ${command.name()}`
      command = found[0] ?? command
    }
  }
  return undefined
}

test('commands that the pages name are there, with their options', () => {
  expect(commands.length).toBeGreaterThan(40)
  const wrong = commands.flatMap(({ page, line, words }) => {
    const fault = faultOf(words)
    return fault === undefined ? [] : [`${page}: ${line.trim()}: ${fault}`]
  })
  expect(wrong).toEqual([])
})

test('what is no command is seen', () => {
  expect(faultOf(['demo', '--keep', '--port', '0'])).toBeUndefined()
  expect(faultOf(['demo', '--forever'])).toBe('no option --forever of demo')
  expect(faultOf(['keys', 'make'])).toBe('no command make of keys')
})

test('scripts that the pages name are there', () => {
  const { scripts } = JSON.parse(read('package.json'))
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, script = '']) => ({ page, script })),
  )
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter(({ script }) => !(script in scripts))).toEqual([])
})

test('links between the pages lead to what is there, and to headings that are there', () => {
  const anchorsOf = (page: string) =>
    new Set(
      [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replace(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-'),
      ),
    )
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
      if (/^[a-z]+:/.test(link)) return []
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? page : join(page, '..', path)
      try {
        if (anchor === undefined) return readFileSync(join(ROOT, target)) ? [] : [link]
        return anchorsOf(target).has(anchor) ? [] : [`${page}: ${link}`]
      } catch (error) {
        return (error as { code?: string }).code === 'EISDIR' ? [] : [`${page}: ${link}`]
      }
    }),
  )
  expect(broken).toEqual([])
})

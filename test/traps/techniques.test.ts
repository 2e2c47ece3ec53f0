import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { generations, readCompiledTraps } from '../../scripts/trap-compilers.js'
import { expectations } from './expectations.js'
import { benignShapes, pills, techniques } from './techniques.js'

const ROOT = resolve(import.meta.dirname, '../..')
const FACTS = resolve(ROOT, '../shared/facts/detection.md')
const all = { ...techniques, ...pills }

/**
 * The names of detection.md: techniques are list items of section 3, pills the first cells of the
 * table of section 4.
 */
function readNames(): { techniques: string[]; pills: string[] } {
  const text = readFileSync(FACTS, 'utf8')
  const section = (from: string, to: string) => text.slice(text.indexOf(from), text.indexOf(to))
  const items = section('## 3.', '## 4.').matchAll(/^- ((?:\*\*[\w-]+\*\*(?:, )?)+)/gm)
  const cells = section('## 4.', '## 5.').matchAll(/^\| `([\w-]+)` \|/gm)
  const named = [...items].flatMap(([, names = '']) =>
    [...names.matchAll(/\*\*([\w-]+)\*\*/g)].map(([, name = '']) => name),
  )
  return { techniques: named, pills: [...cells].map(([, name = '']) => name) }
}

describe.runIf(existsSync(FACTS) || process.env.CI === 'true')('the facts about techniques', () => {
  test('name nothing that has no trap and no twin', () => {
    const named = readNames()
    expect(named.techniques.length).toBeGreaterThan(30)
    expect(named.pills.length).toBeGreaterThan(25)
    expect(named.techniques.filter((name) => !(name in techniques))).toEqual([])
    expect(named.pills.filter((name) => !(name in pills))).toEqual([])
  })
})

test.each(generations)('every fixture of a technique is compiled by $label', (generation) => {
  const codes = readCompiledTraps(generation)
  const wanted = Object.values(all).flatMap(({ traps, twins }) => [...traps, ...twins])
  expect([...new Set(wanted)].filter((name) => !codes?.has(name))).toEqual([])
})

test('every fixture of a technique is judged, and none is both a trap and a twin of the same', () => {
  for (const [name, { traps, twins }] of Object.entries(all)) {
    expect(traps.length, name).toBeGreaterThan(0)
    expect(twins.length, name).toBeGreaterThan(0)
    expect([...traps, ...twins].filter((each) => !(each in expectations))).toEqual([])
    expect(traps.filter((each) => twins.includes(each))).toEqual([])
  }
})

test('a twin is never accused', () => {
  const twins = Object.values(all).flatMap((each) => each.twins)
  const accused = twins.filter((name) => expectations[name]?.isHoneypot || expectations[name]?.isTimeHoneypot)
  expect(accused).toEqual([])
})

test('every shape of a benign token has one', () => {
  const places = ['wrapped native coin', 'watched dollars']
  const missing = Object.entries(benignShapes).filter(
    ([, names]) => !names.some((name) => places.includes(name) || name in expectations),
  )
  expect(missing).toEqual([])
})

test('the page on the honeypot check has a row for every technique and every pill', () => {
  const page = readFileSync(join(ROOT, 'docs/honeypot.md'), 'utf8')
  const rows = Object.entries(all).filter(([name, { traps, twins }]) => {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? ''
    return ![...traps, ...twins].every((each) => row.includes(`\`${each}\``))
  })
  expect(rows.map(([name]) => name)).toEqual([])
})

/** What opens connections. */
const NETWORK = /from '(?:undici|node:https?|node:net|node:tls|node:dns)[^']*'|\bfetch\(/
/**
 * Who may: nodes, stores, mail servers and bots at addresses of the operator's, webhooks of the
 * client's, clients of this service, and the listening side.
 */
const MAY_CONNECT = [
  'connections',
  'batches',
  'contacts',
  'config.ts',
  'setting-forms.ts',
  'rpc',
  'solana',
  'cli',
  'http',
  'devnet',
  'state',
  'keys',
  'limits',
  'jobs',
  'metrics',
  'portal',
]

test('nothing that handles what contracts say can open a connection (visible-probe)', () => {
  const src = join(ROOT, 'src')
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!\.test)\.ts$/.test(name))
  const opening = files.filter((name) => NETWORK.test(readFileSync(join(src, name), 'utf8')))
  expect(opening.filter((name) => !MAY_CONNECT.includes(name.split('/')[0] ?? ''))).toEqual([])
})

import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CATALOGUE } from './rows.js'

const ROOT = resolve(import.meta.dirname, '../..')
const FACTS = resolve(ROOT, '../shared/facts/faults.md')
const LAST_ROW = 75

test('every row of the catalogue stands here once, in order', () => {
  expect(CATALOGUE.map(({ row }) => row)).toEqual(Array.from({ length: LAST_ROW }, (_, i) => i + 1))
})

test.each(CATALOGUE)('$row: $name has its tests', ({ proofs }) => {
  expect(proofs.length).toBeGreaterThan(0)
  for (const [file, words] of proofs) expect(readFileSync(resolve(ROOT, file), 'utf8'), file).toContain(words)
})

test('a test that carries the number of a row is not forgotten when its title changes', () => {
  for (const { row, proofs } of CATALOGUE) {
    const numbers = proofs.flatMap(([, words]) => /^(\d+)[:,]/.exec(words)?.[1] ?? [])
    for (const number of numbers) expect(row === Number(number) || row === 21).toBe(true)
  }
})

describe.runIf(existsSync(FACTS) || process.env.CI === 'true')('the catalogue itself', () => {
  test('has these names', () => {
    const rows = [...readFileSync(FACTS, 'utf8').matchAll(/^\| (\d+) \| ([^|]+) \|/gm)]
    const names = new Map(rows.map(([, row, name]) => [Number(row), name?.trim() ?? '']))
    const wrong = CATALOGUE.filter(({ row, name }) => !names.get(row)?.startsWith(name))
    expect(wrong).toEqual([])
    expect(names.size).toBe(LAST_ROW)
  })
})

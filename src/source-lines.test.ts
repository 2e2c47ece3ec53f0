import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { toSourceLines } from './source-lines.js'

const folder = mkdtempSync(join(tmpdir(), 'assay-lines-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const built = (name: string, map?: string) => {
  if (map !== undefined) writeFileSync(join(folder, `${name}.map`), map)
  return pathToFileURL(join(folder, name)).href
}

test('a stack names the lines of the repository, where maps lie beside the build', () => {
  // The second line of the build is the eighth of the source, from its third column on.
  const map = { version: 3, sources: ['../src/check.ts'], names: [], mappings: ';AAOE' }
  const url = built('mapped.js', JSON.stringify(map))
  const stack = `TypeError: no\n    at judge (${url}:2:1)\n    at ${url}:1:1\n    at node:internal/process:5:5`
  const [first, second, third, last] = toSourceLines(stack).split('\n')
  expect(first).toBe('TypeError: no')
  expect(second).toMatch(/^ {4}at judge \(.*check\.ts:8:3\)$/)
  expect(third).toBe(`    at ${url}:1:1`)
  expect(last).toBe('    at node:internal/process:5:5')
})

test.each([
  ['no map', undefined],
  ['a map that is none', '{"version":3'],
])('a stack stays as it was with %s', (_, map) => {
  const stack = `Error: no\n    at ${built(`plain${map?.length ?? ''}.js`, map)}:3:4`
  expect(toSourceLines(stack)).toBe(stack)
})

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { apiErrors } from './api-error.js'

const page = readFileSync(resolve(import.meta.dirname, '../docs/errors.md'), 'utf8')

test('docs/errors.md has one row for each error, in the same order and with the same words', () => {
  const rows = [...page.matchAll(/^\| (\d+) \| `([^`]+)` \| `([^`]+)` \| [^|]+ \| [^|]+ \|$/gm)]
  const documented = rows.map(([, status, errorReason, code]) => [code, [Number(status), errorReason]])
  expect(documented).toEqual(Object.entries(apiErrors))
})

test('the texts of the specification are there, word for word', () => {
  expect(Object.values(apiErrors)).toEqual(
    expect.arrayContaining([
      [400, 'targetContractAddress is required'],
      [400, 'chainId is required'],
      [401, 'Missing Authorization header'],
      [403, 'Invalid API key'],
      [429, 'Analysis rate limit hit'],
      [500, 'Simulation failed'],
    ]),
  )
})

test('no two errors share a text', () => {
  const texts = Object.values(apiErrors).map(([, errorReason]) => errorReason)
  expect(new Set(texts).size).toBe(texts.length)
})

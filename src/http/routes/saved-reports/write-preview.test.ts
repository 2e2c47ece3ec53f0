import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ADVICE } from '../../../reports/advice.js'
import type { ReportSummary } from '../../../saved-reports/saved-report.js'
import { PICTURES, writePreview } from './write-preview.js'

const PUBLIC = resolve(import.meta.dirname, '../../../../portal/public')
const URL_OF_REPORT = 'https://assay.example/r/r_1'

const summary = (name: string): ReportSummary => ({
  ...{ chain: '1', chainName: 'Ethereum', address: '0xa', name, symbol: 'TKN' },
  overall: { level: 'Safe', score: 0, advice: 'No trap found', headline: 'Fine.', reason: 'r', inconclusive: null },
  block: { number: 1, timestamp: '2026-01-01T00:00:00.000Z' },
})

test('a link shows the advice, the name, the headline and the picture of that advice', () => {
  const tags = writePreview({ summary: summary('Token') }, URL_OF_REPORT)
  expect(tags).toContain('<meta property="og:title" content="No trap found: Token on Ethereum">')
  expect(tags).toContain('content="Fine. On 1 Jan 2026: Safe, 0 of 100, 0 is best."')
  expect(tags).toContain('<meta property="og:image" content="https://assay.example/preview/no-trap-found.png">')
})

test('what is not known has no score', () => {
  const known = summary('Token')
  const overall = { ...known.overall, level: 'Medium Risk', advice: 'Not known' } as const
  expect(writePreview({ summary: { ...known, overall } }, URL_OF_REPORT)).toContain(
    'On 1 Jan 2026: counts as Medium Risk until it is known.',
  )
})

test('a hostile name stays inside its attribute', () => {
  const tags = writePreview({ summary: summary('"><script>x</script>\u202e') }, URL_OF_REPORT)
  expect(tags).not.toMatch(/<script|\u202e/)
  expect(tags.split('\n').every((line) => /^\s*<(title>[^<>]*<\/title|meta [^<>]*)>$/.test(line))).toBe(true)
})

test.each(ADVICE)('there is a picture of the size that is said for: %s', (advice) => {
  const file = `${PUBLIC}${PICTURES[advice]}`
  expect(existsSync(file)).toBe(true)
  const png = readFileSync(file)
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1_200, 630])
  // Some chats leave out what is larger.
  expect(png.length).toBeLessThan(300_000)
})

import { expect, test } from 'vitest'
import { judgeSignatures } from '../../scripts/judge-signatures.js'

const bad = { name: 'a', version: '1.0.0', registry: 'https://registry.example/' }

test('every package that the registry has signed is verified', () => {
  expect(judgeSignatures('{"invalid":[],"missing":[]}')).toEqual({ kind: 'verified' })
})

test.each([
  ['is another’s', { invalid: [bad], missing: [] }],
  ['is not there though its registry signs', { invalid: [], missing: [bad] }],
])('a package whose signature %s is refused', (_, output) => {
  expect(judgeSignatures(JSON.stringify(output))).toEqual({ kind: 'refused', packages: ['a@1.0.0'] })
})

test.each([
  ['nothing', '', 'npm gave no answer'],
  ['no JSON', 'npm error network', 'npm gave no answer'],
  ['null', 'null', 'npm gave no answer'],
  ['an error', '{"error":{"code":"ECONNREFUSED","summary":"connect ECONNREFUSED"}}', 'connect ECONNREFUSED'],
])('%s accuses no package, and verifies none', (_, output, reason) => {
  expect(judgeSignatures(output)).toEqual({ kind: 'unanswered', reason })
})

import { expect, test } from 'vitest'
import { parseKeyOrigins } from './key-origins.js'

test('origins are written as browsers write them, each once', () => {
  const extension = `chrome-extension://${'ab'.repeat(16)}`
  expect(
    parseKeyOrigins(['https://App.example/', 'https://app.example:443', 'http://localhost:5173', extension]),
  ).toEqual(['https://app.example', 'http://localhost:5173', extension])
})

test.each([
  'app.example',
  'https://app.example/path',
  'https://*.app.example',
  'https://user@app.example',
  'https://app.example?x',
  'chrome-extension://short',
  'null',
  '*',
  '',
  'https://a b.example',
])('%s is none', (text) => {
  expect(() => parseKeyOrigins([text])).toThrow('without a path')
})

test('there are ten at most', () => {
  expect(() => parseKeyOrigins(Array.from({ length: 11 }, (_, i) => `https://${i}.example`))).toThrow('up to 10')
})

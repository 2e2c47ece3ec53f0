import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { servePortal } from './serve-portal.js'

let directory: string
let app: FastifyInstance

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'assay-served-'))
  mkdirSync(join(directory, 'assets'))
  mkdirSync(join(directory, '.vite'))
  writeFileSync(join(directory, 'index.html'), '<!doctype html>')
  writeFileSync(join(directory, 'assets', 'main-abc.js'), 'plain')
  writeFileSync(join(directory, 'assets', 'main-abc.js.br'), 'compressed')
  writeFileSync(join(directory, '.vite', 'manifest.json'), '{}')
  writeFileSync(join(directory, '..', 'assay-secret.txt'), 'not to be read')
  app = fastify()
  app.register((portal) => servePortal(portal, directory))
})
afterEach(async () => {
  await app.close()
  rmSync(directory, { recursive: true, force: true })
  rmSync(join(directory, '..', 'assay-secret.txt'), { force: true })
})

/** Those that the portal itself tells apart. */
const PAGES = [
  ...readFileSync(resolve(import.meta.dirname, '../../../../portal/src/app.tsx'), 'utf8').matchAll(/path === '(.+?)'/g),
].flatMap(([, path]) => path ?? [])

test('the portal has pages', () => expect(PAGES.length).toBeGreaterThan(5))

test.each([...PAGES, '/report/1/0xabc', '/report/SOL/abc?block=7'])('%s is the page', async (url) => {
  const response = await app.inject({ url })
  expect([response.statusCode, response.body]).toEqual([200, '<!doctype html>'])
  expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(response.headers['cache-control']).toBe('no-cache')
})

test('the policy of the page names no other host, no inline script and no markup made of text', async () => {
  const policy = String((await app.inject({ url: '/' })).headers['content-security-policy'])
  const rules = new Map(policy.split('; ').map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1)]))
  expect(rules.get('default-src')).toEqual(["'none'"])
  expect(rules.get('require-trusted-types-for')).toEqual(["'script'"])
  for (const name of ['base-uri', 'form-action', 'frame-ancestors', 'trusted-types']) {
    expect(rules.get(name), name).toEqual(["'none'"])
  }
  const allowed = new Set([...rules].filter(([name]) => name?.endsWith('-src')).flatMap(([, values]) => values))
  expect(allowed).toEqual(new Set(["'none'", "'self'", 'data:']))
  expect([...rules].filter(([, values]) => values.includes('data:')).map(([name]) => name)).toEqual(['img-src'])
})

test('assets are kept for ever, and compressed for those who take it', async () => {
  const url = '/assets/main-abc.js'
  const plain = await app.inject({ url })
  expect([plain.body, plain.headers.vary]).toEqual(['plain', 'accept-encoding'])
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  const compressed = await app.inject({ url, headers: { 'accept-encoding': 'br' } })
  expect([compressed.body, compressed.headers['content-encoding']]).toEqual(['compressed', 'br'])
})

test.each([
  '/index.html',
  '/.vite/manifest.json',
  '/assets/',
  '/assets/none.js',
  '/assets/main-abc.js.br',
  '/../assay-secret.txt',
  '/..%2fassay-secret.txt',
  '/%2e%2e/assay-secret.txt',
  '/assets/..%2f..%2fassay-secret.txt',
  '/report/1',
  '/report/1/0xabc/more',
])('%s is nothing', async (url) => {
  const response = await app.inject({ url })
  expect(response.statusCode).toBe(404)
  expect(response.body).not.toContain('not to be read')
})

describe('where it was not built', () => {
  test('the service does without', async () => {
    const bare = fastify()
    bare.register((portal) => servePortal(portal, join(directory, 'none')))
    expect((await bare.inject({ url: '/' })).statusCode).toBe(404)
    await bare.close()
  })
})

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Errors } from 'typebox/value'
import { expect, test } from 'vitest'
import { createTestApp } from '../../test/http/test-app.js'
import { HoneypotReportBody } from '../reports/honeypot/schema.js'
import { SimulationReport } from '../reports/simulation/schema.js'
import { HTTP_BOUNDS } from './bounds.js'

const read = (name: string) => readFileSync(resolve(import.meta.dirname, '../../docs', name), 'utf8')
const api = read('api.md')

test('the examples of docs/api.md are answers that the service can give', () => {
  const [simulation, honeypot, ...rest] = [...api.matchAll(/```json\n(.*?)```/gs)].map(([, text]) =>
    JSON.parse(text ?? ''),
  )
  expect([...Errors(SimulationReport, simulation)]).toEqual([])
  expect([...Errors(HoneypotReportBody, honeypot)]).toEqual([])
  expect(rest).toEqual([])
})

test('docs/api.md lists every route', async () => {
  const { app } = await createTestApp()
  const { paths } = (await app.inject({ url: '/openapi.json' })).json()
  const routes = Object.entries<object>(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const listed = [...api.matchAll(/^\| `([A-Z]+ \/[^`]+)` \|/gm)].map(([, route]) => route)
  expect(listed.toSorted()).toEqual([...routes, 'GET /openapi.json'].toSorted())
})

test('docs/operating.md names the settings of .env.example', () => {
  const settings = [
    ...readFileSync(resolve(import.meta.dirname, '../../.env.example'), 'utf8').matchAll(/^(\w+)=/gm),
  ].map(([, name]) => name)
  for (const name of settings) expect(read('operating.md')).toContain(`\`${name}\``)
})

test('the bounds in the documentation are the bounds of the service', () => {
  const { bodyBytes, headerBytes, headerCount, urlBytes, headersMs, requestMs, keepAliveMs, connections, analysisMs } =
    HTTP_BOUNDS
  const page = read('operating.md')
  expect(page).toContain(
    `| ${bodyBytes / 1024} KB; ${headerBytes / 1024} KB and ${headerCount} lines; ${urlBytes / 1024} KB |`,
  )
  expect(page).toContain(`| ${headersMs / 1000} s, ${requestMs / 1000} s, ${keepAliveMs / 1000} s |`)
  expect(page).toContain(`| connections | ${connections} |`)
  expect(page).toContain(`| analysis | ${analysisMs / 1000} s |`)
})

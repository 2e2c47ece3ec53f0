import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { TSchema } from 'typebox'
import { Errors } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createMetrics } from '../../src/metrics/create-metrics.js'
import { createConcurrencyLimit } from '../../src/scheduling/concurrency-limit.js'

/**
 * What can be known of the chart where there is no helm: that the values are of their schema, that
 * templates use no value and no part that is not there, and that their blocks are closed. It is
 * rendered nowhere here (docs/hosting.md says so).
 */
const CHART = resolve(import.meta.dirname, '../../deploy/helm/assay')
const read = (path: string) => readFileSync(join(CHART, path), 'utf8')
const values = parse(read('values.yaml'))
const schema: TSchema = JSON.parse(read('values.schema.json'))
const templates = readdirSync(join(CHART, 'templates')).map((name) => ({ name, text: read(`templates/${name}`) }))
const deployment = templates.find(({ name }) => name === 'deployment.yaml')?.text ?? ''

const problemsOf = (given: object) => [...Errors(schema, given)].map(({ instancePath }) => instancePath)
const at = (path: string) => path.split('.').reduce((part, name) => part?.[name], values)

test('the values are of their schema, and what is wrong is refused', () => {
  expect(problemsOf(values)).toEqual([])
  expect(problemsOf({ ...values, settings: { ...values.settings, ASSAY_COMAPT: '1' } })).not.toEqual([])
  expect(problemsOf({ ...values, settings: { ...values.settings, PORT: 8080 } })).not.toEqual([])
  expect(problemsOf({ ...values, secrets: { ...values.secrets, PASSWORD: 'x' } })).not.toEqual([])
  expect(problemsOf({ ...values, secrets: { ...values.secrets, ASSAY_RPC_137: 'https://node.example' } })).toEqual([])
  expect(problemsOf({ ...values, autoscaling: { ...values.autoscaling, minReplicas: 0 } })).not.toEqual([])
})

test('the version of the chart is that of the package', () => {
  const { version } = JSON.parse(readFileSync(resolve(CHART, '../../../package.json'), 'utf8'))
  expect(parse(read('Chart.yaml'))).toMatchObject({ name: 'assay', version, appVersion: version })
})

describe.each(templates)('$name', ({ text }) => {
  test('uses values and parts that are there', () => {
    const used = [...text.matchAll(/\.Values\.([A-Za-z_.]+)/g)].map(([, path = '']) => path)
    expect(used.filter((path) => at(path) === undefined)).toEqual([])
    const defined = templates.flatMap((each) => [...each.text.matchAll(/define "([^"]+)"/g)].map(([, name]) => name))
    const included = [...text.matchAll(/include "([^"]+)"/g)].map(([, name]) => name)
    expect(included.filter((name) => !defined.includes(name))).toEqual([])
  })

  test('closes what it opens', () => {
    const actions = [...text.matchAll(/\{\{-?\s*(\w+)/g)].map(([, word]) => word)
    const opened = actions.filter((word) => ['if', 'with', 'range', 'define'].includes(word ?? ''))
    expect(actions.filter((word) => word === 'end')).toHaveLength(opened.length)
    expect(text.match(/\{\{/g)?.length).toBe(text.match(/\}\}/g)?.length)
  })

  test('is YAML once its actions are taken out', () => {
    if (!text.includes('kind:')) return
    const plain = text
      .replace(/^\s*\{\{-?.*\}\}\s*$/gm, '')
      .replace(/"?\{\{.*?\}\}(:)?/g, 'x$1')
      .replace(/^(\s*\w+: x.*)"$/gm, '$1')
    expect(parse(plain)).toMatchObject({ apiVersion: expect.any(String), kind: expect.any(String) })
  })
})

test('a pod runs as an ordinary user that may write to its own folders alone', () => {
  expect(deployment).toMatch(/runAsNonRoot: true\n\s+runAsUser: 1000/)
  expect(deployment).toContain('readOnlyRootFilesystem: true')
  expect(deployment).toContain('allowPrivilegeEscalation: false')
  expect(deployment).toMatch(/drop: \[ALL\]/)
  expect(deployment).toContain('automountServiceAccountToken: false')
})

test('its probes are the routes of the service, and it is given the time to end', () => {
  expect([...deployment.matchAll(/path: (\/\w+), port: http/g)].map(([, path]) => path)).toEqual([
    ...['/health', '/health', '/ready'],
  ])
  expect(Number(/terminationGracePeriodSeconds: (\d+)/.exec(deployment)?.[1])).toBeGreaterThan(20)
})

test('it scales by a number that the service gives', async () => {
  const metrics = createMetrics()
  metrics.watch({
    machine: { waitedShare: () => 0 },
    nodes: new Map(),
    memory: () => ({ blockBytes: 0, codeBytes: 0, readSetBytes: 0 }),
    slots: createConcurrencyLimit({ concurrency: 1, maxWaiting: 1 }),
    queueDepth: async () => 0,
    watchedChains: async () => new Map([['Ethereum', 0]]),
  })
  expect(await metrics.render()).toContain(`# TYPE ${values.autoscaling.queueDepth.metric} gauge`)
})

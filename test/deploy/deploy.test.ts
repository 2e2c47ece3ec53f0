import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { createMetrics } from '../../src/metrics/create-metrics.js'
import { createConcurrencyLimit } from '../../src/scheduling/concurrency-limit.js'

const root = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(resolve(root, path), 'utf8')

test('the image is built from what is there, by scripts that are there, and runs as nobody special', () => {
  const lines = read('Dockerfile').split('\n')
  const allowed = new Set(
    read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1)),
  )
  const copied = lines
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from'))
    .flatMap((line) => line.split(' ').slice(1, -1))
  expect(copied.length).toBeGreaterThan(5)
  for (const path of copied) {
    expect(allowed, path).toContain(path)
    expect(() => readFileSync(resolve(root, path))).not.toThrow(/ENOENT/)
  }
  const { scripts, bin } = JSON.parse(read('package.json'))
  for (const [, name] of read('Dockerfile').matchAll(/npm run (\S+)/g)) expect(Object.keys(scripts)).toContain(name)
  expect(scripts.start).toBe('node --v8-pool-size=1 --max-semi-space-size=4 --heap-growing-percent=50 dist/main.js')
  expect(lines).toContain(
    'CMD ["node", "--v8-pool-size=1", "--max-semi-space-size=4", "--heap-growing-percent=50", "dist/main.js"]',
  )
  expect(bin.assay).toMatch(/^dist\//)
  expect(lines.some((line) => line.startsWith('HEALTHCHECK '))).toBe(true)
  expect(lines.indexOf('USER node')).toBeGreaterThan(lines.lastIndexOf('FROM node:20-bookworm-slim'))
})

test('every number of the dashboard is one that the service gives', async () => {
  const metrics = createMetrics()
  metrics.watch({
    machine: { waitedShare: () => 0 },
    nodes: new Map(),
    memory: () => ({ blockBytes: 0, codeBytes: 0, readSetBytes: 0 }),
    slots: createConcurrencyLimit({ concurrency: 1, maxWaiting: 1 }),
    queueDepth: async () => 0,
    watchedChains: async () => new Map([['Ethereum', 0]]),
  })
  const known = new Set([...(await metrics.render()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
  const { panels } = JSON.parse(read('deploy/grafana-dashboard.json'))
  const expressions: string[] = panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
    targets.map(({ expr }) => expr),
  )
  const used = expressions
    .flatMap((expr) => expr.match(/assay_\w+/g) ?? [])
    .map((name) => name.replace(/_(bucket|count)$/, ''))
  expect(used.length).toBeGreaterThanOrEqual(10)
  for (const name of used) expect(known, name).toContain(name)
})

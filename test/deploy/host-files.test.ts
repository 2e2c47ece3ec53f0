import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { HTTP_BOUNDS } from '../../src/http/bounds.js'

const ROOT = resolve(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(resolve(ROOT, path), 'utf8')

test('compose loads the dashboard: each file that is mounted is there, and each path fits the next', () => {
  const { grafana, prometheus } = parse(read('compose.yaml')).services
  const mounts = [...grafana.volumes, ...prometheus.volumes].filter((mount: string) => mount.startsWith('./'))
  expect(mounts).toHaveLength(4)
  for (const mount of mounts) expect(read(mount.split(':')[0]).length).toBeGreaterThan(0)
  const [provider] = parse(read('deploy/grafana/dashboards.yml')).providers
  expect(grafana.volumes.join()).toContain(`grafana-dashboard.json:${provider.options.path}/`)
  const [source] = parse(read('deploy/grafana/datasources.yml')).datasources
  expect(source).toMatchObject({ type: 'prometheus', url: 'http://prometheus:9090', isDefault: true })
  const { scrape_configs: jobs } = parse(read('deploy/prometheus.yml'))
  const { assay } = parse(read('compose.yaml')).services
  expect(jobs[0].dns_sd_configs[0]).toMatchObject({
    names: ['assay'],
    port: Number(assay.environment.ASSAY_METRICS_PORT),
  })
})

test.each(['deploy/proxy/nginx.conf', 'deploy/proxy/Caddyfile'])('%s fits the bounds of the service', (path) => {
  const text = read(path)
  const open = text.match(/\{/g)?.length
  expect(open).toBe(text.match(/\}/g)?.length)
  const [, kilobytes] = /(?:client_max_body_size |max_size )(\d+)k/i.exec(text) ?? []
  expect(Number(kilobytes) * 1_000).toBeGreaterThan(HTTP_BOUNDS.batchBodyBytes)
  expect(text).toContain('ASSAY_TRUST_PROXY=127.0.0.1')
})

test('nginx writes the address of the caller, and lets connections go before the service does', () => {
  const text = read('deploy/proxy/nginx.conf')
  expect(text).toContain('proxy_set_header X-Forwarded-For $remote_addr;')
  expect(text).not.toContain('$proxy_add_x_forwarded_for')
  const [, seconds] = /^\s*keepalive_timeout (\d+)s;/m.exec(text) ?? []
  expect(Number(seconds) * 1_000).toBeLessThan(HTTP_BOUNDS.keepAliveMs)
  expect(text).toContain('proxy_buffering off;')
})

test('the unit starts what the package starts, and gives it the time to end', () => {
  const text = read('deploy/systemd/assay.service')
  const { scripts } = JSON.parse(read('package.json'))
  expect(text).toContain(`ExecStart=/usr/bin/${scripts.start.replace('dist/', '/opt/assay/dist/')}`)
  const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(text) ?? []
  expect(Number(seconds) * 1_000).toBeGreaterThan(HTTP_BOUNDS.drainMs)
  for (const line of ['DynamicUser=yes', 'NoNewPrivileges=yes', 'ProtectSystem=strict', 'CapabilityBoundingSet=']) {
    expect(text).toMatch(new RegExp(`^${line}$`, 'm'))
  }
  // The engine of JavaScript writes machine code.
  expect(text).not.toMatch(/^MemoryDenyWriteExecute=yes/m)
})

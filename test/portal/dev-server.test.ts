import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { createServer, loadConfigFromFile } from 'vite'
import { expect, onTestFinished, test } from 'vitest'

const CONFIG = resolve(import.meta.dirname, '../../portal/vite.config.ts')

/** A service that says what it was asked for. */
async function startEcho(): Promise<string> {
  const echo = createHttpServer((request, response) => response.end(`asked for ${request.url}`))
  await new Promise<void>((done) => echo.listen(0, '127.0.0.1', done))
  onTestFinished(() => void echo.close())
  return `http://127.0.0.1:${(echo.address() as AddressInfo).port}`
}

test('in development the portal is served from source, and the interface by the service behind it', async () => {
  const service = await startEcho()
  const loaded = await loadConfigFromFile({ command: 'serve', mode: 'development' }, CONFIG)
  const { proxy = {}, ...server } = loaded?.config.server ?? {}
  const there = Object.fromEntries(Object.keys(proxy).map((path) => [path, { target: service }]))
  const dev = await createServer({
    ...loaded?.config,
    configFile: false,
    logLevel: 'silent',
    server: { ...server, host: '127.0.0.1', port: 0, strictPort: false, ws: false, watch: null, proxy: there },
    optimizeDeps: { noDiscovery: true },
  })
  onTestFinished(() => dev.close())
  await dev.listen()
  const [url = ''] = dev.resolvedUrls?.local ?? []
  const read = async (path: string) => (await fetch(new URL(path, url))).text()
  for (const path of ['/api/signing-key', '/openapi.json', '/health'])
    expect(await read(path)).toBe(`asked for ${path}`)
  expect(await read('/report/1/0x01')).toContain('src="/src/main.tsx"')
})

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { Redis } from 'ioredis'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.js'
import { type ServiceProcess, startProcess } from '../fleet/process.js'
import { hasChromium, launchChromium } from '../portal/browser.js'
import { capture, LOOKS } from '../portal/capture.js'
import { inspect } from '../portal/inspect.js'
import { injectEthereumWallet } from '../portal/test-wallet.js'
import { createTestSchemas, hasPostgres } from '../postgres.js'
import { hasRedis, REDIS } from '../redis.js'
import { openSite, type Site } from './nginx-site.js'

const ROOT = resolve(import.meta.dirname, '../..')
const NGINX = readFileSync(join(ROOT, 'deploy/proxy/nginx.conf'), 'utf8')
/** What the file tells its reader to set. */
const SETTINGS = Object.fromEntries(
  [...(/^# The service: (.*)$/m.exec(NGINX)?.[1] ?? '').matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [
    name,
    value,
  ]),
)
/** As `npm start` starts it: the built service. */
const START: readonly string[] = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  .scripts.start.replace('dist/', `${ROOT}/dist/`)
  .split(' ')
  .slice(1)
const ORIGIN = 'https://assay.example'
const [DESKTOP] = LOOKS
/** A database of Redis that nothing else uses. */
const REDIS_URL = `${REDIS}/11`
const GUEST_CHECKS = 5

describe.skipIf(!hasChromium())('behind the site of nginx.conf', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-hosting-'))
  const running = new Set<ServiceProcess>()
  let devnet: Devnet
  beforeAll(async () => {
    devnet = await startDevnet({ chainId: 1, examples: ['clean', 'sell-blocked'] })
  })
  afterAll(async () => {
    await Promise.all([...running].map((each) => each.kill()))
    await devnet?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function start(env: Readonly<Record<string, string>>): Promise<ServiceProcess> {
    const nodes = { ASSAY_RPC_1: devnet.url, ASSAY_MAX_HEAD_AGE: '0', ASSAY_DATA_DIR: dataDir }
    const service = await startProcess({ ...SETTINGS, ...nodes, ...env }, START)
    running.add(service)
    return service
  }

  const addressOf = (name: string) => {
    const example = devnet.examples.find((each) => each.name === name)
    return example?.targetContractAddress ?? ''
  }

  describe('one machine', () => {
    let site: Site
    let browser: Browser
    beforeAll(async () => {
      const { url } = await start({})
      site = await openSite(NGINX, [url])
      browser = await openBrowser(site)
    })
    afterAll(async () => {
      await browser?.close()
      await site?.stop()
    })

    test('a guest pastes an address, reads why not to buy, looks at the proof, and shares it', async () => {
      const { page, complaints } = await open(browser, '/', DESKTOP)
      await page
        .getByLabel('Address, link or name')
        .fill(`https://scan.example/token/${addressOf('sell-blocked')}#code`)
      await page.getByRole('button', { name: 'Analyse' }).click()
      await page.locator('.verdict').waitFor()
      for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt += 1) {
        if (!/too busy|did not finish|within its time/.test((await page.locator('.verdict').textContent()) ?? '')) break
        await page.getByRole('button', { name: 'Run again' }).click()
        await page.getByRole('heading', { name: 'Under test' }).waitFor()
        await page.locator('.verdict').waitFor()
      }
      expect(await page.locator('.advice').textContent()).toBe('Do not buy')
      expect(await page.locator('.verdict h1').textContent()).toBe('It can be bought and not sold.')
      expect(await page.locator('.call-tree').textContent()).toContain('Trading is not open for you')
      await page.getByRole('button', { name: 'Get a link to share' }).click()
      const link = (await page.locator('.shared a.mono').textContent()) ?? ''
      expect(link).toMatch(new RegExp(`^${ORIGIN}/r/r_[0-9A-Za-z]{17}$`))
      await inspect(page)
      await page.evaluate('scrollTo(0, 0)')
      await capture(page, 'guest')
      expect(complaints).toEqual([])
      for (const look of LOOKS) await readShared(link.slice(ORIGIN.length), look)
    })

    async function readShared(path: string, look: (typeof LOOKS)[number]): Promise<void> {
      const { page, complaints } = await open(browser, path, look)
      await page.getByText('Kept on').waitFor()
      expect(await page.locator('.advice').textContent()).toBe('Do not buy')
      // What a chat shows of the link.
      const image = await page.locator('meta[property="og:image"]').getAttribute('content')
      expect(image).toMatch(new RegExp(`^${ORIGIN}/`))
      expect((await askSite(site, image?.slice(ORIGIN.length) ?? '')).status).toBe(200)
      await inspect(page)
      if (look.name !== '') await capture(page, `guest${look.name}`)
      expect(complaints).toEqual([])
    }

    test('guests are counted by the address that the proxy sees, whatever they claim', async () => {
      const ask = (from: string, claimed: string) =>
        askSite(site, '/api/analysis/stream', { from, headers: { 'x-forwarded-for': claimed }, body: '{}' })
      const codes: unknown[] = []
      for (let i = 0; i <= GUEST_CHECKS; i += 1) codes.push((await ask('127.0.0.2', `192.0.2.${i}`)).status)
      expect(codes).toEqual([...Array.from({ length: GUEST_CHECKS }, () => 400), 429])
      expect((await ask('127.0.0.3', '127.0.0.2')).status).toBe(400)
    })

    test('a session is of this site and of TLS alone, and a wallet signs for its name', async () => {
      const { page, complaints } = await open(browser, '/keys', DESKTOP, 'a')
      await signIn(page)
      const [cookie, ...others] = await page.context().cookies()
      expect(others).toEqual([])
      expect(cookie).toMatchObject({ secure: true, httpOnly: true, sameSite: 'Strict', domain: 'assay.example' })
      expect(cookie?.name).toMatch(/^__Host-/)
      expect(complaints).toEqual([])
    })

    test('what is too large is refused before the service, and plain HTTP is led to TLS', async () => {
      const large = await askSite(site, '/api/batch', { body: JSON.stringify('x'.repeat(200_000)) })
      expect(large.status).toBe(413)
      const led = await fetch(`http://127.0.0.1:${site.httpPort}/report/1/0x1`, { redirect: 'manual' })
      expect([led.status, led.headers.get('location')]).toEqual([301, `${ORIGIN}/report/1/0x1`])
      expect((await askSite(site, '/health')).headers['strict-transport-security']).toMatch(/^max-age=\d{7}/)
    })
  })

  describe('several machines', async () => {
    const isPossible = (await hasPostgres()) && (await hasRedis())
    if (!isPossible) process.stderr.write('no PostgreSQL or no Redis: hosting on several machines is skipped\n')
    describe.skipIf(!isPossible)('two processes on one PostgreSQL and one Redis', () => {
      const schemas = createTestSchemas('assay_hosting')
      let processes: ServiceProcess[]
      let site: Site
      let browser: Browser
      beforeAll(async () => {
        await emptyRedis()
        const env = { DATABASE_URL: await schemas.newUrl(), REDIS_URL }
        processes = await Promise.all([start(env), start(env)])
        site = await openSite(NGINX, urlsOf(processes))
        browser = await openBrowser(site)
      })
      afterAll(async () => {
        await browser?.close()
        await site?.stop()
        await Promise.all(processes?.map((each) => each.kill()) ?? [])
        await emptyRedis()
        await schemas.drop()
      })

      test('a page is served by both, and goes on when one of them ends', { timeout: 400_000 }, async () => {
        const [one, two] = urlsOf(processes) as [string, string]
        const { page, complaints } = await open(browser, '/keys', DESKTOP, 'b')
        await signIn(page)
        await page.getByLabel('What is it for?').fill('of both')
        await page.getByRole('button', { name: 'Make a key' }).click()
        const key = (await page.getByTestId('new-key').textContent()) ?? ''
        for (const url of [one, two]) expect(site.given.get(url), url).toBeGreaterThan(0)
        const [cookie] = await page.context().cookies()
        const session = { cookie: `${cookie?.name}=${cookie?.value}` }
        for (const url of [one, two])
          expect(await getJson(`${url}/api/keys`, session), url).toMatchObject({ keys: [{ label: 'of both' }] })

        // What was ordered of the one is known to the other.
        const target = { targetContractAddress: addressOf('sell-blocked'), chainId: 1 }
        const kept = await postJson<{ id: string; url: string }>(`${one}/api/reports`, key, target)
        const { watch } = await postJson<{ watch: { id: string } }>(`${one}/api/watches`, key, target)
        const batch = await postJson<{ id: string }>(`${one}/api/batch`, key, { targets: [target] })
        const bearer = { authorization: `Bearer ${key}` }
        expect(await getJson(`${two}/api/watches`, bearer)).toMatchObject({ watches: [{ id: watch.id }] })
        // A free key may ask thirty times a minute.
        await expect
          .poll(() => getJson(`${two}/api/batch/${batch.id}`, bearer), { timeout: 120_000, interval: 4_000 })
          .toMatchObject({ total: 1, done: 1, failed: 0 })
        expect(kept.url).toBe(`${ORIGIN}/r/${kept.id}`)

        await processes[0]?.stop()
        // The page that is open asks on, and is answered by the one that is left.
        await page.reload()
        await page.getByRole('list', { name: 'Keys' }).getByText('of both').waitFor()
        for (const look of LOOKS) {
          const reader = await open(browser, `/r/${kept.id}`, look)
          await reader.page.getByText('Kept on').waitFor()
          expect(await reader.page.locator('.advice').textContent()).toBe('Do not buy')
          await inspect(reader.page)
          expect(reader.complaints).toEqual([])
        }
        await page.getByRole('link', { name: 'Reports' }).click()
        await page.getByRole('group', { name: 'Your reports' }).waitFor()
        for (const { name, colorScheme, viewport } of LOOKS) {
          await page.emulateMedia({ colorScheme })
          await page.setViewportSize(viewport)
          await inspect(page)
          await capture(page, `several${name}`)
        }
        expect(complaints).toEqual([])
      })

      test('a guest is counted once by both together', async () => {
        const statuses: number[] = []
        for (let i = 0; i <= GUEST_CHECKS; i += 1)
          statuses.push((await askSite(site, '/api/analysis/stream', { from: '127.0.0.4', body: '{}' })).status)
        expect(statuses).toEqual([...Array.from({ length: GUEST_CHECKS }, () => 400), 429])
      })
    })
  })
})

const urlsOf = (processes: readonly ServiceProcess[]) => processes.map(({ url }) => url)

/** A browser to which the name of the site leads here, and which takes its certificate. */
function openBrowser({ host, httpsPort, httpPort, fingerprint }: Site): Promise<Browser> {
  return launchChromium([
    `--host-resolver-rules=MAP ${host}:443 127.0.0.1:${httpsPort},MAP ${host}:80 127.0.0.1:${httpPort}`,
    `--ignore-certificate-errors-spki-list=${fingerprint}`,
  ])
}

async function open(browser: Browser, path: string, options: BrowserContextOptions, wallet?: string) {
  const page = await (await browser.newContext({ ...options, baseURL: ORIGIN })).newPage()
  page.setDefaultTimeout(120_000)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('request', (asked) => {
    if (!asked.url().startsWith(`${ORIGIN}/`) && !asked.url().startsWith('data:')) complaints.push(asked.url())
  })
  if (wallet !== undefined) await injectEthereumWallet(page, privateKeyToAccount(`0x${wallet.repeat(64)}`))
  await page.goto(path)
  return { page, complaints }
}

async function signIn(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Test Wallet' }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
}

interface Asked {
  /** An address of this machine: the caller's, as the proxy sees it. */
  from?: string
  headers?: Record<string, string>
  /** Posted, where there is one. */
  body?: string
}

/** A program that asks the site, over TLS, and believes its certificate alone. */
async function askSite(site: Site, path: string, { from = '127.0.0.1', headers = {}, body }: Asked = {}) {
  const { host, cert, httpsPort } = site
  const asked = request({
    ...{ host: '127.0.0.1', port: httpsPort, servername: host, ca: cert, localAddress: from, path, agent: false },
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, host, ...(body !== undefined && { 'content-type': 'application/json' }) },
  })
  const answered = new Promise<import('node:http').IncomingMessage>((keep, refuse) => {
    asked.on('response', keep)
    asked.on('error', refuse)
  })
  asked.end(body)
  const answer = await answered
  return { status: answer.statusCode ?? 0, headers: answer.headers, text: await text(answer) }
}

async function getJson(url: string, headers: Readonly<Record<string, string>>): Promise<unknown> {
  return (await fetch(url, { headers })).json()
}

/** Asks again where a busy machine did not finish: that is nothing of what is tested here. */
async function postJson<Answer>(url: string, key: string, body: object): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    const said = await answer.text()
    if (/"machine_busy"/.test(said) && attempt < MAX_ATTEMPTS) continue
    expect(answer.ok, said).toBe(true)
    return JSON.parse(said) as Answer
  }
}

const MAX_ATTEMPTS = 4

async function emptyRedis(): Promise<void> {
  const redis = new Redis(REDIS_URL)
  await redis.flushdb()
  redis.disconnect()
}

import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chains } from '../../src/chains/index.js'
import { findFreePort } from '../../src/cli/free-port.js'
import { createManualClock } from '../../src/clock.js'
import { createSavedReports } from '../../src/saved-reports/create-saved-reports.js'
import { createSqlSavedReportStore } from '../../src/saved-reports/sql-saved-report-store.js'
import { type Db, openDatabase } from '../../src/stores/database.js'
import { sampleChecks } from '../http/sample-checks.js'
import { createTestApp, TOKEN } from '../http/test-app.js'
import { hasChromium, launchChromium } from './browser.js'

const HOSTILE = 'Gold</title><img src=x onerror=alert(1)>\u202e'
const DESKTOP: BrowserContextOptions = { viewport: { width: 1200, height: 860 } }
const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 }, colorScheme: 'dark' }

/** The built portal on an application that answers at once, with a real store of reports. */
describe.skipIf(!hasChromium())('reports that are shown', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-shared-'))
  let browser: Browser
  let db: Db
  let url: string
  let key: string
  let stop: () => Promise<unknown>

  beforeAll(async () => {
    db = await openDatabase({ dataDir, databaseUrl: undefined })
    url = `http://127.0.0.1:${await findFreePort()}`
    const { services } = await createTestApp()
    const identity = { ...sampleChecks.identity, name: HOSTILE }
    const stage = await createTestApp({
      services: {
        config: { ...services.config, guestChecks: 100, publicOrigins: [url] },
        savedReports: createSavedReports({ store: createSqlSavedReportStore(db), clock: createManualClock() }),
        simulation: async () => ({ ...sampleChecks, identity }) as never,
        lookup: {
          findChains: async () => ({ chains: chains.slice(0, 2), unanswered: chains.slice(2, 3) }),
          resolve: async () => TOKEN,
        },
      },
    })
    await stage.app.listen({ port: Number(new URL(url).port), host: '127.0.0.1' })
    key = stage.key
    stop = () => stage.app.close()
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await stop?.()
    await db?.destroy()
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function open(path: string, options = DESKTOP): Promise<{ page: Page; complaints: string[] }> {
    const page = await (await browser.newContext(options)).newPage()
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('dialog', (dialog) => complaints.push(dialog.message()))
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('Failed to load resource'))
        complaints.push(message.text())
    })
    await page.goto(`${url}${path}`)
    return { page, complaints }
  }

  /** A page of another site. Scripts run in no part of a card: ours cannot look into it. */
  async function openElsewhere(html: string): Promise<{ page: Page; complaints: string[] }> {
    const page = await (await browser.newContext(DESKTOP)).newPage()
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    page.on('requestfailed', (request) => complaints.push(request.url()))
    const site = createServer((_request, response) =>
      response.setHeader('content-type', 'text/html').end(`<!doctype html><link rel="icon" href="data:,">${html}`),
    )
    await once(site.listen(0, '127.0.0.1'), 'listening')
    // Another name than the service's is another site to a browser.
    await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`, { waitUntil: 'load' })
    site.close()
    return { page, complaints }
  }

  async function inspect(page: Page): Promise<void> {
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 160))])).toEqual([])
    const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect(overflow).toBe(0)
  }

  test('a guest pastes a link, is asked for the chain where there are several, and reads a report', async () => {
    const { page, complaints } = await open('/')
    await page.getByLabel('Address, link or name').fill(`https://some.example/token/${TOKEN}`)
    await page.getByRole('button', { name: 'Analyse' }).click()
    await page.getByRole('group', { name: /on several chains/ }).waitFor()
    await inspect(page)
    await capture(page, 'home')
    await page.getByRole('button', { name: 'Ethereum' }).click()
    await page.locator('.verdict').waitFor()
    expect(await page.locator('.advice').textContent()).toBe('Do not buy')
    expect(await page.getByRole('button', { name: 'Sign in to share' }).isDisabled()).toBe(true)
    expect(complaints).toEqual([])
  })

  test('its owner shares it, another opens the link without a key, and once deleted it is gone', async () => {
    const { page, complaints } = await open(`/report/1/${TOKEN}`)
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Or use an API key').fill(key)
    await page.getByRole('button', { name: 'Use', exact: true }).click()
    await page.getByRole('button', { name: 'Get a link to share' }).click()
    const link = page.locator('.shared a')
    await link.waitFor()
    const address = (await link.textContent()) ?? ''
    expect(address).toMatch(new RegExp(`^${url}/r/r_[0-9A-Za-z]{17}$`))
    const path = address.slice(url.length)
    await inspect(page)
    await capture(page, 'report-shared')

    for (const options of [DESKTOP, PHONE]) {
      const reader = await open(path, options)
      await reader.page.getByText('Kept on').waitFor()
      expect(await reader.page.locator('.advice').textContent()).toBe('Do not buy')
      expect(await reader.page.title()).not.toContain('<img')
      expect(await reader.page.locator('meta[property="og:title"]').getAttribute('content')).toMatch(
        /^Do not buy: Gold/,
      )
      expect(new URL(reader.page.url()).pathname).toBe(path)
      await inspect(reader.page)
      await capture(reader.page, `kept-${options === PHONE ? 'phone' : 'desk'}`)
      expect(reader.complaints).toEqual([])
    }

    const elsewhere = await openElsewhere(`<iframe src="${address}/card" width="540" height="260" title="c"></iframe>
      <img src="${address}/badge.svg" alt="b">`)
    expect(elsewhere.complaints).toEqual([])
    expect(await elsewhere.page.locator('img').evaluate((image) => Reflect.get(image, 'naturalWidth'))).toBeGreaterThan(
      100,
    )
    await capture(elsewhere.page, 'card')

    await page.getByRole('button', { name: 'Keep it private' }).click()
    await page.getByText('Only you can read it.').waitFor()
    const stranger = await open(path)
    await stranger.page.getByRole('heading', { name: 'There is no such report.' }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Get a link to share' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('on paper there are no buttons', async () => {
    const { page } = await open(`/report/1/${TOKEN}`)
    await page.locator('.verdict').waitFor()
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('button:visible').count()).toBe(0)
    expect(await page.locator('.advice').isVisible()).toBe(true)
    await capture(page, 'print')
  })
})

/** Written where a person wants to look: SCREENSHOTS_TO names the folder. */
async function capture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS_TO
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}

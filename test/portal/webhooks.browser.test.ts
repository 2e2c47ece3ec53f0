import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bytesFor } from '../../src/batches/batch-store.js'
import { createSqlBatchStore } from '../../src/batches/sql-batch-store.js'
import type { Db } from '../../src/stores/database.js'
import { hasChromium } from './browser.js'
import { capture, LOOKS } from './capture.js'
import { inspect } from './inspect.js'
import { type Stage, setStage } from './portal-stage.js'

const [DESKTOP] = LOOKS
const GIVEN_UP = `batch_${'a'.repeat(32)}`
const secret = 's'.repeat(16)

describe.skipIf(!hasChromium())('the page of webhooks in Chromium', () => {
  let stage: Stage
  let receiver: Server
  let url = ''
  /** Whether the receiver confirms what it is told. */
  let isWell = true
  const told: string[] = []

  /** A batch whose receiver was down for longer than it is asked. */
  async function writePast(db: Db, keyId: string): Promise<void> {
    const store = createSqlBatchStore(db)
    const requests = [{ request: { check: 'simulate', body: {} } as const }]
    const createdAt = Date.now()
    await store.insert({
      id: GIVEN_UP,
      keyId,
      createdAt,
      requests,
      webhook: { url, secret },
      maxBytes: bytesFor({ analysis: 1 }),
    })
    await store.finishItem(GIVEN_UP, 0, { state: 'done', result: {} })
    await store.finish(GIVEN_UP, createdAt)
    await store.setWebhook(GIVEN_UP, { state: 'failed', attempts: 6, failure: 'The receiver answered 500' })
  }

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      request.on('data', (body) => told.push(JSON.parse(String(body)).id))
      request.on('end', () => response.writeHead(isWell ? 204 : 500).end())
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/with-a-token`
    stage = await setStage(['clean'], writePast)
  })
  afterAll(async () => {
    await stage?.stop()
    receiver.close()
  })

  async function openPage(key: string, options = {}) {
    const { page, complaints } = await stage.open('/webhooks', options)
    await page.getByLabel('The key, for this visit only').fill(key)
    await page.getByRole('button', { name: 'Use', exact: true }).click()
    return { page, complaints }
  }

  const order = async () => {
    const response = await fetch(`${stage.url}/api/batch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stage.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        targets: [{ targetContractAddress: stage.addressOf('clean'), chainId: 1, check: 'phishing' }],
        webhook: { url, secret },
      }),
    })
    return ((await response.json()) as { id: string }).id
  }
  const listOf = (page: Page, name: string) => page.getByRole('list', { name, exact: true })
  const lookUntil = (page: Page, name: string, text: string) =>
    expect
      .poll(
        async () => {
          await page.getByRole('button', { name: 'Look again' }).click()
          const list = listOf(page, name)
          return (await list.count()) > 0 ? await list.textContent() : ''
        },
        { timeout: 60_000, interval: 500 },
      )
      .toContain(text)

  test.each(LOOKS)('in each look ($name): what was given up says why, axe finds nothing', async (look) => {
    const { page, complaints } = await openPage(stage.apiKey, look)
    await listOf(page, 'Given up').getByText('The receiver answered 500.').waitFor()
    expect(await page.textContent('main')).not.toContain('with-a-token')
    await inspect(page)
    await capture(page, `webhooks${look.name}`)
    expect(complaints).toEqual([])
  })

  test('what waits says why, what was given up is told again, and what was told stands below', async () => {
    isWell = false
    const { page, complaints } = await openPage(stage.apiKey, DESKTOP)
    const waiting = await order()
    await lookUntil(page, 'Batches', 'targets 1, done 1')
    await lookUntil(page, 'Waiting', 'The receiver answered 500')
    expect(await listOf(page, 'Waiting').getByRole('button').count()).toBe(0)
    isWell = true
    await listOf(page, 'Given up')
      .getByRole('button', { name: /^Tell 127/ })
      .click()
    await page.getByText('is told again').waitFor()
    await lookUntil(page, 'Delivered', GIVEN_UP.slice(0, 12))
    expect(await listOf(page, 'Given up').count()).toBe(0)
    await lookUntil(page, 'Delivered', waiting.slice(0, 12))
    expect(told).toEqual(expect.arrayContaining([GIVEN_UP, waiting]))
    expect(complaints).toEqual([])
  }, 120_000)

  test('a key that is none: the page says so, and shows no list', async () => {
    const { page } = await openPage(`assay_${'0'.repeat(49)}`)
    await page.getByText('Invalid API key.').waitFor()
    expect(await page.getByRole('heading', { level: 2 }).count()).toBe(0)
  })
})

import type { Insertable } from 'kysely'
import type { Page } from 'playwright-core'
import { pad, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createV3Market } from '../../src/devnet/market.js'
import type { Outcome } from '../../src/outcomes/outcome.js'
import type { Db } from '../../src/stores/database.js'
import type { Tables } from '../../src/stores/tables.js'
import { createLauncher, type Launcher } from '../feed/launcher.js'
import { hasChromium } from './browser.js'
import { capture, LOOKS } from './capture.js'
import { inspect } from './inspect.js'
import { type Stage, setStage } from './portal-stage.js'

/**
 * As many bytes as the honest example's own: markup and a mark that turns lines, and marks that
 * pile up.
 */
const HOSTILE_NAMES = {
  '<img>\u202eUSDT!': '<img>USDT!',
  'Zal\u0336\u0301\u0316\u0334go': 'Zal\u0336\u0301\u0316\u0334go',
}

describe.skipIf(!hasChromium())('the pages of the feed and of the record in Chromium', () => {
  let stage: Stage
  let launcher: Launcher
  beforeAll(async () => {
    stage = await setStage([], writeRecord, { ASSAY_FEED: '1' })
    launcher = createLauncher(stage.devnet)
  })
  afterAll(() => stage?.stop())

  async function openFeed(options = {}) {
    const { page, complaints } = await stage.open('/feed', options)
    await page.getByLabel('The key, for this visit only').fill(stage.apiKey)
    await page.getByRole('button', { name: 'Use', exact: true }).click()
    await page.getByRole('heading', { name: 'New markets', exact: true }).waitFor()
    return { page, complaints }
  }
  const rows = (page: Page) => page.getByRole('list', { name: 'New markets', exact: true }).getByRole('listitem')

  test('new tokens come with their names and verdicts while one looks, and are chosen by verdict', async () => {
    const { page, complaints } = await openFeed(LOOKS[0])
    await page.getByText('Nothing yet. This page looks by itself.').waitFor()
    const router = stage.devnet.chain.v2[0]?.router
    // The feed begins at the head that it sees first, which is before the page is served.
    for (const name of Object.keys(HOSTILE_NAMES)) await launcher.launch(await launcher.makeNamed(name))
    await launcher.launch(await launcher.make('SellBlocked', [router]))
    await launcher.launch(await launcher.make('OwnerCanClose'), createV3Market(stage.devnet.chain), '3')
    await rows(page).getByText('Sell Blocked Example').waitFor()
    await rows(page).getByText('Owner Can Close').waitFor()
    for (const shown of Object.values(HOSTILE_NAMES)) await rows(page).getByText(shown, { exact: true }).waitFor()
    await rows(page).getByText('Its name has hidden characters.').waitFor()
    const heights = await rows(page).evaluateAll((all) => all.map((row) => Reflect.get(row, 'offsetHeight')))
    expect(Math.max(...heights)).toBeLessThan(2 * Math.min(...heights))
    await inspect(page)
    await capture(page, 'feed')

    await page.getByLabel('Verdict').selectOption('Critical Risk')
    await page.getByRole('button', { name: 'Show' }).click()
    await expect.poll(() => rows(page).count()).toBe(1)
    expect(await rows(page).textContent()).toContain('It can be bought and not sold.')
    await page.getByLabel('Least liquidity, in coins').fill('much')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByText('An amount is a number such as 1.5.').waitFor()
    await rows(page).getByRole('link').click()
    await page.getByRole('heading', { name: 'It can be bought and not sold.' }).waitFor()
    expect(complaints).toEqual([])
  })

  test.each(LOOKS.slice(1))('the feed$name: axe finds nothing, nothing is wider than the screen', async (look) => {
    const { page, complaints } = await openFeed(look)
    await rows(page).getByText('Sell Blocked Example').waitFor()
    await inspect(page)
    await capture(page, `feed${look.name}`)
    expect(complaints).toEqual([])
  })

  test('without a key the feed says what it is, and asks for one', async () => {
    const { page } = await stage.open('/feed', LOOKS[2])
    await page.getByRole('heading', { name: 'New markets, judged as they open.' }).waitFor()
    await inspect(page)
  })

  test.each(LOOKS)('the record$name: says how often verdicts were right, to anyone', async (look) => {
    const { page, complaints } = await stage.open('/record', look)
    const week = page.getByRole('region', { name: 'After 7 days' })
    await week.waitFor()
    expect(await week.getByRole('row', { name: /^Safe/ }).textContent()).toBe('Safe400001')
    const words = await week.textContent()
    // Eight were warned of and six of them came to harm, as did two of the others.
    for (const part of ['75 % of the 8', '75 % of the 8 that came to harm', 'Not seen in time: 2'])
      expect(words).toContain(part)
    expect(await page.getByRole('region', { name: 'After 30 days' }).textContent()).toContain('No verdict is that old')
    await inspect(page)
    await capture(page, `record${look.name}`)
    expect(complaints).toEqual([])
  })
})

/** Verdicts of a week ago, by what became of them. */
const PAST: readonly [level: string, outcome: Outcome | 'unknown', count: number][] = [
  ['Safe', 'fine', 40],
  ['Safe', 'sold-out', 1],
  ['Low Risk', 'fine', 25],
  ['Low Risk', 'unknown', 2],
  ['Medium Risk', 'fine', 9],
  ['Medium Risk', 'taxed', 1],
  ['High Risk', 'fine', 2],
  ['High Risk', 'drained', 4],
  ['Critical Risk', 'shut', 2],
]

async function writeRecord(db: Db): Promise<void> {
  const judgedAt = Date.now() - 8 * 24 * 3_600_000
  const rows = PAST.flatMap(([level, outcome, count]) => Array.from({ length: count }, () => ({ level, outcome })))
  const sight = JSON.stringify({ isTrap: false, sellTaxBps: 0, depth: '1', pool: null })
  const values = rows.map(
    ({ level, outcome }, i): Insertable<Tables['outcomes']> => ({
      ...{ chain_id: 1, address: pad(toHex(i + 1), { size: 20 }), origin: 'sample', judged_at: judgedAt, level },
      ...{ trap: 0, sight, harm: null, harm_at: null, seen_7: outcome, seen_30: null },
      ...{ due_at: null, held_until: 0, failures: 0 },
    }),
  )
  await db.insertInto('outcomes').values(values).execute()
}

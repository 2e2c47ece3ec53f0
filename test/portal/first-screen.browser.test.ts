import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium } from './browser.js'
import { type Stage, setStage } from './portal-stage.js'

type Answer = 'buy' | 'be careful' | 'do not buy' | 'unknown'

/** What a person who has never seen the page ought to conclude. */
const EXAMPLES: Readonly<Record<string, Answer>> = {
  clean: 'buy',
  taxed: 'buy',
  'v3-only': 'buy',
  'no-return': 'buy',
  usdt: 'buy',
  'sell-blocked': 'do not buy',
  'rising-tax': 'do not buy',
  'hidden-proxy': 'do not buy',
  drainer: 'do not buy',
  'owner-can-close': 'do not buy',
  'no-pool': 'unknown',
  'fake-mint': 'be careful',
}

/** English, and nothing of this service: what each phrase says of buying. */
const PHRASES: readonly [RegExp, Answer][] = [
  [/\b(do not|don’t|never) (buy|use|touch)\b|\bstay away\b|\bscam\b/i, 'do not buy'],
  [/\bbe careful\b|\bcaution\b|\bbeware\b/i, 'be careful'],
  [/^not known$|\bcannot (say|tell)\b|\bunknown risk\b/i, 'unknown'],
  [/\bno (trap|danger|harm) (was )?found\b|\b(safe|fine) to buy\b/i, 'buy'],
]

/** The first line that says anything of buying decides: there are three seconds. */
function conclude(lines: readonly string[]): Answer | undefined {
  for (const line of lines) for (const [phrase, answer] of PHRASES) if (phrase.test(line)) return answer
  return undefined
}

test('the check knows words, and not the service', () => {
  expect(conclude(['Ethereum', 'Some Token', 'Do not buy'])).toBe('do not buy')
  expect(conclude(['The owner is not known to sell'])).toBeUndefined()
  expect(conclude(['No trap found', 'Do not buy'])).toBe('buy')
  expect(conclude([])).toBeUndefined()
})

describe.skipIf(!hasChromium())('the first screen alone says whether to buy', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await setStage(Object.keys(EXAMPLES))
  })
  afterAll(() => stage?.stop())

  test.each([
    ['on a desk', { width: 1200, height: 860 }],
    ['on a phone', { width: 360, height: 740 }],
  ])('for twelve examples, %s', { timeout: 900_000 }, async (_name, viewport) => {
    const { page } = await stage.open('/', { viewport })
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Or use an API key').fill(stage.apiKey)
    await page.getByRole('button', { name: 'Use', exact: true }).click()
    await page.getByRole('button', { name: 'Forget key' }).waitFor()
    const said: Record<string, Answer | undefined> = {}
    for (const example of Object.keys(EXAMPLES)) {
      // Within the page, since a key that was entered is gone with it.
      await page.evaluate(`
        history.pushState(null, '', '/report/1/${stage.addressOf(example)}')
        dispatchEvent(new Event('popstate'))
        scrollTo(0, 0)
      `)
      await page.locator(`.verdict[data-of="${stage.addressOf(example)}"]`).waitFor({ timeout: 130_000 })
      await finish(page, stage.addressOf(example))
      said[example] = conclude(await page.evaluate<string[]>(VISIBLE_LINES))
    }
    expect(said).toEqual(EXAMPLES)
  })
})

/** Once more, when a busy machine did not finish: that is no word on the example. */
async function finish(page: Page, address: string): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const reason = await page.locator('.verdict').textContent()
    if (!/did not finish|could not be finished|too busy|resisted: .*time/.test(reason ?? '')) return
    await page.getByRole('button', { name: 'Run again' }).click()
    await page.getByRole('heading', { name: 'Under test' }).waitFor()
    await page.locator(`.verdict[data-of="${address}"]`).waitFor({ timeout: 130_000 })
  }
}

const MAX_ATTEMPTS = 5

/** Lines of text whose top is on the screen, from above, as they are drawn. */
const VISIBLE_LINES = `
  [...document.querySelectorAll('main :is(p, h1, dt, dd)')]
    .filter((each) => each.getBoundingClientRect().top < innerHeight && each.getBoundingClientRect().height > 0)
    .map((each) => each.innerText.trim())
`

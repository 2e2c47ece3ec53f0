import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FaultProxy, startFaultProxy } from '../fault-proxy/fault-proxy.js'
import { hasChromium } from './browser.js'
import { SOLANA_TRAP, type Stage, setStage } from './portal-stage.js'
import { type Answer, conclude, type Drawn } from './three-seconds.js'

/** What a person who has never seen the page ought to say of each. */
const ETHEREUM: Readonly<Record<string, Answer>> = {
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
  'no-pool': 'not sure',
  'fake-mint': 'not sure',
}
const SOLANA: Readonly<Record<string, Answer>> = {
  plain: 'buy',
  [SOLANA_TRAP]: 'do not buy',
  'scheduled fee': 'do not buy',
  mintable: 'not sure',
}
/** While the node tells nothing of the past: what is missing is neither good nor bad. */
const PARTIAL: Readonly<Record<string, Answer>> = { dormant: 'not sure' }

/** Words of the screen, and which line of the verdict they are, if any. */
interface Seen extends Drawn {
  line: string | null
}

describe.skipIf(!hasChromium())('the first screen alone says whether to buy', () => {
  let stage: Stage
  let node: FaultProxy
  // A node that told nothing of the past is not asked again for a while: one for each screen.
  beforeEach(async () => {
    const settings = { ASSAY_SECOND_OPINIONS: '0' }
    stage = await setStage([...Object.keys(ETHEREUM), ...Object.keys(PARTIAL)], undefined, settings, {
      solanaExamples: Object.keys(SOLANA),
      nodeUrl: async (url) => {
        node = await startFaultProxy(url)
        return node.url
      },
    })
  })
  afterEach(async () => {
    await stage?.stop()
    await node?.close()
  })

  test.each([
    ['on a desk', { width: 1200, height: 860 }],
    ['on a phone', { width: 360, height: 740 }],
  ])('of seventeen examples, %s', { timeout: 900_000 }, async (_name, viewport) => {
    const { page } = await stage.open('/', { viewport })
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Or use an API key').fill(stage.apiKey)
    await page.getByRole('button', { name: 'Use', exact: true }).click()
    await page.getByRole('button', { name: 'Forget key' }).waitFor()
    const seen: Record<string, readonly Seen[]> = {}
    const look = async (chain: string, names: readonly string[], busy = BUSY) => {
      for (const name of names) seen[name] = await see(page, `/report/${chain}/${stage.addressOf(name)}`, busy)
    }
    await look('1', Object.keys(ETHEREUM))
    await look('SOL', Object.keys(SOLANA))
    node.inject({ name: 'no past', method: 'eth_getLogs', answer: ({ id }) => ({ id, error: NO_PAST }) })
    await look('1', Object.keys(PARTIAL), TOO_BUSY)
    node.inject()

    const expected: Readonly<Record<string, Answer>> = { ...ETHEREUM, ...SOLANA, ...PARTIAL }
    const names = Object.keys(expected)
    expect(Object.fromEntries(names.map((name) => [name, conclude(seen[name] ?? [])]))).toEqual(expected)
    for (const name of names) expect(linesOf(seen[name], 'verdict').length, name).toBeGreaterThan(2)

    // It is the verdict that says so: that of another above the same screen is that other's.
    for (const [i, name] of names.entries()) {
      const other = names[(i + 1) % names.length] ?? ''
      const under = [...linesOf(seen[other], 'verdict'), ...linesOf(seen[name], 'rest')]
      expect(conclude(under), `${other} above ${name}`).toBe(expected[other])
      const withoutAdvice = (seen[name] ?? []).filter(({ line }) => line !== 'advice')
      expect(opposite(conclude(withoutAdvice)), `${name} without its advice`).not.toBe(expected[name])
    }
    // And its lines agree: a trap's reasons below an advice to buy are heard.
    const traps = names.filter((name) => conclude(linesOf(seen[name], 'reasons')) === 'do not buy')
    expect(traps.length).toBeGreaterThanOrEqual(LOUD_TRAPS)
    for (const trap of traps) {
      const mixed = [...linesOf(seen.clean, 'advice'), ...linesOf(seen[trap], 'reasons')]
      expect(conclude(mixed), `an advice to buy above the reasons of ${trap}`).toBe('says both')
    }
  })
})

const NO_PAST = { code: -32601, message: 'the method eth_getLogs does not exist' }

const opposite = (answer: Answer) => ({ buy: 'do not buy', 'do not buy': 'buy' })[answer as string]

/** The lines of the verdict, its advice, the others of it, or what is no part of it. */
function linesOf(seen: readonly Seen[] = [], which: 'verdict' | 'advice' | 'reasons' | 'rest'): Seen[] {
  return seen.filter(({ line }) => {
    if (which === 'rest') return line === null
    if (which === 'verdict') return line !== null
    return line !== null && (line === 'advice') === (which === 'advice')
  })
}

/** What a machine says that did not get it done: no word on the example. */
const TOO_BUSY = /too busy|resisted: .*time/
/** The same of examples whose analysis otherwise finishes. */
const BUSY = /did not finish|could not be finished|too busy|resisted: .*time/

/** The report at `path`, made again where a busy machine did not finish it. */
async function see(page: Page, path: string, busy: RegExp): Promise<Seen[]> {
  // Within the page, since a key that was entered is gone with it.
  await page.evaluate(`
    history.pushState(null, '', '${path}')
    dispatchEvent(new Event('popstate'))
    scrollTo(0, 0)
  `)
  const verdict = page.locator(`.verdict[data-of="${path.split('/').at(-1)}"]`)
  await verdict.waitFor({ timeout: 130_000 })
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    if (!busy.test((await verdict.textContent()) ?? '')) break
    await page.getByRole('button', { name: 'Run again' }).click()
    await page.getByRole('heading', { name: 'Under test' }).waitFor()
    await verdict.waitFor({ timeout: 130_000 })
  }
  return page.evaluate<Seen[]>(SEEN)
}

const MAX_ATTEMPTS = 5
/** Headlines of the others are words that say neither good nor bad by themselves. */
const LOUD_TRAPS = 3

/** All words that are on the screen, as they are drawn, from above: of the whole page. */
const SEEN = `(() => {
  const seen = []
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  let last
  while (words.nextNode()) {
    const { currentNode } = words
    const { parentElement } = currentNode
    const range = document.createRange()
    range.selectNodeContents(currentNode)
    const { top, bottom, height } = range.getBoundingClientRect()
    if (height === 0 || bottom <= 0 || top >= innerHeight || currentNode.data.trim() === '') continue
    const size = parseFloat(getComputedStyle(parentElement).fontSize)
    const block = parentElement.closest('p, h1, h2, h3, dt, dd, li, a, button, label, summary, th, td') ?? parentElement
    if (last?.block === block && last.size === size) last.entry.text += currentNode.data
    else {
      const inVerdict = parentElement.closest('.verdict > *')
      const line = inVerdict && (inVerdict.className || inVerdict.localName)
      seen.push({ text: currentNode.data, size, line })
    }
    last = { block, size, entry: seen.at(-1) }
  }
  return seen
})()`

import { resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FIRST_PAINT_BUDGET, weighFirstPaint } from '../../portal/compress-and-weigh.js'
import { hasChromium } from './browser.js'
import { capture, LOOKS } from './capture.js'
import { inspect } from './inspect.js'
import { type OpenPage, SOLANA_TRAP, type Stage, setStage } from './portal-stage.js'
import { injectEthereumWallet, injectSolanaWallet } from './test-wallet.js'

const EXAMPLES = ['clean', 'taxed', 'sell-blocked', 'rising-tax', 'kill-switch', 'no-pool', 'owner-can-close']
const [DESKTOP, , PHONE] = LOOKS
/** Parts of a long page that are opened where all of them were looked at once. */
const SAMPLE = 8
/** USDC, and an ordinary account that is to take all of it. */
const UNLIMITED_APPROVAL = {
  to: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  data: `0x095ea7b3${'70997970c51812dc3a010c7d01b50e0d17dc79c8'.padStart(64, '0')}${'f'.repeat(64)}`,
}
const walletOf = (digit: string) => privateKeyToAccount(`0x${digit.repeat(64)}`)

describe.skipIf(!hasChromium())('the portal in Chromium', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await setStage(EXAMPLES)
  })
  afterAll(() => stage?.stop())

  /** A page whose visitor has entered the operator's key. */
  async function openWithKey(path: string, options = {}): Promise<OpenPage> {
    const opened = await stage.open(path, options)
    await opened.page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
    await opened.page.getByLabel('Or use an API key').fill(stage.apiKey)
    await opened.page.getByRole('button', { name: 'Use', exact: true }).click()
    await opened.page.getByRole('button', { name: 'Forget key' }).waitFor()
    return opened
  }

  async function signIn(page: Page, wallet = 'Test Wallet'): Promise<void> {
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: wallet }).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
  }

  /**
   * Enters an address and waits for its report; once more when the machine was too busy to finish
   * it.
   */
  async function analyse(page: Page, example: string): Promise<{ stamp: string; headline: string; reason: string }> {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Analyse' }).click()
    await page.getByLabel('Address').fill(stage.addressOf(example))
    await page.getByRole('button', { name: 'Analyse' }).click()
    for (let attempt = 0; ; attempt += 1) {
      await page.locator('.verdict').waitFor()
      const [, stamp, headline, reason] = await page.locator('.verdict > *').allTextContents()
      const report = await page.locator('article').textContent()
      if (!/resisted: .*time/.test(report ?? '') || attempt >= MAX_ATTEMPTS) {
        return { stamp: stamp ?? '', headline: headline ?? '', reason: reason ?? '' }
      }
      await page.getByRole('button', { name: 'Run again' }).click()
      await page.getByRole('heading', { name: 'Under test' }).waitFor()
    }
  }

  /** A machine that is busy with other things may not get an analysis done within its time. */
  const MAX_ATTEMPTS = 5

  test('a wallet signs in, makes a key, uses it, revokes it, and is refused', { timeout: 240_000 }, async () => {
    const { page, complaints } = await stage.open('/keys', DESKTOP, (each) => injectEthereumWallet(each, walletOf('1')))
    await signIn(page)
    await page.getByText('No key yet').waitFor()
    await page.getByLabel('What is it for?').fill('my bot')
    await page.getByRole('button', { name: 'Make a key' }).click()
    const key = (await page.getByTestId('new-key').textContent()) ?? ''
    expect(key).toMatch(/^assay_[0-9A-Za-z]{49}$/)
    expect(await page.locator('#snippet-code').textContent()).toContain(`Bearer ${key}`)
    const ask = () =>
      fetch(`${stage.url}/api/honeypot/honeypot-checks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ targetContractAddress: stage.addressOf('clean'), chainId: 1 }),
      })
    // The first analysis starts the worker threads, which a busy machine may not do in time.
    await expect.poll(async () => (await ask()).status, { timeout: 45_000, interval: 5_000 }).toBe(200)

    await page.reload()
    const list = page.getByRole('list', { name: 'Keys' })
    await list.getByText('my bot').waitFor()
    expect(await page.textContent('body')).not.toContain(key)
    // Uses are written some seconds later.
    const isUsed = async () => {
      await page.reload()
      return page
        .getByText(/analyses [1-9]/)
        .waitFor({ timeout: 2_000 })
        .then(
          () => true,
          () => false,
        )
    }
    await expect.poll(isUsed, { timeout: 45_000 }).toBe(true)
    await page.getByText('By day').click()
    expect(await list.getByRole('row').last().textContent()).toMatch(/^\d{4}-\d\d-\d\d[1-9]/)
    for (const { name: look, colorScheme, viewport } of LOOKS) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(viewport)
      await inspect(page)
      await capture(page, `keys${look}`)
    }
    await page.getByRole('button', { name: 'Revoke my bot' }).click()
    await page.getByRole('button', { name: 'Revoke it' }).click()
    await page.getByText('No key yet').waitFor()
    // Felt by every process within the second.
    await page.waitForTimeout(1_000)
    const refused = await ask()
    expect([refused.status, ((await refused.json()) as { errorReason: string }).errorReason]).toEqual([
      403,
      'Invalid API key',
    ])
    expect(complaints).toEqual([])
  })

  test('a wallet of Solana signs in too, and out again', async () => {
    const { page, complaints } = await stage.open('/keys', DESKTOP, (each) =>
      injectSolanaWallet(each, new Uint8Array(32).fill(7)),
    )
    await signIn(page, 'Test Solana Wallet')
    await page.getByText('No key yet').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Keys for your programs.' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('a rotated key is another key under the same name', async () => {
    const { page } = await stage.open('/keys', DESKTOP, (each) => injectEthereumWallet(each, walletOf('2')))
    await signIn(page)
    await page.getByLabel('What is it for?').fill('rotating')
    await page.getByRole('button', { name: 'Make a key' }).click()
    const first = await page.getByTestId('new-key').textContent()
    await page.getByRole('button', { name: 'Rotate rotating' }).click()
    await page.getByRole('button', { name: 'Rotate it' }).click()
    await expect.poll(() => page.getByTestId('new-key').textContent()).not.toBe(first)
    expect(await page.getByRole('list', { name: 'Keys' }).getByRole('listitem').count()).toBe(1)
  })

  test('someone who declines in the wallet is told so, and stays where he is', async () => {
    const { page } = await stage.open('/', DESKTOP, (each) =>
      each.addInitScript(`
        const provider = { request: async () => { throw { code: 4001, message: 'User rejected' } } }
        const info = { uuid: 'x', name: 'Declining Wallet', icon: 'https://evil.example/track.png', rdns: 'x' }
        window.addEventListener('eip6963:requestProvider', () =>
          window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } })))
      `),
    )
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Declining Wallet' }).click()
    await page.getByRole('alert').getByText('You declined in the wallet').waitFor()
    expect(await page.locator('.wallet img').count()).toBe(0)
  })

  test('a request is played before the wallet confirms it', { timeout: 120_000 }, async () => {
    const { page, complaints } = await openWithKey('/wallet', DESKTOP)
    await page.getByRole('heading', { name: 'Is this request safe to confirm?' }).waitFor()
    await page.getByLabel('Goes to').fill('0x1')
    await page.getByRole('button', { name: 'Play it' }).click()
    await page.getByRole('alert').getByText('Enter where it goes').waitFor()
    await page.getByLabel('Or the whole request').fill(JSON.stringify({ params: [UNLIMITED_APPROVAL] }))
    await page.getByRole('button', { name: 'Play it' }).click()
    await page.getByRole('heading', { name: 'Do not confirm this.' }).waitFor({ timeout: 60_000 })
    const report = (await page.locator('article').textContent()) ?? ''
    expect(report).toContain('may take all')
    expect(report).toContain('USDC')
    for (const { name, colorScheme, viewport } of LOOKS) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(viewport)
      await inspect(page)
      // What it came to, below the form.
      await page.locator('article').evaluate((element) => Reflect.get(element, 'scrollIntoView').call(element))
      await capture(page, `wallet${name}`)
    }
    expect(complaints).toEqual([])
  })

  describe('verdicts', () => {
    test.each([
      ['clean', /^Low Risk/, /One wallet can take out the liquidity\./],
      ['sell-blocked', /^Critical Risk/, /It can be bought and not sold\./],
      ['rising-tax', /^Critical Risk/, /It cannot be sold later\./],
      ['no-pool', /^Counts as Medium Risk until it is known/, /No market was found\./],
    ] as const)('%s', async (example, stamp, headline) => {
      const { page, complaints } = await openWithKey('/', DESKTOP)
      const verdict = await analyse(page, example)
      await capture(page, `report-${example}`)
      expect(verdict.stamp).toMatch(stamp)
      expect(verdict.headline).toMatch(headline)
      expect(complaints).toEqual([])
    })

    test('a trap on Solana', async () => {
      const { page, complaints } = await openWithKey('/', DESKTOP)
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Analyse' }).click()
      await page.getByLabel('Chain').selectOption({ label: 'Solana' })
      const verdict = await analyse(page, SOLANA_TRAP)
      await capture(page, 'report-solana')
      expect(verdict.stamp).toMatch(/^Critical Risk/)
      expect(verdict.headline).toMatch(/\.$/)
      const market = page.getByRole('region', { name: 'Market and origin' })
      const words = (await market.textContent()) ?? ''
      // 500 coins stand against 60 % of a thousand million tokens.
      for (const part of [
        '500 SOL stands behind its price in one pool',
        '0.0₆8333 SOL',
        'Example AMM traded here',
        'Locked',
      ])
        expect(words).toContain(part)
      expect(words).not.toContain('block')
      expect(await page.locator('.facts').textContent()).toMatch(/One costs0\.0₆8333 SOL.*In the pool500 SOL/)
      for (const { name, colorScheme, viewport } of LOOKS) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize(viewport)
        await inspect(page)
        await showFromTop(page, 'Market and origin')
        await capture(page, `report-solana-market${name}`)
        await showFromTop(page, 'Those who hold it')
        await capture(page, `report-solana-holders${name}`)
      }
      const holders = page.getByRole('region', { name: 'Those who hold it' })
      expect(await holders.getByRole('group', { name: 'Holders and their share' }).textContent()).toContain('the pool')
      expect(await page.getByRole('region', { name: 'The token itself' }).textContent()).toMatch(
        /Kept byToken-2022.*Asked about each transferthe program .*its code cannot be exchanged/,
      )
      for (const title of ['Tax, now and later', 'Is it alive?', 'Raw answer']) {
        expect(await page.getByRole('heading', { name: title }).count(), title).toBe(1)
      }
      await page.locator('summary', { hasText: /^solana$/ }).click()
      expect(await page.locator('[data-json=solana]').textContent()).toContain('"tokenInfo"')
      expect(complaints).toEqual([])
    })

    test('a signed-in wallet needs no key, and the report has all its parts', async () => {
      const { page, complaints } = await stage.open('/', DESKTOP, (each) => injectEthereumWallet(each, walletOf('3')))
      await signIn(page)
      await analyse(page, 'sell-blocked')
      for (const title of [
        'Tax, now and later',
        'Where the money went',
        'Findings in the code',
        'Liquidity',
        'Is it alive?',
        'Raw answer',
      ]) {
        expect(await page.getByRole('heading', { name: title }).count(), title).toBe(1)
      }
      const tree = page.locator('.call-tree')
      expect(await tree.textContent()).toContain('Trading is not open for you')
      await tree.getByRole('button', { name: /CALL.*swapExactTokensForETH/ }).click()
      expect(await tree.textContent()).not.toContain('Trading is not open for you')
      await page.locator('summary', { hasText: /^simulation$/ }).click()
      expect(await page.locator('[data-json=simulation]').textContent()).toContain('"simulateResult"')
      expect(complaints).toEqual([])
    })

    test('a power over holders is shown with its holder and its proof', async () => {
      const { page, complaints } = await openWithKey('/', DESKTOP)
      const verdict = await analyse(page, 'owner-can-close')
      expect(verdict.stamp).toMatch(/^High Risk/)
      const powers = page.getByRole('region', { name: 'Power over holders' })
      await powers.locator('summary').first().click()
      await capture(page, 'report-owner-can-close')
      const text = await powers.textContent()
      for (const part of ['one account', '0x04288dba(bool)', 'On a copy of the chain, after an ordinary purchase'])
        expect(text).toContain(part)
      expect(await page.getByRole('group', { name: 'Who can do what' }).textContent()).toContain('no wait')
      await page.locator('summary', { hasText: 'This result is wrong' }).click()
      for (const [place, name] of [
        ['Market and origin', 'report-market'],
        ['Those who hold it', 'report-holders'],
        ['Is it alive?', 'report-activity'],
        ['Is this result wrong?', 'report-wrong'],
      ] as const) {
        await showFromTop(page, place)
        await capture(page, name)
      }
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.setViewportSize(PHONE.viewport)
      await showFromTop(page, 'Market and origin')
      await capture(page, 'report-market-dark-on-a-phone')
      expect(await page.getByRole('region', { name: 'Liquidity' }).textContent()).toContain('can be taken out at once')
      expect(complaints).toEqual([])
    })

    test('a report that is shared is whole in every look, without a key', async () => {
      const { page } = await openWithKey('/', DESKTOP)
      await analyse(page, 'sell-blocked')
      await page.getByRole('button', { name: 'Get a link to share' }).click()
      const link = await page.locator('.shared a.mono').getAttribute('href')
      for (const look of LOOKS) {
        const reader = await stage.open(link ?? '', look)
        await reader.page.getByText('Kept on').waitFor()
        expect(await reader.page.locator('.advice').textContent()).toBe('Do not buy')
        // What fails is no tax of 100 %.
        expect(await reader.page.locator('.figures').textContent()).toContain('Sell taxFails')
        await inspect(reader.page)
        await capture(reader.page, `shared${look.name}`)
        expect(reader.complaints).toEqual([])
      }
    })

    test('the permanent link has the same block analysed again', async () => {
      const { page } = await openWithKey('/', DESKTOP)
      await analyse(page, 'taxed')
      const block = /block=(\d+)$/.exec(page.url())?.[1]
      expect(block).toBeDefined()
      const link = page.url()
      const again = await openWithKey(link.slice(stage.url.length), DESKTOP)
      await again.page.locator('.verdict').waitFor()
      expect(again.page.url()).toBe(link)
      expect(await again.page.locator('.eyebrow').first().textContent()).toContain(`block ${block}`)
    })
  })

  describe('when there is no report', () => {
    test('nobody is signed in: the page says what it takes', async () => {
      const { page } = await stage.open(`/report/1/${stage.addressOf('clean')}`, DESKTOP)
      await page.getByRole('heading', { name: 'Sign in to see this report.' }).waitFor()
    })

    test('the key is none: the page says so, and lets one sign in again', async () => {
      const { page } = await stage.open(`/report/1/${stage.addressOf('clean')}`, DESKTOP)
      await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
      await page.getByLabel('Or use an API key').fill('assay_nonsense')
      await page.getByRole('button', { name: 'Use', exact: true }).click()
      await page.getByRole('alert').getByText('Invalid API key').waitFor()
      await page.getByRole('button', { name: 'Sign in again' }).click()
      await page.getByRole('heading', { name: 'Sign in to see this report.' }).waitFor()
    })

    test('the address is none: the form says so, and nothing is sent', async () => {
      const { page } = await openWithKey('/', DESKTOP)
      await page.getByLabel('Address').fill('0x123')
      await page.getByRole('button', { name: 'Analyse' }).click()
      await page.getByRole('alert').getByText('An address is 0x and 40 hex digits.').waitFor()
      expect(new URL(page.url()).pathname).toBe('/')
    })

    test('the service is gone: the page says so', async () => {
      const { page } = await openWithKey('/', DESKTOP)
      await page.route('**/api/analysis/stream', (route) => route.abort())
      await page.getByLabel('Address').fill(stage.addressOf('clean'))
      await page.getByRole('button', { name: 'Analyse' }).click()
      await page.getByRole('alert').getByText('The service does not answer').waitFor()
    })

    test('the connection ends in the middle: what is missing is not taken for good', async () => {
      const { page } = await openWithKey('/', DESKTOP)
      await page.route('**/api/analysis/stream', (route) =>
        route.fulfill({
          status: 200,
          contentType: 'text/event-stream',
          body: 'event: progress\ndata: {"step":"block","success":true}\n\n',
        }),
      )
      await page.getByLabel('Address').fill(stage.addressOf('clean'))
      await page.getByRole('button', { name: 'Analyse' }).click()
      await page.getByRole('heading', { name: 'There is no answer.' }).waitFor()
      // What is the matter is said once, and there is nothing to share or to complain of.
      expect((await page.locator('article').textContent())?.split('The connection was lost')).toHaveLength(2)
      expect(await page.getByRole('button', { name: 'Run again' }).count()).toBe(1)
      expect(await page.getByRole('button', { name: 'Get a link to share' }).count()).toBe(0)
      for (const { name, colorScheme, viewport } of LOOKS) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize(viewport)
        await inspect(page)
        await capture(page, `report-failed${name}`)
      }
    })
  })

  test('everything works by keyboard alone', async () => {
    const { page } = await openWithKey('/', DESKTOP)
    await page.keyboard.press('Escape')
    await page.getByLabel('Address').focus()
    await page.keyboard.type(stage.addressOf('clean'))
    await page.keyboard.press('Enter')
    await page.locator('.verdict').waitFor()
    await page.getByRole('link', { name: 'Skip to content' }).focus()
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
  })

  test('the reference lists every route and sends real requests', async () => {
    const { page, complaints } = await openWithKey('/reference', DESKTOP)
    const { paths } = (await (await fetch(`${stage.url}/openapi.json`)).json()) as { paths: Record<string, object> }
    const routes = Object.values(paths).flatMap((item) => Object.keys(item))
    await page.locator('.operation').first().waitFor()
    expect(await page.locator('.operation').count()).toBe(routes.length)
    const nonce = page.locator('#get-api-auth-nonce')
    await nonce.getByText('Try it').click()
    await nonce.getByLabel('address').fill(walletOf('1').address)
    await nonce.getByRole('button', { name: 'Send' }).click()
    await nonce.getByText('200 OK').waitFor()
    expect(await nonce.getByRole('status').textContent()).toContain('wants you to sign in')
    const honeypot = page.locator('#post-api-honeypot-honeypot-checks')
    await honeypot.getByText('Try it').click()
    const body = honeypot.getByRole('textbox', { name: 'Body' })
    expect(JSON.parse(await body.inputValue())).toMatchObject({ chainId: 1 })
    await body.fill('{}')
    await honeypot.getByRole('button', { name: 'Send' }).click()
    await honeypot.getByText('400 Bad Request').waitFor()
    expect(await honeypot.getByRole('status').textContent()).toContain('targetContractAddress is required')
    expect(complaints).toEqual([])
  })

  describe.each(LOOKS)('look $name', (look) => {
    test('axe finds nothing, and nothing is wider than the screen', async () => {
      const { page, complaints } = await openWithKey('/', look)
      await inspect(page)
      await capture(page, `home${look.name}`)
      await analyse(page, 'kill-switch')
      await capture(page, `report${look.name}`)
      await openAll(page)
      await inspect(page)
      for (const link of ['Keys', 'Reference']) {
        await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: link }).click()
        await page.getByRole('heading', { level: 1 }).waitFor()
        if (link === 'Reference') await capture(page, `reference${look.name}`)
        await openAll(page, look === LOOKS[0] ? undefined : SAMPLE)
        await inspect(page)
      }
      await page.getByRole('button', { name: 'Forget key' }).click()
      expect(await page.getByRole('dialog').count()).toBe(0)
      await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click()
      await inspect(page)
      expect(complaints).toEqual([])
    }, 180_000)
  })

  test('the first paint needs less than 80 kB', async () => {
    const { page } = await stage.open('/', DESKTOP)
    const sizes = await page.evaluate<number[]>(`
      [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .filter(({ name }) => !name.endsWith('.svg') && !name.includes('/api/'))
        .map(({ encodedBodySize }) => encodedBodySize)
    `)
    const { files, total } = weighFirstPaint(resolve(import.meta.dirname, '../../dist/portal'))
    expect(sizes).toHaveLength(files.length)
    expect(sizes.every((size) => size > 0)).toBe(true)
    // The browser takes brotli, which is smaller still.
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(total)
    expect(total).toBeLessThan(FIRST_PAINT_BUDGET)
  })

  /** Scrolls to a part of the report. */
  async function showFromTop(page: Page, region: string): Promise<void> {
    const part = page.getByRole('region', { name: region })
    await part.evaluate((element) => Reflect.get(element, 'scrollIntoView').call(element, { block: 'start' }))
  }

  async function openAll(page: Page, most = Number.MAX_SAFE_INTEGER): Promise<void> {
    await page.evaluate(
      `[...document.querySelectorAll("details")].slice(0, ${most}).forEach((each) => each.open = true)`,
    )
  }
})

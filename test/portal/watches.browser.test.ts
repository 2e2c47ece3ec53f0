import type { Page } from 'playwright-core'
import { encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SmtpStandIn, startSmtpStandIn } from '../contacts/smtp-stand-in.js'
import { hasChromium } from './browser.js'
import { capture, LOOKS } from './capture.js'
import { inspect } from './inspect.js'
import { type Stage, setStage } from './portal-stage.js'

const abi = parseAbi(['function owner() view returns (address)', 'function setClosed(bool next)'])
const [DESKTOP, , PHONE] = LOOKS

describe.skipIf(!hasChromium())('the page of watches in Chromium', () => {
  let stage: Stage
  let smtp: SmtpStandIn
  beforeAll(async () => {
    smtp = await startSmtpStandIn()
    const mail = { ASSAY_SMTP_URL: smtp.url, ASSAY_MAIL_FROM: 'alerts@assay.example' }
    stage = await setStage(['owner-can-close', 'clean'], undefined, mail)
  })
  afterAll(async () => {
    await stage?.stop()
    await smtp?.close()
  })

  async function openPage(key: string, path = '/watches', options = {}) {
    const { page, complaints } = await stage.open(path, options)
    await page.getByLabel('The key, for this visit only').fill(key)
    await page.getByRole('button', { name: 'Use', exact: true }).click()
    return { page, complaints }
  }
  const list = (page: Page, name: string) => page.getByRole('list', { name, exact: true })
  async function watch(page: Page, token: string) {
    await page.getByLabel('Token').fill(token)
    await page.getByRole('button', { name: 'Watch', exact: true }).click()
  }
  /** Presses the button behind a link of a mail, in a browser of its own. */
  async function followLink(text: string | undefined, kind: string, button: string) {
    const { pathname } = new URL(new RegExp(`http\\S+/contacts/${kind}/\\S+`).exec(text ?? '')?.[0] ?? '')
    const { page, complaints } = await stage.open(pathname, PHONE)
    await inspect(page)
    await page.getByRole('button', { name: button }).click()
    await page.getByRole('button').waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
    return page
  }
  async function confirmMailbox(page: Page) {
    await page.getByLabel('E-mail address').fill('reader@mail.example')
    await page.getByRole('button', { name: 'Ask to confirm' }).click()
    await list(page, 'Who is told').getByText('not confirmed yet').waitFor()
    const answer = await followLink(smtp.mails[0]?.text, 'confirm', 'Confirm')
    await answer.getByRole('heading', { name: 'Confirmed' }).waitFor()
    await list(page, 'Who is told').getByText('confirmed', { exact: true }).waitFor()
  }
  /** The owner shuts the token. */
  async function shut(token: string) {
    const { node } = stage.devnet
    const data = encodeFunctionData({ abi, functionName: 'owner' })
    const owner = await node.call<string>('eth_call', { to: token, data }, 'latest')
    const close = encodeFunctionData({ abi, functionName: 'setClosed', args: [true] })
    await node.call('eth_sendTransaction', { from: `0x${owner.slice(-40)}`, to: token, data: close })
  }

  test('a token that is shut while one looks is told of, with its new verdict', async () => {
    const token = stage.addressOf('owner-can-close')
    const { page, complaints } = await openPage(stage.apiKey, '/watches', DESKTOP)
    await page.getByText('No token is watched with this key.').waitFor()
    await confirmMailbox(page)
    await watch(page, token)
    await list(page, 'Watched').getByText('High Risk').waitFor()
    await shut(token)
    await list(page, 'What happened').getByText('Critical Risk').first().waitFor()
    await list(page, 'Watched').getByText('Critical Risk').waitFor()
    expect(await list(page, 'What happened').textContent()).toMatch(/transaction|0x[0-9a-f]{64}/)
    // The reader hears of it as well, and ends that by the link of the mail.
    await list(page, 'Who is told')
      .getByText(/[1-9] told/)
      .waitFor()
    for (const { name, colorScheme, viewport } of LOOKS) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(viewport)
      await inspect(page)
      await capture(page, `watches${name}`)
    }
    expect(complaints).toEqual([])
    const [, told] = smtp.mails
    expect(told?.text).toContain('Report: ')
    await followLink(told?.text, 'stop', 'No more of these')
    await list(page, 'Who is told').getByText('r…@mail.example').waitFor({ state: 'detached' })
  })

  test('a report leads to a watch on its token, which can be ended', async () => {
    const token = stage.addressOf('clean')
    const { page } = await openPage(stage.apiKey, `/watches?chain=1&address=${token}`)
    await page.getByRole('button', { name: 'Watch', exact: true }).click()
    const end = list(page, 'Watched').getByRole('button', { name: new RegExp(token.slice(-4), 'i') })
    await end.waitFor()
    await end.click()
    await end.waitFor({ state: 'detached' })
  })

  test('what is no address, and a key that is none, are said', async () => {
    const { page } = await openPage(stage.apiKey)
    await watch(page, 'not a token')
    await page.getByText('An address is 0x and 40 hex digits, or base58 on Solana.').waitFor()
    const stranger = await openPage(`assay_${'0'.repeat(49)}`)
    await stranger.page.getByText('Invalid API key.').waitFor()
  })
})

import { mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { chromium } from 'playwright-core'
import { COLOURS } from '../src/http/routes/saved-reports/appearance.js'
import { PICTURES } from '../src/http/routes/saved-reports/write-preview.js'
import { ADVICE } from '../src/reports/advice.js'

/** Draws the picture of each advice that chats show beside a link to a report. Needs Chromium. */

const PUBLIC = resolve(import.meta.dirname, '../portal/public')
const MARK =
  '<svg width="86" height="86" viewBox="0 0 32 32"><path fill="currentColor" d="M9.4 1h13.2L31 9.4v13.2L22.6 31H9.4L1 22.6V9.4z"/><path fill="none" stroke="var(--fill)" stroke-width="2.6" stroke-linecap="square" d="M9 24 16 7.5 23 24M11.8 18.2h8.4"/></svg>'

const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args })
const page = await browser.newPage({ viewport: { width: 1_200, height: 630 } })
for (const advice of ADVICE) {
  const { fill, ink } = COLOURS[advice]
  await page.setContent(`<style>
    body { --fill: ${fill}; margin: 0; height: 630px; box-sizing: border-box; padding: 90px 100px; display: grid;
      align-content: space-between; background: ${fill}; color: ${ink}; font-family: "Liberation Serif", Georgia, serif }
    .brand { display: flex; align-items: center; gap: 28px; font-size: 58px }
    h1 { margin: 0; font-size: 148px; line-height: 1; letter-spacing: -0.02em; white-space: nowrap }
    p { margin: 0; font: 38px "Liberation Sans", Arial, sans-serif }
  </style><div class="brand">${MARK}<span>Assay</span></div><h1>${advice}</h1>
  <p>Tried on a private copy of the chain.</p>`)
  const path = `${PUBLIC}${PICTURES[advice]}`
  mkdirSync(dirname(path), { recursive: true })
  await page.screenshot({ path })
}
await browser.close()

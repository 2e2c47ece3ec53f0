import { resolve } from 'node:path'
import type { Page } from 'playwright-core'

const SCREENSHOTS = resolve(import.meta.dirname, '../../docs/screenshots')

/**
 * Takes a picture for docs/screenshots where new ones are asked for: they differ from run to run in
 * addresses and times.
 */
export async function capture(page: Page, name: string): Promise<void> {
  if (process.env.SCREENSHOTS !== '1') return
  await page.screenshot({ path: resolve(SCREENSHOTS, `${name}.png`) })
}

/** How pages are looked at: each must be whole in all of them. */
export const LOOKS = [
  { name: '', colorScheme: 'light', viewport: { width: 1200, height: 860 } },
  { name: '-dark', colorScheme: 'dark', viewport: { width: 1200, height: 860 } },
  { name: '-on-a-phone', colorScheme: 'light', viewport: { width: 360, height: 740 } },
  { name: '-dark-on-a-phone', colorScheme: 'dark', viewport: { width: 360, height: 740 } },
] as const

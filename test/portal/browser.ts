import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const CHROMIUM = '/usr/bin/chromium'

/** Whether these tests can run here. Throws where they must. */
export function hasChromium(): boolean {
  const isThere = existsSync(CHROMIUM)
  if (!isThere && process.env.CI === 'true') throw new Error(`no Chromium at ${CHROMIUM}`)
  if (!isThere) process.stderr.write(`no Chromium at ${CHROMIUM}: the tests of the portal are skipped\n`)
  return isThere
}

export function launchChromium(more: readonly string[] = []): Promise<Browser> {
  // The sandbox needs a user of its own, which the root of a container has not.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath: CHROMIUM, args: [...args, ...more] })
}

import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Expects a page that axe has nothing against, and that is no wider than its screen. */
export async function inspect(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 160))])).toEqual([])
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  expect(overflow).toBe(0)
  // On a phone a table is read downwards; what is moved sideways there is not seen.
  const cut = await page.evaluate(`
    [...document.querySelectorAll('.report .scroll')]
      .filter((each) => innerWidth < 640 && each.scrollWidth > each.clientWidth)
      .map((each) => each.ariaLabel ?? each.textContent.slice(0, 80))
  `)
  expect(cut).toEqual([])
}

import { expect, test } from 'vitest'
import { eventsOfVerdict } from './tell-changes.js'
import type { Judgement } from './watch.js'

const judged: Judgement = {
  ...{ level: 'Low Risk', score: 10, advice: 'No trap found', headline: 'It is what it is.', token: null },
  ...{ buyTaxBps: 0, sellTaxBps: 0, isHoneypot: false, isWhole: true, block: { number: 7n, hash: undefined } },
}
const taxesSaid = (after: Partial<Judgement>) =>
  eventsOfVerdict(judged, { ...judged, ...after }, 1).flatMap(({ kind, text }) => (kind === 'tax' ? [text] : []))

test('what trades cost by now is said in percent, and a sale that fails is no tax', () => {
  expect(taxesSaid({ sellTaxBps: 9_000 })).toEqual(['Buying costs 0 % now, and selling 90 %.'])
  expect(taxesSaid({ sellTaxBps: 10_000, isHoneypot: true })).toEqual(['Buying costs 0 % now, and it cannot be sold.'])
  expect(taxesSaid({ buyTaxBps: undefined })).toEqual(['Buying costs an unknown part now, and selling 0 %.'])
})

test('what is rounding and price is not told', () => {
  expect(taxesSaid({ buyTaxBps: 50, sellTaxBps: 99 })).toEqual([])
  expect(taxesSaid({})).toEqual([])
})

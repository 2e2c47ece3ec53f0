import { expect, test } from 'vitest'
import type { StoredListing } from '../feed/new-listing.js'
import { renderChange } from './render-change.js'
import { createPaint } from './render-verdict.js'

const listing = (judged: Partial<StoredListing['judgement']> | undefined): StoredListing => ({
  ...{ id: 'listing_1', place: 1, chainId: 1, token: `0x${'7'.repeat(40)}`, quote: `0x${'8'.repeat(40)}` },
  ...{ exchange: 'Uniswap V2', pool: `0x${'9'.repeat(40)}`, block: { number: 7n, hash: '0x01' }, blockTime: 0 },
  ...{ transaction: '0x02', familiarity: 0, liquidity: undefined, judgedAt: judged && 0, foundAt: 0 },
  ...{ state: judged ? 'judged' : 'waiting' },
  judgement: judged && {
    ...{ level: 'Medium Risk', score: 40, advice: 'Not known', headline: 'It could not be traded.', token: null },
    ...{ buyTaxBps: undefined, sellTaxBps: undefined, isHoneypot: false, isWhole: false },
    ...{ block: { number: 8n, hash: '0x03' }, ...judged },
  },
})
const render = (judged: Parameters<typeof listing>[0]) => renderChange({ listing: listing(judged) }, createPaint(false))
const address = `0x${'7'.repeat(40)}`

test('a judged token is told in the words of a buyer, with its level and number', () => {
  expect(render({ level: 'Critical Risk', score: 100, advice: 'Do not buy', headline: 'It cannot be sold.' })).toBe(
    `${address}  Do not buy (Critical Risk, 100 of 100, 0 is best): It cannot be sold. (on Uniswap V2, block 7)\n`,
  )
})

test('a score of what is not known is not told', () => {
  expect(render({})).toBe(
    `${address}  Not known (counts as Medium Risk until it is known): It could not be traded. (on Uniswap V2, block 7)\n`,
  )
})

test('a token that waits has no word yet', () => {
  expect(render(undefined)).toBe(`${address}  waiting, on Uniswap V2, block 7\n`)
})

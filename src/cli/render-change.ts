import type { FeedChange } from '../feed/feed-store.js'
import { toListingBody, toOmissionBody } from '../feed/to-listing-body.js'
import { type Paint, wordOf } from './render-verdict.js'

/** A listing that waits is told as well: a verdict that takes long is seen to be on its way. */
export function renderChange(change: FeedChange, paint: Paint): string {
  if ('omission' in change) {
    const { listings, fromBlock, toBlock } = toOmissionBody(change.omission)
    const what = listings === null ? 'were not looked at' : `had ${listings} more, which were left out`
    return `blocks ${fromBlock} to ${toBlock} ${what}\n`
  }
  const { address, exchange, state, verdict, block } = toListingBody(change.listing)
  const symbol = verdict?.token?.symbol ?? ''
  const name = symbol === '' ? address : `${address}  ${symbol}`
  const where = `on ${exchange}, block ${block.number}`
  if (state !== 'judged' || verdict === null) return `${name}  ${paint('dim', `${state}, ${where}`)}\n`
  return `${name}  ${wordOf(verdict, paint)}: ${verdict.headline} (${where})\n`
}

import { checksumAddress } from '../checksum-address.js'
import type { Judgement } from './watch.js'
import type { StoredAlert } from './watch-store.js'

/** An alert as clients read it: in answers, events and webhooks alike. */
export const toAlertBody = (alert: StoredAlert) => ({
  id: alert.id,
  watch: alert.watchId,
  chainId: alert.chainId,
  address: checksumAddress(alert.address),
  at: new Date(alert.at).toISOString(),
  kind: alert.kind,
  text: alert.text,
  block:
    alert.origin === undefined ? null : { number: Number(alert.origin.block.number), hash: alert.origin.block.hash },
  transaction: alert.origin?.transaction ?? null,
  before: alert.before === undefined ? null : toJudgementBody(alert.before),
  after: alert.after === undefined ? null : toJudgementBody(alert.after),
})

/** Taxes in percent, as all reports have them. */
export const toJudgementBody = ({ level, score, headline, buyTaxBps, sellTaxBps, isHoneypot, block }: Judgement) => ({
  ...{ level, score, headline, isHoneypot },
  buyTax: buyTaxBps === undefined ? null : buyTaxBps / 100,
  sellTax: sellTaxBps === undefined ? null : sellTaxBps / 100,
  block: { number: Number(block.number), hash: block.hash },
})

import { toWireChainId } from '../chains/chain-id.js'
import { showAddress } from '../solana/token-address.js'
import type { Following } from './following.js'
import type { Judgement } from './watch.js'
import type { StoredAlert } from './watch-store.js'

/** An alert as clients read it: in answers, events and webhooks alike. */
export const toAlertBody = (alert: StoredAlert) => ({
  id: alert.id,
  watch: alert.watchId,
  chainId: toWireChainId(alert.chainId),
  address: showAddress(alert.address),
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
export const toJudgementBody = ({ buyTaxBps, sellTaxBps, block, ...judgement }: Judgement) => ({
  ...{ level: judgement.level, score: judgement.score, advice: judgement.advice },
  ...{ headline: judgement.headline, token: judgement.token },
  isHoneypot: judgement.isHoneypot,
  buyTax: buyTaxBps === undefined ? null : buyTaxBps / 100,
  sellTax: sellTaxBps === undefined ? null : sellTaxBps / 100,
  block: { number: Number(block.number), hash: block.hash ?? null },
})

export const toFollowedBody = ({ block, reachedAt, isCurrent }: Following) => ({
  ...{ block: Number(block.number), reachedAt: new Date(reachedAt).toISOString(), isCurrent },
})

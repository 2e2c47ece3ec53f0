import { createHash } from 'node:crypto'
import type { Insertable, Selectable } from 'kysely'
import type { WebhookState } from '../batches/batch.js'
import type { TokenAddress } from '../solana/token-address.js'
import type { Tables } from '../stores/tables.js'
import { readDependencies, readJudgement, readOrigin, writeJudgement, writeOrigin } from './stored-forms.js'
import { ALERT_KINDS, type Alert, type Watch } from './watch.js'
import { type StoredAlert, type WatchedToken, WatchStoreError } from './watch-store.js'

/** Rows of the database as the rest knows them, and back. */

export function toWatch(row: Selectable<Tables['watches']>): Watch {
  const { webhook_url: url, webhook_secret: secret } = row
  const told = row.tells.split(' ')
  return {
    id: row.id,
    keyId: row.key_id,
    chainId: row.chain_id,
    address: row.address as TokenAddress,
    tells: ALERT_KINDS.filter((kind) => told.includes(kind)),
    webhook: url === null || secret === null ? undefined : { url, secret },
    contacts: row.contacts.split(' ').filter((id) => id !== ''),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}

export function toToken(row: Selectable<Tables['watched_tokens']>): WatchedToken {
  return {
    chainId: row.chain_id,
    address: row.address as TokenAddress,
    version: row.version,
    judgement: row.judgement === null ? undefined : readJudgement(JSON.parse(row.judgement)),
    dependencies: row.dependencies === null ? undefined : readDependencies(JSON.parse(row.dependencies)),
    judgedAt: row.judged_at ?? undefined,
    changedBlock: BigInt(row.changed_block),
    failures: row.failures,
  }
}

export function toAlert(row: Selectable<Tables['alerts']>): StoredAlert {
  const { text, origin, before, after, contacts } = JSON.parse(row.body) as Record<string, unknown>
  return {
    id: row.id,
    place: row.place,
    watchId: row.watch_id,
    keyId: row.key_id,
    chainId: row.chain_id,
    address: row.address as TokenAddress,
    at: row.at,
    kind: ALERT_KINDS.find((kind) => kind === row.kind) ?? 'level',
    text: String(text),
    origin: origin === undefined ? undefined : readOrigin(origin),
    before: before === undefined ? undefined : readJudgement(before),
    after: after === undefined ? undefined : readJudgement(after),
    webhookState: row.webhook_state as WebhookState,
    // Alerts of earlier versions name none.
    contacts: Array.isArray(contacts) ? contacts.map(String) : [],
    attempts: row.webhook_attempts,
  }
}

/** The alert at a place among all. */
export const alertRow = (alert: Alert, place: number): Insertable<Tables['alerts']> => ({
  ...{ id: alert.id, place, watch_id: alert.watchId, key_id: alert.keyId },
  ...{ chain_id: alert.chainId, address: alert.address, at: alert.at, kind: alert.kind },
  body: JSON.stringify({
    text: alert.text,
    origin: alert.origin && writeOrigin(alert.origin),
    before: alert.before && writeJudgement(alert.before),
    after: alert.after && writeJudgement(alert.after),
    contacts: alert.contacts,
  }),
  ...{ webhook_state: alert.webhookState, webhook_attempts: 0, webhook_failure: null },
})

/** What its contacts are to be told: one row for each, the same for the same alert. */
export const noticeRows = (alert: Alert, place: number): Insertable<Tables['notices']>[] =>
  alert.contacts.map((contact) => ({
    id: `notice_${createHash('sha256').update(`${alert.id} ${contact}`).digest('hex').slice(0, 32)}`,
    ...{ alert_id: alert.id, contact_id: contact, key_id: alert.keyId, place, created_at: alert.at },
    ...{ state: 'waiting', attempts: 0, failure: null, ended_at: null },
  }))

/** Values of one list in a statement: both databases take this many. */
const MAX_LISTED = 500

export function inParts<T>(items: readonly T[]): T[][] {
  const parts: T[][] = []
  for (let at = 0; at < items.length; at += MAX_LISTED) parts.push(items.slice(at, at + MAX_LISTED))
  return parts
}

/** Fails as the store says that it does. */
export async function guard<T>(operation: string, job: () => Promise<T>): Promise<T> {
  try {
    return await job()
  } catch (error) {
    throw new WatchStoreError(operation, error)
  }
}

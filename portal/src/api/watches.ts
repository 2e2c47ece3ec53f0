import type { Static } from 'typebox'
import type { AlertList, WatchAnswer } from '../../../src/http/routes/watches/schema.js'
import { ask } from './api-client.js'

export type Watch = Static<typeof WatchAnswer>['watch']
export type Alert = Static<typeof AlertList>['alerts'][number]
export type Judgement = NonNullable<Watch['verdict']>

/** The watches of one key. */
export const watchesOf = (apiKey: string) => ({
  list: () => ask<{ watches: Watch[] }>('GET', '/api/watches', undefined, apiKey),
  order: (targetContractAddress: string, chainId: Watch['chainId'], contacts: readonly string[]) =>
    ask<{ watch: Watch }>('POST', '/api/watches', { targetContractAddress, chainId, contacts }, apiKey),
  end: (id: string) => ask('DELETE', `/api/watches/${encodeURIComponent(id)}`, undefined, apiKey),
  /** Those after a place, the oldest first, and the place to ask from the next time. */
  alerts: (after: number) =>
    ask<{ alerts: Alert[]; next: number }>('GET', `/api/watches/alerts?after=${after}`, undefined, apiKey),
})

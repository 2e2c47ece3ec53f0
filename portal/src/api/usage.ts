import type { Static } from 'typebox'
import type { UsageBody } from '../../../src/http/routes/usage/schema.js'
import { ask } from './api-client.js'

export type Usage = Static<typeof UsageBody>
export type DayUsage = Usage['keys'][number]['days'][number]

/** What the keys of the wallet that is signed in did. */
export const readUsage = () => ask<Usage>('GET', '/api/usage')

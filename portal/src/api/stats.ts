import type { Static } from 'typebox'
import type { StatsBody } from '../../../src/http/routes/stats/schema.js'
import { ask } from './api-client.js'

export type Stats = Static<typeof StatsBody>

/** What became of the verdicts of this service. */
export const readStats = () => ask<Stats>('GET', '/api/stats')

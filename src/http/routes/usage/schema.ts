import { Type } from 'typebox'
import { USAGE_DAYS } from '../../../keys/usage-store.js'

const DayUsageBody = Type.Object({
  day: Type.String({ description: 'In UTC.', examples: ['2026-11-23'] }),
  analyses: Type.Integer({ minimum: 0 }),
  others: Type.Integer({ minimum: 0, description: 'All other requests.' }),
})

export const KeyUsageBody = Type.Object({
  id: Type.String({ description: 'Public name of the key.' }),
  label: Type.String(),
  days: Type.Array(DayUsageBody, { maxItems: USAGE_DAYS, description: 'Oldest first, without days that had none.' }),
})

export const UsageBody = Type.Object({
  success: Type.Literal(true),
  days: Type.Integer({ description: 'How many days are told, today with them.' }),
  keys: Type.Array(KeyUsageBody, { description: 'The key that asks, or those of the wallet.' }),
})

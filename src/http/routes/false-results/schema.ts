import { Type } from 'typebox'
import { Overall } from '../../../reports/fields/overall.js'
import { AnalysisRequestBody } from '../../../reports/simulation/schema.js'
import { SolanaRequestBody } from '../../../reports/solana/schema.js'
import { EXPECTATIONS, MAX_MESSAGE } from '../../../saved-reports/false-result.js'

const complaintFields = {
  message: Type.String({ minLength: 1, maxLength: MAX_MESSAGE, description: 'What is wrong, in your own words.' }),
  expected: Type.Optional(
    Type.Enum(EXPECTATIONS, { description: 'What it is by your word; `other` where nothing is said.' }),
  ),
  seen: Type.Optional(
    Type.Object(
      {
        level: Type.Optional(Type.String()),
        score: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
        digest: Type.Optional(Type.String({ pattern: '^0x[0-9a-f]{64}$', description: '`inputs.digest` of it.' })),
      },
      { description: 'What the result said that you hold to be wrong.' },
    ),
  ),
}

export const FalseResultBody = Type.Union([
  ...[AnalysisRequestBody, SolanaRequestBody].map((Body) => Type.Object({ ...Body.properties, ...complaintFields })),
  Type.Object({
    report: Type.String({ pattern: '^r_[0-9A-Za-z]{17}$', description: 'A saved report that you may read.' }),
    ...complaintFields,
  }),
])

export const FalseResultAnswer = Type.Object({
  success: Type.Literal(true),
  id: Type.String({ pattern: '^f_[0-9A-Za-z]{17}$', description: 'What the operator finds it by.' }),
  createdAt: Type.String({ description: 'ISO 8601.' }),
  expiresAt: Type.String({ description: 'When it goes by itself, ISO 8601.' }),
  overall: Overall,
  block: Type.Object({ number: Type.Integer({ minimum: 0 }), timestamp: Type.String({ description: 'ISO 8601.' }) }),
  isAsSeen: Type.Union([Type.Boolean(), Type.Null()], {
    description: 'Whether the answers that were kept say what you saw; null where you did not say.',
  }),
})

import { Type } from 'typebox'
import { TRUST_STATUSES } from '../../../checks/levels.js'
import { ADVICE } from '../../../reports/advice.js'
import { Overall } from '../../../reports/fields/overall.js'
import { AnalysisRequestBody } from '../../../reports/simulation/schema.js'
import { SolanaRequestBody } from '../../../reports/solana/schema.js'
import { VISIBILITIES } from '../../../saved-reports/saved-report.js'

const Visible = Type.Enum(VISIBILITIES, {
  description: '`link`: everyone who has the link reads it. `private`: the one who made it.',
})
const time = (description: string) => Type.String({ description: `${description}, ISO 8601.` })
const Place = Type.Object({
  number: Type.Integer({ minimum: 0 }),
  timestamp: Type.String({ description: 'ISO 8601.' }),
})

const savedReportFields = {
  id: Type.String({ pattern: '^r_[0-9A-Za-z]{17}$', description: 'Cannot be guessed.' }),
  url: Type.String({ description: 'Opens without a key, unless it is private.' }),
  visibility: Visible,
  createdAt: time('When it was made'),
  expiresAt: time('When it goes by itself'),
  chain: Type.String({ description: 'A chain id in digits, or `SOL`.' }),
  address: Type.String({ description: 'What was analysed.' }),
  name: Type.String({ description: 'What the token calls itself, made safe to show; untrusted.' }),
  symbol: Type.String({ description: 'The same in short.' }),
  overall: Overall,
  block: Place,
}

export const SavedReportBody = Type.Object(savedReportFields)

export const SaveReportBody = Type.Union(
  [AnalysisRequestBody, SolanaRequestBody].map((Body) =>
    Type.Object({ ...Body.properties, visibility: Type.Optional(Visible) }),
  ),
)

export const SaveReportAnswer = Type.Object({
  success: Type.Literal(true),
  ...savedReportFields,
  forgotten: Type.Array(Type.String(), { description: 'Older reports of yours that this one took the place of.' }),
})

export const SavedReportList = Type.Object({
  success: Type.Literal(true),
  reports: Type.Array(SavedReportBody, { description: 'Newest first.' }),
})

export const SavedReportAnswer = Type.Object({
  success: Type.Literal(true),
  report: SavedReportBody,
  answers: Type.Object(
    {},
    { additionalProperties: true, description: 'By name, as the endpoints gave and signed them; or a failure.' },
  ),
})

export const VisibilityBody = Type.Object({ visibility: Visible })
export const VisibilityAnswer = Type.Object({ success: Type.Literal(true), id: Type.String(), visibility: Visible })
export const DeletedReport = Type.Object({ success: Type.Literal(true), id: Type.String() })
export const ReportParams = Type.Object({ id: Type.String({ description: 'Of a saved report.' }) })

const changeOf = <T extends Parameters<typeof Type.Union>[0][number]>(Value: T) =>
  Type.Union([Type.Object({ before: Value, after: Value }), Type.Null()])
const percentOrNull = Type.Union([Type.Number(), Type.Null()])
const ListChange = Type.Union([
  Type.Object({
    added: Type.Array(Type.String(), { maxItems: 20 }),
    removed: Type.Array(Type.String(), { maxItems: 20 }),
    omitted: Type.Integer({ minimum: 0, description: 'How many more there are than are listed.' }),
  }),
  Type.Null(),
])

export const WhatChangedAnswer = Type.Object({
  success: Type.Literal(true),
  changes: Type.Object(
    {
      isSame: Type.Boolean({ description: 'Nothing below is another thing now.' }),
      block: Type.Object({ before: Place, after: Place }),
      level: changeOf(Type.Enum(TRUST_STATUSES)),
      advice: changeOf(Type.Enum(ADVICE)),
      score: changeOf(Type.Number()),
      headline: changeOf(Type.String()),
      taxes: Type.Array(Type.Object({ name: Type.String(), before: percentOrNull, after: percentOrNull }), {
        description: 'Those that differ, in percent; null where one was not measured.',
      }),
      findings: ListChange,
      conditions: ListChange,
    },
    { description: 'What is another thing now; null where it is the same.' },
  ),
  answers: Type.Object({}, { additionalProperties: true, description: 'The new answers, which are not kept.' }),
})

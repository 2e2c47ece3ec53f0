import { Type } from 'typebox'
import { MAX_ORIGINS } from '../../../keys/key-origins.js'

const time = (description: string) => Type.String({ description: `${description}, ISO 8601.` })

export const KeyBody = Type.Object({
  id: Type.String({ description: 'Public name of the key.' }),
  label: Type.String({ description: 'What the key is for.' }),
  masked: Type.String({ description: 'First and last characters, to recognise it.' }),
  tier: Type.Union([Type.Literal('free'), Type.Literal('partner')]),
  limits: Type.Object(
    { analysis: Type.Integer(), general: Type.Integer() },
    { description: 'Requests per minute in each class.' },
  ),
  origins: Type.Array(Type.String(), {
    description: 'Pages that may use it, and nothing else then; every program where there are none.',
  }),
  createdAt: time('When it was made'),
  lastUsedAt: Type.Union([time('When it was used last'), Type.Null()], {
    description: 'Null when it never was; accurate to about ten seconds.',
  }),
})

export const KeyList = Type.Object({
  success: Type.Literal(true),
  keys: Type.Array(KeyBody, { description: 'Those that work, newest first.' }),
  maxKeys: Type.Integer({ description: 'How many a wallet may have.' }),
})

export const NewKeyBody = Type.Object({
  label: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'What the key is for: one line of visible characters.',
    examples: ['my bot'],
  }),
  origins: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: MAX_ORIGINS,
      description: 'Pages that are to use it from browsers; it then answers to these alone.',
      examples: [['https://app.example']],
    }),
  ),
})

export const IssuedKey = Type.Intersect([
  Type.Object({
    success: Type.Literal(true),
    key: Type.String({ description: 'The key itself. It is shown this once and stored nowhere.' }),
  }),
  KeyBody,
])

export const RevokedKey = Type.Object({ success: Type.Literal(true), id: Type.String() })

export const KeyParams = Type.Object({ id: Type.String({ description: 'Public name of the key.' }) })

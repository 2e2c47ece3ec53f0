import { Type } from 'typebox'
import { BATCH_CHECKS, DELIVERY_STATES, MAX_TARGETS } from '../../../batches/batch.js'
import { AnalysisRequestBody } from '../../../reports/simulation/schema.js'
import { SolanaRequestBody } from '../../../reports/solana/schema.js'

const time = (description: string) => Type.String({ description: `${description}, ISO 8601.` })
const nullable = <T extends ReturnType<typeof Type.String>>(schema: T) => Type.Union([schema, Type.Null()])

const BatchTarget = Type.Intersect([
  Type.Union([AnalysisRequestBody, SolanaRequestBody]),
  Type.Object({
    check: Type.Optional(
      Type.Union(
        BATCH_CHECKS.map((check) => Type.Literal(check)),
        { default: 'all' },
      ),
    ),
  }),
])

export const BatchRequestBody = Type.Object({
  targets: Type.Array(BatchTarget, { minItems: 1, maxItems: MAX_TARGETS }),
  webhook: Type.Optional(
    Type.Object({
      url: Type.String({ description: 'Told when the batch is finished. http(s), a public host, no redirects.' }),
      secret: Type.String({ minLength: 16, maxLength: 256, description: 'Key of the HMAC-SHA256 signature.' }),
    }),
  ),
})

const status = Type.Union([Type.Literal('waiting'), Type.Literal('finished')])

export const BatchAccepted = Type.Object({
  success: Type.Literal(true),
  id: Type.String(),
  status,
  statusUrl: Type.String({ description: 'Path of the results.' }),
  total: Type.Integer({ minimum: 1, maximum: MAX_TARGETS }),
})

const BatchItemBody = Type.Object({
  position: Type.Integer({ minimum: 0, description: 'Place in the request, from 0.' }),
  request: Type.Object({}, { description: 'The target as it was sent.' }),
  check: Type.Union(BATCH_CHECKS.map((check) => Type.Literal(check))),
  state: Type.Union([Type.Literal('waiting'), Type.Literal('done'), Type.Literal('failed')], {
    description: '`failed`: none of the asked analyses could be made.',
  }),
  result: Type.Union(
    [
      Type.Object({
        simulation: Type.Optional(Type.Object({})),
        honeypot: Type.Optional(Type.Object({})),
        phishing: Type.Optional(Type.Object({})),
        solana: Type.Optional(Type.Object({}, { description: 'On Solana, what `check: all` gives: everything.' })),
      }),
      Type.Null(),
    ],
    { description: 'By name, the whole answer that the endpoint of the check would give, a failure included.' },
  ),
})

const WebhookStateBody = Type.Union(['none', 'waiting', 'delivered', 'failed'].map((state) => Type.Literal(state)))

export const WebhooksBody = Type.Object({
  success: Type.Literal(true),
  webhooks: Type.Array(
    Type.Object({
      id: Type.String({ description: 'Of the batch.' }),
      host: Type.Union([Type.String(), Type.Null()], { description: 'Of the address that is told, with its port.' }),
      webhook: WebhookStateBody,
      attempts: Type.Integer({ minimum: 0 }),
      failure: Type.Union([Type.String(), Type.Null()], { description: 'Why the last attempt failed.' }),
      finishedAt: nullable(time('When the last target was analysed')),
      statusUrl: Type.String({ description: 'Path of the results.' }),
    }),
    { description: 'Of finished batches, newest first, at most 100.' },
  ),
})

export const WebhookAccepted = Type.Object({
  success: Type.Literal(true),
  id: Type.String(),
  webhook: WebhookStateBody,
  statusUrl: Type.String({ description: 'Path of the batch, which says whether it was delivered.' }),
})

/** How far a batch is, without its items. */
const progress = {
  id: Type.String(),
  status,
  createdAt: time('When it was ordered'),
  finishedAt: nullable(time('When the last target was analysed')),
  total: Type.Integer(),
  waiting: Type.Integer(),
  done: Type.Integer(),
  failed: Type.Integer(),
  webhook: WebhookStateBody,
}

export const BatchProgressBody = Type.Object({
  ...progress,
  statusUrl: Type.String({ description: 'Path of the results.' }),
})

export const BatchListBody = Type.Object({
  success: Type.Literal(true),
  batches: Type.Array(BatchProgressBody, { description: 'Of the last three days, newest first, at most 50.' }),
})

export const BatchStatusBody = Type.Object({
  success: Type.Literal(true),
  ...progress,
  items: Type.Array(BatchItemBody),
  next: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Results from this position on did not fit; ask again with it as `from`.',
  }),
})

export const BatchParams = Type.Object({ id: Type.String({ description: 'What `POST /api/batch` gave.' }) })

export const WebhooksQuery = Type.Object({
  state: Type.Optional(
    Type.Union(
      DELIVERY_STATES.map((state) => Type.Literal(state)),
      { description: 'Without it, what was not told: `waiting` and `failed`.' },
    ),
  ),
})

export const BatchQuery = Type.Object({
  from: Type.Optional(Type.Integer({ minimum: 0, description: 'Position of the first result to give.' })),
})

import { Type } from 'typebox'
import { WORD_ROLES } from '../../../checks/dependencies/trade-dependencies.js'
import { TRUST_STATUSES } from '../../../checks/levels.js'
import { ADVICE } from '../../../reports/advice.js'
import { ChainId } from '../../../reports/fields/any-chain-id.js'
import { TokenBody } from '../../../reports/fields/token.js'
import { ALERT_KINDS } from '../../../watching/watch.js'

const time = (description: string) => Type.String({ description: `${description}, ISO 8601.` })
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], { ...(description !== undefined && { description }) })

const kind = Type.Union(ALERT_KINDS.map((each) => Type.Literal(each)))

const Block = Type.Object({ number: Type.Integer(), hash: orNull(Type.String(), 'Null of a verdict on Solana.') })

export const JudgementBody = Type.Object(
  {
    level: Type.Union(TRUST_STATUSES.map((each) => Type.Literal(each))),
    score: Type.Integer({ minimum: 0, maximum: 100 }),
    advice: Type.Union(
      ADVICE.map((each) => Type.Literal(each)),
      { description: 'The same in the words of a buyer.' },
    ),
    headline: Type.String(),
    token: TokenBody,
    isHoneypot: Type.Boolean(),
    buyTax: orNull(Type.Number(), 'Percent.'),
    sellTax: orNull(Type.Number(), 'Percent.'),
    block: Block,
  },
  { description: 'The verdict at a block.' },
)

export const WatchRequestBody = Type.Object({
  targetContractAddress: Type.String({ description: 'The token.' }),
  chainId: ChainId,
  tells: Type.Optional(Type.Array(kind, { minItems: 1, description: 'What to tell; everything where absent.' })),
  webhook: Type.Optional(
    Type.Object({
      url: Type.String({ description: 'Told of each alert. http(s), a public host, no redirects.' }),
      secret: Type.String({ minLength: 16, maxLength: 256, description: 'Key of the HMAC-SHA256 signature.' }),
    }),
  ),
  contacts: Type.Optional(Type.Array(Type.String(), { description: 'Ids of contacts that are told of each alert.' })),
})

export const FollowedBody = Type.Object({
  block: Type.Integer({ description: 'The last block of its chain that was gone through; on Solana the slot.' }),
  reachedAt: time('When the newest block was last reached'),
  isCurrent: Type.Boolean({
    description: 'False where that is over 30 seconds ago: changes are told once blocks are had again.',
  }),
})

export const WatchBody = Type.Object({
  id: Type.String(),
  targetContractAddress: Type.String(),
  chainId: ChainId,
  tells: Type.Array(kind),
  webhook: orNull(Type.String({ description: 'Host that is told.' })),
  contacts: Type.Array(Type.String(), { description: 'Ids of contacts that are told.' }),
  createdAt: time('When it was ordered'),
  expiresAt: time('When it ends, unless it is ordered again'),
  verdict: orNull(JudgementBody, 'The last verdict; null before the first.'),
  judgedAt: orNull(time('When that was')),
  dependencies: orNull(
    Type.Object({
      words: Type.Integer({ description: 'Words of storage that the verdict stands on; on Solana of accounts.' }),
      codes: Type.Integer({ description: 'Contracts whose code it stands on.' }),
      isComplete: Type.Boolean({ description: 'False where there are more than are followed.' }),
    }),
    'What is followed; null where nothing was traded, so that the token is only judged again each day.',
  ),
  followed: orNull(FollowedBody, 'How far the chain is followed; null before its newest block was reached once.'),
})

const Role = Type.Union(
  WORD_ROLES.map((each) => Type.Literal(each)),
  {
    description:
      '`decides`: an ordinary trade reads it and none changes it. `moves`: each changes it. `guards`: who may call what is privileged. `liquidity`: what the pool holds of the coin.',
  },
)

export const WatchDependencies = Type.Object({
  success: Type.Literal(true),
  words: Type.Array(
    Type.Object({
      address: Type.String({ description: 'The contract; on Solana the account.' }),
      slot: Type.String({ description: 'Hex. On Solana 0: its state, 1: who may change that, 2: how much it holds.' }),
      value: Type.String({ description: 'Hex, at the block of the verdict; on Solana a digest of what is no number.' }),
      role: Role,
    }),
    { description: 'Those that decide first, at most 300; empty where nothing was traded.' },
  ),
  codes: Type.Array(Type.Object({ address: Type.String(), hash: Type.String({ description: 'Keccak-256.' }) }), {
    description: 'Contracts whose code its trades run.',
  }),
  isComplete: Type.Boolean({ description: 'False where there is more, or nothing was traded.' }),
  dates: Type.Object({
    change: orNull(Type.String(), 'When it announces a change, ISO 8601.'),
    unlock: orNull(Type.String(), 'When a tenth or more of its pool comes out of a lock, ISO 8601.'),
  }),
})

export const WatchAnswer = Type.Object({ success: Type.Literal(true), watch: WatchBody })

export const WatchList = Type.Object({
  success: Type.Literal(true),
  watches: Type.Array(WatchBody, { description: 'Newest first, at most 200.' }),
})

export const WatchRemoved = Type.Object({ success: Type.Literal(true), id: Type.String() })

export const WatchParams = Type.Object({ id: Type.String({ description: 'What `POST /api/watches` gave.' }) })

export const AlertBody = Type.Object({
  id: Type.String({ description: 'The same for the same alert, however often it is sent.' }),
  watch: Type.String(),
  chainId: ChainId,
  address: Type.String(),
  at: time('When it was found'),
  kind,
  text: Type.String(),
  block: orNull(Block, 'The block that changed it.'),
  transaction: orNull(Type.String(), 'The transaction, where the node tells.'),
  before: orNull(JudgementBody),
  after: orNull(JudgementBody, 'The new verdict; null where it is still to come.'),
})

export const AlertQuery = Type.Object({
  after: Type.Optional(Type.Integer({ minimum: 0, description: '`next` of the answer before.' })),
  watch: Type.Optional(Type.String({ description: 'Of this watch alone.' })),
})

export const AlertList = Type.Object({
  success: Type.Literal(true),
  alerts: Type.Array(AlertBody, { description: 'Oldest first.' }),
  next: Type.Integer({ description: 'Ask again with it as `after`.' }),
})

export const AlertEvents = Type.String({
  description: `Server-sent events, each with one line of JSON as its data and its place as its id.
\`alert\`: one alert, as \`GET /api/watches/alerts\` lists it. With \`Last-Event-ID\`, those since that one come first.
A comment every 15 seconds says that the connection stands.`,
})

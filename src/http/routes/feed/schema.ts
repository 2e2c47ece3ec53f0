import { Type } from 'typebox'
import { LISTING_STATES } from '../../../feed/new-listing.js'
import { ChainId } from '../../../reports/fields/any-chain-id.js'
import { FollowedBody, JudgementBody } from '../watches/schema.js'

const time = (description: string) => Type.String({ description: `${description}, ISO 8601.` })
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })

export const ListingBody = Type.Object(
  {
    id: Type.String({ description: 'The same for the same token in the same pool.' }),
    state: Type.Union(
      LISTING_STATES.map((state) => Type.Literal(state)),
      { description: '`undone`: its block is the chain’s no more.' },
    ),
    chainId: ChainId,
    address: Type.String({ description: 'The token.' }),
    quote: Type.String({ description: 'What it is traded for; the zero address is the native coin.' }),
    exchange: Type.String(),
    pool: Type.String({ description: 'Its address; its id where one contract holds all pools.' }),
    block: Type.Object({ number: Type.Integer(), hash: Type.String() }),
    blockTime: time('When the pool was made'),
    transaction: Type.String(),
    isKnownCode: Type.Boolean({ description: 'A token of its family had been judged here before.' }),
    liquidity: orNull(
      Type.String(),
      'Native coin behind its pools at the verdict, in parts of 10^-18; null where none was found.',
    ),
    verdict: orNull(JudgementBody, 'Null before it is judged.'),
    judgedAt: orNull(Type.String(), 'When that was, ISO 8601.'),
  },
  { description: 'A token that came to a market.' },
)

export const OmissionBody = Type.Object(
  {
    chainId: ChainId,
    fromBlock: Type.Integer(),
    toBlock: Type.Integer(),
    listings: orNull(
      Type.Integer(),
      'How many; null where the blocks were not looked at. On Solana transactions that were not looked into.',
    ),
    at: time('When it was left out'),
  },
  { description: 'What the feed left out: there were too many at once, or blocks that could not be read.' },
)

/** Of both routes. */
const FILTERS = {
  chainId: Type.Optional(ChainId),
  level: Type.Optional(
    Type.String({ description: 'With one of these verdicts alone, separated by commas: `Safe,Low Risk`.' }),
  ),
  minLiquidity: Type.Optional(
    Type.String({ description: 'With so much native coin behind its pools, such as `1.5`.' }),
  ),
}

export const FeedQuery = Type.Object({
  ...FILTERS,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: '50 without.' })),
})
export const FeedEventsQuery = Type.Object(FILTERS)

export const FeedAnswer = Type.Object({
  success: Type.Literal(true),
  chains: Type.Array(ChainId, { description: 'Chains whose new markets are followed.' }),
  followed: Type.Array(Type.Object({ chainId: ChainId, ...FollowedBody.properties }), {
    description: 'How far these chains are followed; without those whose newest block was not reached yet.',
  }),
  listings: Type.Array(ListingBody, { description: 'The newest first.' }),
  omissions: Type.Array(OmissionBody, { description: 'The newest first, at most 20.' }),
  next: Type.Integer({ description: '`Last-Event-ID` of a stream that goes on from here.' }),
})

export const FeedEvents = Type.String({
  description: `Server-sent events, each with one line of JSON as its data and its place as its id.
\`listing\`: one listing, as \`GET /api/feed\` lists it: when it is found, when it is judged, and when it is undone.
\`omission\`: what was left out. With \`Last-Event-ID\`, what changed since that one comes first.
A comment every 15 seconds says that the connection stands.`,
})

import Type, { type Static } from 'typebox'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const percent = (description: string) => Type.Number({ minimum: 0, maximum: 100, description })
const optional = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })

/** Whether people who have the token already can sell it. */
export const HolderAnalysisBody = Type.Object(
  {
    holders: count('Distinct accounts among the transfers of the last 7 days that were read.'),
    tested: count('Sells that were tried, acting as holders.'),
    successful: count('Sells that went through.'),
    ruined: count('Sells that went through and took half or more.'),
    failed: count('Sells that were refused.'),
    siphoned: count('Accounts that bought, sent nothing, and have nothing.'),
    averageTax: optional(Type.Number(), 'Percent, of the sells that went through.'),
    highestTax: optional(Type.Number(), 'Percent.'),
    reasons: Type.Array(Type.Object({ reason: Type.String(), count: count('How many.') }), {
      description: 'Why sells were refused, the most frequent first.',
    }),
    distinction: optional(Type.String(), 'What all who were refused have in common, and none who sold.'),
    known: Type.Array(
      Type.Object({
        address: Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }),
        kind: Type.Enum(['account', 'contract', 'pool', 'token', 'burnt'], {
          description: 'A person, another contract, the judged pool, the token itself, the burn address.',
        }),
        balance: Type.String({ pattern: '^\\d+$', description: 'Base units, by the word of the token.' }),
        share: optional(percent('Percent of all there are.'), 'Null where the token does not say how many.'),
        sale: optional(
          Type.Union([Type.Literal('sold'), Type.Literal('ruined'), Type.Literal('refused')]),
          'What came of a sale as that account; null where none was tried.',
        ),
      }),
      {
        description:
          'Those that were looked at and have any, who has most first. Accounts that were quiet for 7 days are not among them.',
      },
    ),
    unfinished: optional(Type.String(), 'Why something may be missing.'),
  },
  { description: 'Sells by holders of the token, each on a copy of the chain of its own.' },
)
export type HolderAnalysisBody = Static<typeof HolderAnalysisBody>

/** Where the judged pool's liquidity is, and when it can leave. */
export const LiquidityBody = Type.Object(
  {
    venue: Type.String(),
    native: Type.String({ description: 'Wei of native coin that the quote side of the pool is worth.' }),
    burntShare: percent('Percent that cannot be taken out.'),
    lockedShare: percent('Percent in contracts out of which no account got it at once.'),
    unknownShare: percent('Percent whose holder, or what holds it, is not known.'),
    unlocks: Type.Array(
      Type.Object({ timestamp: Type.Integer({ description: 'Seconds since 1970.' }), share: percent('Percent.') }),
      { description: 'When locked liquidity was seen to come free.' },
    ),
    withdrawableShare: Type.Object(
      { now: percent('At once.'), in24h: percent('In 24 hours.'), in7d: percent('In 7 days.') },
      { description: 'Percent that was taken out by those who may, on a copy of the chain.' },
    ),
    holders: Type.Array(
      Type.Object({
        address: Type.String(),
        kind: Type.Union([
          Type.Literal('burnt'),
          Type.Literal('locker'),
          Type.Literal('contract'),
          Type.Literal('account'),
        ]),
        share: percent('Percent.'),
        service: optional(Type.String(), 'Name of a locking service that publishes this address.'),
        withdrawableAt: optional(
          Type.Integer(),
          'Seconds since 1970; null where it was got out at no time that was tried.',
        ),
      }),
    ),
    since: Type.Union(
      [
        Type.Object({
          block: Type.Integer({ minimum: 0 }),
          timestamp: optional(Type.String(), 'ISO 8601; null where the node does not have that block any more.'),
        }),
        Type.Null(),
      ],
      { description: 'When liquidity came into the pool first; null where the node does not search so far back.' },
    ),
    unfinished: optional(Type.String(), 'Why something may be missing.'),
  },
  { description: 'Every stake in the judged pool, taken out as its holder.' },
)
export type LiquidityBody = Static<typeof LiquidityBody>

import { type Static, Type } from 'typebox'

const address = (description: string) => Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', description })
const units = (description: string) => Type.String({ pattern: '^\\d+$', description })
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })
const percent = (description: string) => Type.Number({ minimum: 0, maximum: 100, description })
const price = Type.String({ pattern: '^\\d+(\\.\\d+)?$' })

const PoolBody = Type.Object({
  venue: Type.String({ description: 'The exchange.' }),
  address: address('The pool, or the contract that holds all pools of the exchange.'),
  poolId: orNull(Type.String({ pattern: '^0x[0-9a-f]{64}$' }), 'The id of the pool on Uniswap V4.'),
  quote: Type.Object(
    {
      symbol: Type.String(),
      address: orNull(address('Its contract.'), 'Null for the native coin itself.'),
      decimals: Type.Integer({ minimum: 0 }),
    },
    { description: 'What the token is exchanged for there.' },
  ),
  quoteReserve: units('Base units of the quote that stand behind the price.'),
  tokenReserve: units('Base units of the token that are worth as much.'),
  depth: units('Wei of native coin that the quote side is worth.'),
  share: percent('Percent of the depth of all pools together.'),
  price: orNull(price, 'What one whole token costs there, in the quote; null where the token says no decimals.'),
  priceInNative: orNull(price, 'The same in the native coin.'),
  isJudged: Type.Boolean({ description: 'Whether it is the pool that was traded in.' }),
})

/** Where a token is traded, and what it costs there, before anything was traded. */
export const MarketBody = Type.Object(
  {
    priceInNative: orNull(price, 'What one whole token costs in the judged pool, in the native coin.'),
    depth: units('Wei of native coin that the quote sides of all pools are worth together.'),
    pools: Type.Array(PoolBody, { description: 'Pools in which it can be traded for native coin, the deepest first.' }),
    omitted: Type.Integer({ minimum: 0, description: 'Pools that are not listed.' }),
  },
  { description: 'The market as it was at the block. Prices come from reserves, taxes are not in them.' },
)
export type MarketBody = Static<typeof MarketBody>

/** Who made the token, and when. */
export const OriginBody = Type.Object(
  {
    creator: orNull(address('An account.'), 'Who sent the transaction that made it; null where that is not known.'),
    through: orNull(
      address('A contract.'),
      'What made it for them, such as a factory; null where they did it themselves.',
    ),
    isProven: Type.Boolean({
      description: 'Whether its address follows from the creator; otherwise it is the word of the node.',
    }),
    block: orNull(Type.Integer({ minimum: 0 }), 'The block in which it was made.'),
    timestamp: orNull(Type.String(), 'ISO 8601.'),
    unknown: orNull(Type.String(), 'Why the creator is not known; null where it is.'),
  },
  { description: 'Where the token comes from, as far as the node tells.' },
)
export type OriginBody = Static<typeof OriginBody>

/** What one sale of a large holding comes to. */
export const SaleSizeBody = Type.Object({
  amount: units('Base units that were sold.'),
  poolShare: Type.Number({ minimum: 0, description: 'Percent of the tokens that stand behind the price.' }),
  success: Type.Boolean(),
  tax: orNull(percent('Percent.'), 'What was kept back; null where it could not be measured, or the sale failed.'),
  received: units('Wei of native coin that came out.'),
})
export type SaleSizeBody = Static<typeof SaleSizeBody>

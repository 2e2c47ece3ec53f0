import { type Static, Type } from 'typebox'

/** One condition between a holder and his money: of a sale, or of the code alone. */
export const Condition = Type.Object({
  contract: Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', description: 'Whose code decides.' }),
  selector: Type.String({
    description: 'The function of it that was called; of the code alone, the standard function that asks.',
  }),
  pc: Type.Integer({ description: 'Where in it the decision stands.' }),
  text: Type.String({ description: 'How it answers now, in words.' }),
  leaves: Type.Array(Type.String(), {
    description:
      'What it asks for: time, block, gas, gas-price, seller, amount, coins, code, storage, balance, call, market, fixed, unknown.',
  }),
  effect: Type.Union([Type.Literal('none'), Type.Literal('loss'), Type.Null()], {
    description: 'What a sale loses where it answers otherwise; null where that was not tried.',
  }),
  loss: Type.Union([
    Type.Number({
      description: 'Percent of a sale where it answers otherwise; 100 where the sale fails.',
      minimum: 0,
      maximum: 100,
    }),
    Type.Null(),
  ]),
  reach: Type.Union([Type.String(), Type.Null()], {
    description:
      'What can make it answer otherwise: now (seller, chance of the block), time, trading, anyone, holder (of the storage that it asks for), unknown; null where nothing can.',
  }),
  proven: Type.Union([Type.Literal('played'), Type.Literal('forced'), Type.Literal('read')], {
    description: 'Sold in such circumstances; sold with the branch forced; or only read.',
  }),
  outcome: Type.Union([Type.Literal('refuses'), Type.Literal('silent'), Type.Literal('differs'), Type.Null()], {
    description: 'Of the code alone, what stands on its hostile side: a revert, nothing moved, something else moved.',
  }),
  movers: Type.Array(
    Type.Object({
      by: Type.String({ description: 'anyone, holder, trading, time, chance, contract, unknown.' }),
      selectors: Type.Array(Type.String(), { description: 'Functions that write what it asks for.' }),
    }),
    { description: 'Of the code alone, what can move what it asks for.' },
  ),
  explainedBy: Type.Array(Type.String(), {
    description: 'Of the code alone, why it is explained: findings that tell of it, or what keeps it from harm.',
  }),
  unexplained: Type.Union([Type.String(), Type.Null()], { description: 'Why it is not explained; null where it is.' }),
})
export type Condition = Static<typeof Condition>

export const Coverage = Type.Union(
  [
    Type.Object({
      conditions: Type.Integer({ description: 'Conditions, those that every token has included.' }),
      explained: Type.Integer({ description: 'Those of them that are explained.' }),
      isComplete: Type.Boolean({ description: 'Whether all are, and all were seen.' }),
      unexplained: Type.Array(Type.String(), { description: 'The others in words: the function, and what it asks.' }),
    }),
    Type.Null(),
  ],
  { description: 'How much of what decides is known. Null where no sale was looked at, or it is no token.' },
)
export type Coverage = Static<typeof Coverage>

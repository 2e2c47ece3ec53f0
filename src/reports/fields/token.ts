import { type Static, Type } from 'typebox'

/** What the token says that it is, the same in every answer. */
export const TokenBody = Type.Union(
  [
    Type.Object({
      name: Type.String({ description: 'Its own word for itself; untrusted, made safe to show.' }),
      symbol: Type.String({ description: 'The same in short.' }),
      decimals: Type.Union([Type.Integer({ minimum: 0, maximum: 255 }), Type.Null()]),
      totalSupply: Type.Union([Type.String({ pattern: '^\\d+$' }), Type.Null()], { description: 'Base units.' }),
      marks: Type.Array(Type.String(), {
        description:
          'What is odd about name and symbol: `hidden` characters, `mixed-scripts` in one word, `cut` because too long.',
      }),
      imitates: Type.Union(
        [
          Type.Object({
            symbol: Type.String(),
            address: Type.String({ pattern: '^[0-9A-Za-z]{32,44}$' }),
          }),
          Type.Null(),
        ],
        { description: 'The well-known token whose name or symbol it carries without being it.' },
      ),
    }),
    Type.Null(),
  ],
  { description: 'What the token says of itself; null where it is no token, could not be asked, or was not (`only`).' },
)
export type TokenBody = Static<typeof TokenBody>

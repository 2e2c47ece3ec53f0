import { Type } from 'typebox'
import { address, flag, integer, orNull, percent, text, words } from './schema-parts.js'

const Authority = Type.Object({
  power: words('freeze', 'mint', 'seize', 'pause', 'raise-fee', 'replace-hook'),
  address: address('Who holds it.'),
  kind: words('revoked', 'wallet', 'multisig', 'group', 'program'),
  threshold: orNull(text('Of a multisig or a group: how many of how many must agree.')),
  through: orNull(text('The program that counts a group; null where there is none.')),
  members: Type.Array(address('Who can vote in a group, the most votes first; the first 24.'), { maxItems: 24 }),
  delaySeconds: Type.Integer({ minimum: 0, description: 'How long a group has to wait after it has agreed.' }),
  proven: orNull(flag('Whether it was used on the fork, and worked; null when nothing could be tried.')),
  detail: text('What happened.'),
})

const HookCondition = Type.Object({
  by: words('time', 'amount', 'seller', 'coins', 'repetition', 'balance', 'data'),
  afterSeconds: Type.Integer({ minimum: 0, description: 'From now on; 0 where time is no part of it.' }),
  amount: integer('What was sold, base units.'),
  account: orNull(text('Whose data was set, where it was.')),
  lossPercent: percent('Share of the sale that is lost; 100 when it fails.'),
  reason: text('Why the sale failed; empty when it did not.'),
})

const Fee = Type.Object({
  percent: percent('Fee in force now.'),
  maximum: integer('Most that one transfer pays, base units.'),
  scheduled: orNull(Type.Object({ percent: percent('Fee from then on.'), epoch: integer('From this epoch on.') })),
  mutable: flag('Whether an authority can change it.'),
})

const Holder = Type.Object({
  account: address('Token account.'),
  owner: address('Whose it is.'),
  amount: integer('Base units.'),
  percent: percent('Share of the supply.'),
  kind: words('pool', 'burnt', 'program', 'wallet'),
  frozen: flag('Whether it has been frozen.'),
})

const Position = Type.Object({
  address: address('A part of a concentrated pool.'),
  owner: orNull(address('Who holds the token that stands for it; null when there is none, or no node said.')),
  percent: percent('Share of what sellers are paid from.'),
  hold: words('free', 'locked', 'unknown'),
})

const Quote = {
  symbol: text('Of a widely used token; empty for any other.'),
  address: address('Its mint.'),
  decimals: orNull(Type.Integer({ minimum: 0, maximum: 255, description: 'Null where they could not be read.' })),
}

const Price = (description: string) => orNull(Type.String({ pattern: '^\\d+(\\.\\d+)?$', description }))

const Pool = Type.Object({
  venue: text('The exchange.'),
  address: address('The pool.'),
  status: words('open', 'closed', 'not-open-yet', 'complete'),
  quoteMint: address('What the token is priced in.'),
  quote: Type.Object(Quote),
  price: Price('What one whole token costs here in the quote, fees not counted.'),
  tokenReserve: orNull(integer('Base units of the token.')),
  quoteReserve: orNull(integer('Base units of what it is priced in.')),
  liquidity: words('lp-token', 'shares', 'positions', 'curve'),
  lockedPercent: orNull(percent('Share of the liquidity that cannot be taken out; null when it is not known.')),
  positions: Type.Array(Position),
  played: flag('Whether real swaps were played in it.'),
})

const Market = Type.Object(
  {
    price: Price('What one whole token costs in the judged pool, in what that is priced in, fees not counted.'),
    quote: Type.Object(Quote),
    depth: Type.Array(Type.Object({ ...Quote, amount: integer('Base units in all pools together.') }), {
      description: 'What can be had for the token, by what its pools are priced in.',
    }),
    since: orNull(text('ISO 8601, of the first transaction of the judged pool; null where that is not known.')),
  },
  { description: 'The market as its pools say, before anything was traded.' },
)

const Origin = Type.Object(
  {
    creator: orNull(address('Who paid for the transaction that made it; null where that is not known.')),
    through: orNull(address('A launch program that took part.')),
    isProven: Type.Literal(false, { description: 'It is the word of the node.' }),
    block: orNull(Type.Integer({ minimum: 0, description: 'The slot in which it was made.' })),
    timestamp: orNull(text('ISO 8601.')),
    unknown: orNull(text('Why the creator is not known; null where it is.')),
  },
  { description: 'Where the token comes from, as far as the node remembers.' },
)

/** Everything that a mint, its holders and its pools say. */
export const TokenInfo = Type.Object({
  tokenProgram: address('Program that enforces the rules of the token.'),
  decimals: Type.Integer({ minimum: 0, maximum: 255 }),
  supply: integer('Base units.'),
  name: text('As the token gives it; not to be trusted.'),
  symbol: text('As the token gives it; not to be trusted.'),
  uri: text('As the token gives it; never fetched.'),
  metadataSource: words('pointer', 'mint', 'metaplex', 'none'),
  metadataMutable: flag('Whether an authority can change the name.'),
  trustedAs: orNull(text('Symbol under which the token is on the list of widely used ones.')),
  extensions: Type.Array(Type.String()),
  unknownExtensions: Type.Array(Type.Integer()),
  malformed: flag('Whether the extensions are not well-formed.'),
  authorities: Type.Array(Authority),
  fee: orNull(Fee),
  hook: orNull(
    Type.Object({
      program: address('Asked about every transfer.'),
      exists: flag('Whether there is such a program.'),
      upgradeability: words('immutable', 'upgradeable', 'unknown'),
      upgradeAuthority: orNull(text('Who may replace its code.')),
      explained: orNull(
        flag('Whether all that it decides a sale by was read and tried; null when no sale goes through.'),
      ),
      unread: Type.Array(text('What it decides by that could not be read or tried.')),
      conditions: Type.Array(HookCondition, { description: 'What was brought about and then harmed a sale.' }),
    }),
  ),
  holders: orNull(Type.Array(Holder, { maxItems: 20 })),
  pools: Type.Array(Pool),
  market: orNull(Market),
  origin: Origin,
  tradedWith: orNull(
    Type.Object({
      account: address('The counterparty of the trades.'),
      synthetic: flag('It was invented, because no market was found.'),
    }),
  ),
  triedByNode: orNull(
    Type.Object(
      {
        bought: flag('The purchase went through.'),
        sold: flag('The sale went through.'),
        taxPercent: Type.Number({
          description: 'Share that the purchase lost; the sale loses as much. 100 when one failed.',
        }),
        reason: text('Why one failed; empty otherwise.'),
      },
      {
        description:
          'One trade as a node simulated it, where nothing could be executed here: of one size, now. It can make a verdict worse, never better.',
      },
    ),
  ),
})

import { type Static, Type } from 'typebox'
import { Overall } from '../fields/overall.js'
import { sealFields } from '../fields/seal-fields.js'
import { TokenBody } from '../fields/token.js'

const text = (description: string) => Type.String({ description })
const flag = (description: string) => Type.Boolean({ description })
const integer = (description: string) => Type.String({ description, pattern: '^-?\\d+$' })
const hex = (description: string) => Type.String({ description, pattern: '^0x[0-9a-f]*$' })
const percent = (description: string) => Type.Number({ description, minimum: 0, maximum: 100 })
const score = (description: string) => Type.Number({ description, minimum: 0, maximum: 100 })
const address = (description: string) => Type.String({ description, pattern: '^[1-9A-HJ-NP-Za-km-z]{32,44}$' })
const orNull = <T extends Parameters<typeof Type.Array>[0]>(schema: T) => Type.Union([schema, Type.Null()])
const words = <const T extends readonly string[]>(...each: T) =>
  Type.Unsafe<T[number]>(Type.Union(each.map((word) => Type.Literal(word))))

/** Body of a check of a Solana token. `parse-solana-request.ts` checks it. */
export const SolanaRequestBody = Type.Object({
  targetContractAddress: address('Mint of the token to analyse.'),
  chainId: Type.Literal('SOL'),
})

const TrustStatus = words('Safe', 'Low Risk', 'Medium Risk', 'High Risk', 'Critical Risk')

const Finding = Type.Object({
  id: text('Stable name of the finding; docs/solana.md lists them.'),
  detail: text('What was seen: addresses, numbers, what acting on the fork did.'),
})

const Window = Type.Object({
  label: words('Immediate', '24 Hours', '7 Days'),
  buyTax: percent('Buy tax in that window, percent; 100 when buying fails.'),
  sellTax: percent('Sell tax in that window, percent; 100 when selling fails.'),
  riskScore: score('0 to 100, higher is worse.'),
  isBlackListDetected: flag('Whether a holder of power can refuse single accounts.'),
  isMintable: flag('Whether a holder of power can make tokens.'),
  mintScore: score('How grave that is; 0 where none can.'),
  mintReason: text('Who can, and what came of it on the fork; empty where none can.'),
  isTradingControl: flag('Whether a holder of power can stop trading or decide who may trade.'),
  errorReason: text('What failed in that window; empty when nothing did.'),
})

const Slot = Type.Object(
  {
    first: Type.Integer({ minimum: 0 }),
    last: Type.Integer({ minimum: 0 }),
    timestamp: text("The cluster's time, ISO 8601."),
  },
  { description: 'Between which slots the accounts were read; equal when all is of one moment.' },
)

const SolanaHoneypotResponse = Type.Object({
  riskScore: score('Risk, 0 to 100, higher is worse.'),
  buyTax: percent('Buy tax now, percent.'),
  sellTax: percent('Sell tax now, percent.'),
  isTimeHoneypot: flag('Whether a later window is hostile and the first is not.'),
  timeTravelResults: Type.Array(Window, { minItems: 3, maxItems: 3 }),
  isHoneypot: flag('Whether what is bought now cannot be sold.'),
  transferTax: orNull(percent('Tax of a transfer between wallets, percent; null when it fails or was not tried.')),
  findings: Type.Array(Finding, { description: 'Worst first.' }),
  pair: orNull(address('The pool that was judged.')),
  venue: orNull(text('The exchange of that pool.')),
  inconclusive: orNull(text('Why not all was seen or tried; null when it was. Neither guilt nor safety.')),
  errorReason: text('The same as `inconclusive`, or what failed first; empty otherwise.'),
})

/**
 * Answer of the honeypot endpoint on a Solana token: the fields of the specification (section 2.4),
 * with additive ones.
 */
export const SolanaHoneypotReport = Type.Object({
  success: Type.Literal(true),
  honeypotResponse: SolanaHoneypotResponse,
  overall: Overall,
  token: TokenBody,
  slot: Slot,
  engineVersion: Type.String(),
  ...sealFields,
})
export type SolanaHoneypotReport = Static<typeof SolanaHoneypotReport>

const Call = Type.Object({
  type: words('INVOKE', 'CPI'),
  depth: Type.Integer({ minimum: 1, description: '1 for what the trader called, 2 for what that called, and so on.' }),
  from: Type.String({ description: 'The caller: `trader`, which each answer makes up anew, or a program.' }),
  to: address('The program that was called.'),
  value: Type.Literal('0x0'),
  gas: hex('Compute units allowed.'),
  gasUsed: hex('Compute units used; 0x0 for programs that are part of the runtime.'),
  input: hex('Instruction data.'),
  output: hex('Nothing: instructions give nothing back.'),
  truncated: Type.Optional(Type.Literal(true, { description: 'Its data was cut.' })),
  inputBytes: Type.Optional(Type.Integer({ minimum: 0, description: 'Length of the whole data, where it was cut.' })),
})

const SimulateResult = Type.Object({
  success: flag('Whether buying and selling worked.'),
  ethDelta: integer(
    'Net change of native coin over the round trip on the exchange, without fees for the transaction, in lamports.',
  ),
  tokenDelta: integer('Net change of the token, in base units.'),
  isProfit: flag('Whether the trader ends with more native coin.'),
  allowanceChanged: flag("Whether another account was given power over the trader's tokens."),
  allowanceDelta: text('How much, in base units, or `Unlimited`.'),
  errorReason: text('Why the simulation failed; empty on success.'),
  returnData: hex('Nothing: instructions give nothing back.'),
  simulatedAt: text('When the simulation ran, ISO 8601.'),
  estimatedTax: text('The larger of buy and sell tax in percent.'),
  gasUsed: integer('Compute units of a purchase and a sale.'),
  watchedTokens: text('Mints of major tokens, separated by commas.'),
  watchedTokensDeltas: text('Their balance changes, in the same order.'),
  isReentrancy: flag('Always false: the runtime forbids it.'),
  isHoneypot: flag('Whether what was bought could not be sold.'),
  inconclusive: orNull(text('Why the outcome does not say everything; null when it does.')),
  simulation: Type.Object({
    calls: Type.Array(Call),
    logs: Type.Array(
      Type.Object({
        address: text('Program.'),
        data: hex('Data.'),
        topics: Type.Array(Type.String()),
        truncated: Type.Optional(Type.Literal(true, { description: 'Its data was cut.' })),
        dataBytes: Type.Optional(
          Type.Integer({ minimum: 0, description: 'Length of the whole data, where it was cut.' }),
        ),
      }),
    ),
    truncated: Type.Optional(
      Type.Literal(true, { description: 'Calls, logs or their data were cut, here or by the runtime.' }),
    ),
  }),
})

const RiskFlag = Type.Object({
  threatLevel: words('HIGH', 'MEDIUM', 'LOW'),
  title: text('Short name of the finding.'),
  description: text('What it means for the user.'),
  id: text('Stable name of the finding.'),
  weight: score('What it adds to the score.'),
  detail: text('What was seen.'),
  holder: orNull(text('Who holds the power, where it is one.')),
  proven: orNull(flag('Whether the power was used on the fork, and worked; null where there was nothing to use.')),
})

const ByteCodeResult = Type.Object({
  isContract: flag('True for a mint or a program.'),
  trustStatus: TrustStatus,
  humanWarning: text('One sentence on the most severe finding.'),
  riskFlags: Type.Array(RiskFlag),
})

const History = Type.Object({
  success: flag('Whether the look-up succeeded.'),
  activityPulse: Type.Union([words('Very Active', 'Active', 'Low Activity', 'Dead / No Activity'), Type.Null()]),
  message: text('The activity in plain language.'),
  recentTransfers: Type.Array(
    Type.Object({
      hash: text('Signature of the transaction.'),
      date: text('ISO 8601; empty when unknown.'),
      slot: Type.Integer(),
    }),
    { maxItems: 10, description: 'Newest transactions that name the mint or the vault of its main pool.' },
  ),
})

const Authority = Type.Object({
  power: words('freeze', 'mint', 'seize', 'pause', 'raise-fee', 'replace-hook'),
  address: address('Who holds it.'),
  kind: words('revoked', 'wallet', 'multisig', 'program'),
  threshold: orNull(text('Of a multisig: how many of how many must sign.')),
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

const Pool = Type.Object({
  venue: text('The exchange.'),
  address: address('The pool.'),
  status: words('open', 'closed', 'not-open-yet', 'complete'),
  quoteMint: address('What the token is priced in.'),
  tokenReserve: orNull(integer('Base units of the token.')),
  quoteReserve: orNull(integer('Base units of what it is priced in.')),
  liquidity: words('lp-token', 'shares', 'positions', 'curve'),
  lockedPercent: orNull(percent('Share of the liquidity that cannot be taken out; null when it is not known.')),
  played: flag('Whether real swaps were played in it.'),
})

const TokenInfo = Type.Object({
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

/** Answer of `POST /api/solana/token-checks`: everything that is known of a token. */
export const SolanaTokenReportBody = Type.Object({
  success: Type.Literal(true),
  checks: Type.Object({
    simulateResult: SimulateResult,
    byteCodeResult: ByteCodeResult,
    transactionHistoryResult: History,
  }),
  honeypotResponse: SolanaHoneypotResponse,
  tokenInfo: orNull(TokenInfo),
  overall: Overall,
  token: TokenBody,
  slot: Slot,
  engineVersion: Type.String(),
  ...sealFields,
})
export type SolanaTokenReportBody = Static<typeof SolanaTokenReportBody>

import { type Static, Type } from 'typebox'
import { FamilyBody } from '../fields/family-body.js'
import { Overall } from '../fields/overall.js'
import { sealFields } from '../fields/seal-fields.js'
import { TokenBody } from '../fields/token.js'
import { address, flag, hex, integer, orNull, percent, score, text, words } from './schema-parts.js'
import { TokenInfo } from './token-info-schema.js'

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
  family: FamilyBody,
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
  family: FamilyBody,
  slot: Slot,
  engineVersion: Type.String(),
  ...sealFields,
})
export type SolanaTokenReportBody = Static<typeof SolanaTokenReportBody>

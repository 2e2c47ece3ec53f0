import { type Static, Type } from 'typebox'
import { CHAIN_NAMES } from '../../chains/index.js'
import { TRUST_STATUSES } from '../../checks/levels.js'
import { Block } from '../fields/block.js'
import { Condition, Coverage } from '../fields/condition-body.js'
import { FamilyBody } from '../fields/family-body.js'
import { Overall } from '../fields/overall.js'
import { sealFields } from '../fields/seal-fields.js'
import { TokenBody } from '../fields/token.js'

const text = (description: string) => Type.String({ description })
const integer = (description: string) => Type.String({ description, pattern: '^-?\\d+$' })
const hex = (description: string) => Type.String({ description, pattern: '^0x[0-9a-fA-F]*$' })
const count = (description: string) => Type.Integer({ description, minimum: 0 })
const flag = (description: string) => Type.Boolean({ description })
const percent = (description: string) =>
  Type.Union([Type.String({ pattern: '^\\d+(\\.\\d+)?$' }), Type.Null()], {
    description: `${description}, decimal percent; null when it could not be measured.`,
  })
/** What our calls to the exchange were tried on. */
export const TestedOnBody = Type.Union([Type.Literal('real code'), Type.Literal('stand-in')], {
  description:
    'What our calls to this exchange were tried on: its own code, or only code that this project wrote from its interface (docs/chains.md).',
})

const hexOrNull = (description: string) => Type.Union([hex(description), Type.Null()])

/**
 * Body of every analysis of an EVM chain (specification, section 2.2). `parse-analysis-request.ts`
 * checks it.
 */
export const AnalysisRequestBody = Type.Object({
  targetContractAddress: Type.String({
    description: 'Address of the token or contract to analyse.',
    pattern: '^0x[0-9a-fA-F]{40}$',
    examples: ['0xdAC17F958D2ee523a2206206994597C13D831ec7'],
  }),
  chainId: Type.Number({ description: `${CHAIN_NAMES}.`, examples: [1] }),
  blockNumber: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Analyse the chain as it was after this block.' }),
  ),
  pair: Type.Optional(
    hex('The pool to judge instead of the deepest one: its address, or its 32-byte id on Uniswap V4.'),
  ),
  simulateLiquidity: Type.Optional(
    flag('Where no pool is found, make one on the copy of the chain from the largest known holder’s tokens.'),
  ),
  amount: Type.Optional(integer('Wei of native coin to buy with, instead of an amount that suits the pool.')),
  only: Type.Optional(
    flag('Make this check alone, which is faster: `overall` is then null, and the answer says nothing about the rest.'),
  ),
  trace: Type.Optional(
    Type.Union([Type.Literal('short'), Type.Literal('full')], {
      default: 'short',
      description: 'How much of calls and logs the simulation shows: `short` cuts data at 4 KiB, `full` at 64 KiB.',
    }),
  ),
})

/**
 * One frame of the call tree; geth's callTracer, with no field absent that the specification names.
 */
const CallFrame = Type.Cyclic(
  {
    CallFrame: Type.Object({
      type: text('Kind of call.'),
      from: hex('Caller.'),
      to: hex('Callee; `0x` for a creation that failed.'),
      value: hex('Native coin sent.'),
      gas: hex('Gas provided.'),
      gasUsed: hex('Gas consumed.'),
      input: hex('Call data.'),
      output: hex('Return data.'),
      truncated: Type.Optional(
        Type.Literal(true, { description: 'Its data was cut, or calls that it made are left out.' }),
      ),
      inputBytes: Type.Optional(count('Length of the whole call data, where it was cut.')),
      outputBytes: Type.Optional(count('Length of the whole return data, where it was cut.')),
      error: Type.Optional(text('Why the frame failed.')),
      revertReason: Type.Optional(text('The decoded reason of a revert.')),
      calls: Type.Optional(Type.Array(Type.Ref('CallFrame'), { description: 'Calls made by this frame, in order.' })),
    }),
  },
  'CallFrame',
)

const Log = Type.Object({
  address: hex('Emitter.'),
  data: hex('Data.'),
  topics: Type.Array(Type.String()),
  truncated: Type.Optional(Type.Literal(true, { description: 'Its data was cut.' })),
  dataBytes: Type.Optional(count('Length of the whole data, where it was cut.')),
})

const Step = Type.Object({
  name: text('What the trader did.'),
  branch: Type.Union([Type.Literal('main'), Type.Literal('side')], {
    description: '`side`: tried on a copy and undone.',
  }),
  success: flag('Whether the transaction went through.'),
  gasUsed: integer('Gas paid for.'),
  errorReason: text('Why it failed; empty otherwise.'),
  waitedSeconds: Type.Integer({ minimum: 0, description: 'How long a cooldown of the token kept the trader waiting.' }),
})

/** Who executed the trade; also of the honeypot report. */
export const Engine = Type.Union(
  [Type.Literal('interpreter'), Type.Literal('eth_simulateV1'), Type.Literal('eth_call')],
  {
    description:
      'Who executed the trade: the engine of this service, or, for contracts that only the chain itself can run, its node by this method. Frames inside a transaction are known of the first only.',
  },
)

const SimulateResult = Type.Object({
  success: flag('Whether the simulation executed.'),
  ethDelta: integer('Net change of native coin over the round trip, without gas, in wei.'),
  tokenDelta: integer('Net change of the token, in base units.'),
  isProfit: flag('Whether the trader ends with more native coin.'),
  allowanceChanged: flag('Whether an allowance changed that the trader did not ask for.'),
  allowanceDelta: text('The largest such change, or `Unlimited`.'),
  errorReason: text('Why the simulation failed; empty on success.'),
  humanReason: Type.Optional(text('The same as `errorReason`, for clients that read this name. Only on failure.')),
  returnData: hex('Return data of the simulated call.'),
  returnDataBytes: Type.Optional(count('Length of the whole return data, where it was cut.')),
  simulatedAt: text('When the simulation ran, ISO 8601.'),
  estimatedTax: text('The larger of buy and sell tax in percent.'),
  buyTax: percent('Buy tax'),
  sellTax: percent('Sell tax'),
  transferTax: percent('Transfer tax'),
  gasUsed: integer('Gas of all steps of the main branch.'),
  l1Fee: Type.Optional(
    integer(
      'What the chain takes for these steps beside gas, in wei: for their data on L1, and for its operator. An estimate within a few percent; chains of the OP Stack, and Arbitrum, whose nodes count it as gas.',
    ),
  ),
  watchedTokens: text('Addresses of major tokens, separated by commas.'),
  watchedTokensDeltas: text('Their balance changes, in the same order.'),
  isReentrancy: flag('Whether a contract was entered again before its first call returned.'),
  isHoneypot: flag('Whether what was bought could not be sold, by any of our traders.'),
  inconclusive: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the outcome says nothing about the token; null when it does.',
  }),
  venue: Type.Union([
    Type.Object({ name: Type.String(), pool: hex('The pool traded in.'), testedOn: TestedOnBody }),
    Type.Null(),
  ]),
  steps: Type.Array(Step),
  conditions: Type.Array(Condition, {
    description: 'What decides a sale, but for what every token has; empty where the honeypot check was not made.',
  }),
  coverage: Coverage,
  engine: Engine,
  simulation: Type.Object({
    calls: Type.Array(CallFrame),
    logs: Type.Array(Log),
    isTruncated: flag(
      'Whether `calls`, `logs` or `returnData` outgrew their bound and lack something. The outcome is whole all the same.',
    ),
  }),
})

const Evidence = Type.Object({
  address: hex('Contract whose code it is: the target, or what it delegates to.'),
  pc: Type.Optional(Type.Integer({ minimum: 0, description: 'Position in that code.' })),
  selector: Type.Optional(hex('Function that leads there.')),
  slot: Type.Optional(hex('Storage slot concerned.')),
  value: Type.Optional(hex('What the slot holds now.')),
  holder: Type.Optional(text('Who holds the power now.')),
  note: Type.Optional(text('What was seen.')),
})

const Confidence = Type.Union([Type.Literal('HIGH'), Type.Literal('MEDIUM'), Type.Literal('LOW')], {
  description: 'How sure the finding is; how bad it is stands elsewhere.',
})

const RiskFlag = Type.Object({
  threatLevel: Type.Union([Type.Literal('HIGH'), Type.Literal('MEDIUM'), Type.Literal('LOW')]),
  title: text('Short name of the finding.'),
  description: text('What it means for the user.'),
  id: text('Stable name of the detector.'),
  confidence: Confidence,
  evidence: Type.Array(Evidence),
})

const Delegate = Type.Object({
  kind: text('How the target hands its calls on.'),
  address: hexOrNull('Contract whose code runs in place of the target.'),
  slot: hexOrNull('Slot that holds the address.'),
  admin: Type.Union([Type.String(), Type.Null()], { description: 'Who can exchange it, as far as known.' }),
  codeHash: hexOrNull('Hash of its code.'),
})

const ByteCodeResult = Type.Object({
  isContract: flag('True for a contract, false for an externally owned account.'),
  trustStatus: Type.Enum(TRUST_STATUSES, {
    description: 'The overall verdict, of all checks; with `only`, of those in this answer.',
  }),
  humanWarning: text('The reason for it, in a few sentences.'),
  riskFlags: Type.Array(RiskFlag),
  confidence: Confidence,
  codeHash: hexOrNull('keccak-256 of the code; null when it could not be read.'),
  normalisedHash: hexOrNull(
    'Hash without metadata, immutables and addresses: equal for two deployments of one source.',
  ),
  selectors: Type.Array(Type.String(), { description: 'Functions that the code dispatches to.' }),
  proxy: Type.Array(Delegate),
  complete: flag('False when something was left unseen; the verdict is then at least `Medium Risk`.'),
  gaps: Type.Array(Type.String(), { description: 'What was left unseen.' }),
  conditions: Type.Array(Condition, {
    description: 'What decides its standard functions, as its code alone tells: those that are not explained first.',
  }),
  coverage: Coverage,
})

const Transfer = Type.Object({
  hash: hex('Transaction.'),
  from: hex('Sender.'),
  to: hex('Receiver.'),
  amount: integerOrDecimal('Amount in whole tokens; in base units when the token does not say its decimals.'),
  symbol: text('Symbol as the token gives it.'),
  date: text('Time of the block, ISO 8601.'),
  value: integer('Amount in base units.'),
  blockNumber: Type.Integer({ minimum: 0 }),
  logIndex: Type.Integer({ minimum: 0 }),
})

const Activity = Type.Object({
  transfers: Type.Integer({ minimum: 0 }),
  senders: Type.Integer({ minimum: 0, description: 'Distinct accounts; of an estimate those that were seen.' }),
  receivers: Type.Integer({ minimum: 0, description: 'Distinct accounts; of an estimate those that were seen.' }),
  buys: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description: 'Transfers out of the judged pool.' }),
  sells: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], { description: 'Transfers into the judged pool.' }),
  isEstimate: flag('Worked out from a part of that time.'),
})

const MakeBelieve = Type.Object({
  id: Type.Union([
    Type.Literal('zero-value-transfers'),
    Type.Literal('look-alike-addresses'),
    Type.Literal('one-sender'),
    Type.Literal('few-accounts'),
    Type.Literal('no-balance-change'),
  ]),
  description: text('What was seen, in plain language.'),
})

const HistorySummary = Type.Object({
  totalTransfers: Type.Integer({ minimum: 0, description: 'In the last 7 days; see `last7Days.isEstimate`.' }),
  uniqueWallets: Type.Integer({ minimum: 0, description: 'Distinct accounts among the transfers that were read.' }),
  lastTransferDate: Type.Union([Type.String(), Type.Null()], { description: 'ISO 8601.' }),
  totalERC20Volume: integerOrDecimal(
    'Sum of the transfers that were read, in whole tokens where the decimals are known.',
  ),
  firstMintDate: Type.Union([Type.String(), Type.Null()], {
    description: 'ISO 8601: the first mint, if the reading goes back beyond it and nothing came before.',
  }),
  last24Hours: Activity,
  last7Days: Activity,
  hours: Type.Optional(
    Type.Array(Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]), {
      minItems: 24,
      maxItems: 24,
      description: 'Transfers in each of the last 24 hours, oldest first; null for an hour that was not read whole.',
    }),
  ),
  makeBelieve: Type.Array(MakeBelieve, { maxItems: 5, description: 'Signs that the token is made to look alive.' }),
})

const TransactionHistoryResult = Type.Object({
  success: flag('Whether the look-up succeeded.'),
  activityPulse: Type.Union(
    [
      Type.Literal('Very Active'),
      Type.Literal('Active'),
      Type.Literal('Low Activity'),
      Type.Literal('Dead / No Activity'),
      Type.Null(),
    ],
    { description: 'Null when the look-up failed: unknown is not dead.' },
  ),
  message: text('The activity in plain language.'),
  recentTransfers: Type.Array(Transfer, { maxItems: 10, description: 'Newest first.' }),
  summary: Type.Union([HistorySummary, Type.Null()], { description: 'Null when the look-up failed.' }),
})

/** Answer of the simulation endpoint (specification, section 2.3), with additive fields. */
export const SimulationReport = Type.Object({
  success: Type.Literal(true),
  checks: Type.Object({
    simulateResult: SimulateResult,
    byteCodeResult: ByteCodeResult,
    transactionHistoryResult: TransactionHistoryResult,
  }),
  overall: Overall,
  token: TokenBody,
  family: Type.Optional(FamilyBody),
  block: Block,
  engineVersion: text('Version of the engine that made this report.'),
  ...sealFields,
})
export type SimulationReport = Static<typeof SimulationReport>

function integerOrDecimal(description: string) {
  return Type.String({ description, pattern: '^\\d+(\\.\\d+)?$' })
}

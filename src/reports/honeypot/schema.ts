import { type Static, Type } from 'typebox'
import { TRUST_STATUSES } from '../../checks/levels.js'
import { Block } from '../fields/block.js'
import { Condition, Coverage } from '../fields/condition-body.js'
import { FamilyBody } from '../fields/family-body.js'
import { Overall } from '../fields/overall.js'
import { sealFields } from '../fields/seal-fields.js'
import { TokenBody } from '../fields/token.js'
import { Engine, TestedOnBody } from '../simulation/schema.js'
import { HolderAnalysisBody, LiquidityBody } from './holders-schema.js'
import { MarketBody, OriginBody, SaleSizeBody } from './market-schema.js'
import { EffortBody, PowerBody } from './power-schema.js'

const percent = (description: string) => Type.Number({ description, minimum: 0, maximum: 100 })
const score = (description: string) => Type.Number({ description, minimum: 0, maximum: 100 })
const orNull = (description: string, pattern: string) =>
  Type.Union([Type.String({ pattern }), Type.Null()], { description })

const flagOrNull = (description: string) => Type.Union([Type.Boolean(), Type.Null()], { description })

const Cause = Type.Object(
  {
    window: Type.String(),
    trade: Type.Union([Type.Literal('buy'), Type.Literal('sell'), Type.Literal('sell-fresh')], {
      description: '`sell`: of what was bought now; `sell-fresh`: of what was bought in that window.',
    }),
    contract: Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', description: 'Whose code refused.' }),
    selector: Type.String({ description: 'The function of it that was called.' }),
    pc: Type.Integer({ description: 'Where its last branch stands.' }),
    slot: orNull('The storage slot that decided; null where none did.', '^0x[0-9a-f]{64}$'),
    value: orNull('What that slot held.', '^0x[0-9a-f]{64}$'),
    setBy: orNull(
      'Who can change that slot, by the code and its present state; null where not known.',
      '^0x[0-9a-fA-F]{40}$',
    ),
    reason: Type.String({ description: 'What was compared, in words.' }),
  },
  { description: 'Why a trade failed in a window: the branch that decided.' },
)

const Finding = Type.Object({
  id: Type.String(),
  detail: Type.String(),
  contract: orNull('Whose code decided, where that is known.', '^0x[0-9a-fA-F]{40}$'),
  pc: Type.Union([Type.Integer(), Type.Null()], { description: 'Where in it the deciding branch stands.' }),
})

const SimulatedLiquidity = Type.Object({
  provider: Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', description: 'Whose tokens were put into the pool.' }),
  tokenAmount: Type.String({ pattern: '^\\d+$', description: 'Base units.' }),
  nativeAmount: Type.String({ pattern: '^\\d+$', description: 'Wei.' }),
})

const UnknownVenue = Type.Object({
  address: Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }),
  kind: Type.Union([Type.Literal('pool'), Type.Literal('curve'), Type.Literal('holder')], {
    description: 'A pool of this token and another; a contract that quotes a price; one that holds a large part.',
  }),
  factory: orNull('Who made it, where it says.', '^0x[0-9a-fA-F]{40}$'),
})

const NextChange = Type.Object({
  timestamp: Type.Integer({ description: 'Seconds since 1970.' }),
  block: orNull('The height, where it decides and not the clock.', '^\\d+$'),
  buyTax: percent('Buy tax from then on, percent.'),
  sellTax: percent('Sell tax from then on, percent; 100 when the sell is blocked.'),
  riskScore: score('0 to 100, higher is worse.'),
  errorReason: Type.String({ description: 'What fails from then on; empty when nothing does.' }),
})

const TimeTravelResult = Type.Object({
  label: Type.Union([Type.Literal('Immediate'), Type.Literal('24 Hours'), Type.Literal('7 Days')]),
  buyTax: percent('Buy tax in that window, percent.'),
  sellTax: percent(
    'Sell tax in that window, percent: the worse of what was held and what was bought then. 100 when the sell is blocked.',
  ),
  riskScore: score('0 to 100, higher is worse.'),
  isBlackListDetected: flagOrNull(
    'Whether a holder of power can refuse single accounts; null where the code was not analysed.',
  ),
  isMintable: flagOrNull('Whether a holder of power can make tokens.'),
  mintScore: score('How grave that is, 0 to 100; 0 where none can, or nothing is known.'),
  mintReason: Type.String({ description: 'Who can, and how; empty where none can.' }),
  isTradingControl: flagOrNull('Whether a holder of power can stop trading or decide who may trade.'),
  errorReason: Type.String({ description: 'What failed in that window; empty when nothing did.' }),
})

/** Answer of the honeypot endpoint (specification, section 2.4), with additive fields. */
export const HoneypotReportBody = Type.Object({
  success: Type.Literal(true),
  honeypotResponse: Type.Object({
    riskScore: score('Risk of buying now, 0 to 100, higher is worse: the score of the overall verdict.'),
    buyTax: percent('Buy tax now, percent.'),
    sellTax: percent('Sell tax now, percent.'),
    isTimeHoneypot: Type.Boolean({ description: 'Whether a later window is hostile and the first is not.' }),
    timeTravelResults: Type.Array(TimeTravelResult, { minItems: 3, maxItems: 3 }),
    isHoneypot: Type.Boolean({ description: 'Whether what is bought now cannot be sold.' }),
    transferTax: Type.Union([percent('Tax of a transfer between wallets, percent.'), Type.Null()]),
    findings: Type.Array(Finding, {
      description: 'What selling in other circumstances than the ordinary ones showed.',
    }),
    causes: Type.Array(Cause, { description: 'Why trades failed, by window.' }),
    conditions: Type.Array(Condition, {
      description: 'What decides a sale, but for what every token has: those that do harm otherwise come first.',
    }),
    coverage: Coverage,
    nextChange: Type.Union([NextChange, Type.Null()], {
      description:
        'The next moment at which trading becomes another thing, by what the code compares the time with or computes from it.',
    }),
    trustStatus: Type.Enum(TRUST_STATUSES, {
      description: 'The overall verdict; with `only`, of this check.',
    }),
    humanWarning: Type.String({ description: 'The reason for it, in a sentence or two.' }),
    powers: Type.Array(PowerBody, {
      description: 'The worst first. Empty where there are none, or none could be tried.',
    }),
    powersTried: EffortBody,
    holderAnalysis: Type.Union([HolderAnalysisBody, Type.Null()]),
    liquidity: Type.Union([LiquidityBody, Type.Null()]),
    maxBuy: orNull('Largest purchase in one transaction, in wei; null when no limit was met.', '^\\d+$'),
    maxSell: orNull('Largest sale in one transaction, in base units; null when no limit was met.', '^\\d+$'),
    pair: orNull('The pool that was judged.', '^0x[0-9a-fA-F]{40}$'),
    venue: Type.Union([Type.String(), Type.Null()], { description: 'The exchange of that pool.' }),
    venueTestedOn: Type.Union([TestedOnBody, Type.Null()]),
    poolId: orNull('The id of that pool on Uniswap V4, where all pools have one address.', '^0x[0-9a-f]{64}$'),
    market: Type.Union([MarketBody, Type.Null()]),
    origin: Type.Union([OriginBody, Type.Null()]),
    saleSizes: Type.Array(SaleSizeBody, {
      description: 'What little and much of a large holding sells for now, each sold alone; the smallest first.',
    }),
    simulatedLiquidity: Type.Union([SimulatedLiquidity, Type.Null()], {
      description:
        'Given when the pool exists only on the copy of the chain, because `simulateLiquidity` asked for one.',
    }),
    unknownVenues: Type.Array(UnknownVenue, {
      description: 'Where it seems to be traded, when it is nowhere that is known here. Nothing is concluded from it.',
    }),
    inconclusive: Type.Union([Type.String(), Type.Null()], {
      description: 'Why trading proves nothing about this token; null when it does. Neither guilt nor safety.',
    }),
    engine: Engine,
    errorReason: Type.String({ description: 'The same as `inconclusive`, or what failed first; empty otherwise.' }),
  }),
  overall: Overall,
  token: TokenBody,
  family: Type.Optional(FamilyBody),
  block: Block,
  engineVersion: Type.String(),
  ...sealFields,
})
export type HoneypotReportBody = Static<typeof HoneypotReportBody>

import { type Static, Type } from 'typebox'
import { Block } from '../../block.js'

const percent = (description: string) => Type.Number({ description, minimum: 0, maximum: 100 })
const score = (description: string) => Type.Number({ description, minimum: 0, maximum: 100 })
const orNull = (description: string, pattern: string) =>
  Type.Union([Type.String({ pattern }), Type.Null()], { description })

const flagOrNull = (description: string) => Type.Union([Type.Boolean(), Type.Null()], { description })

const Cause = Type.Object(
  {
    window: Type.String(),
    contract: Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', description: 'Whose code refused.' }),
    selector: Type.String({ description: 'The function of it that was called.' }),
    pc: Type.Integer({ description: 'Where its last branch stands.' }),
    slot: orNull('The storage slot that decided; null where none did.', '^0x[0-9a-f]{64}$'),
    value: orNull('What that slot held.', '^0x[0-9a-f]{64}$'),
    reason: Type.String({ description: 'What was compared, in words.' }),
  },
  { description: 'Why the sell failed in a window: the branch that decided.' },
)

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
  isBlackListDetected: flagOrNull('Whether somebody can refuse single accounts; null where the code was not analysed.'),
  isMintable: flagOrNull('Whether somebody can make tokens.'),
  mintScore: score('How grave that is, 0 to 100; 0 where nobody can, or nothing is known.'),
  mintReason: Type.String({ description: 'Who can, and how; empty where nobody can.' }),
  isTradingControl: flagOrNull('Whether somebody can stop trading or decide who may trade.'),
  errorReason: Type.String({ description: 'What failed in that window; empty when nothing did.' }),
})

/** Answer of the honeypot endpoint (specification, section 2.4), with additive fields. */
export const HoneypotReportBody = Type.Object({
  success: Type.Literal(true),
  honeypotResponse: Type.Object({
    riskScore: score('Risk now, 0 to 100, higher is worse.'),
    buyTax: percent('Buy tax now, percent.'),
    sellTax: percent('Sell tax now, percent.'),
    isTimeHoneypot: Type.Boolean({ description: 'Whether a later window is hostile and the first is not.' }),
    timeTravelResults: Type.Array(TimeTravelResult, { minItems: 3, maxItems: 3 }),
    isHoneypot: Type.Boolean({ description: 'Whether what is bought now cannot be sold.' }),
    transferTax: Type.Union([percent('Tax of a transfer between wallets, percent.'), Type.Null()]),
    findings: Type.Array(Type.Object({ id: Type.String(), detail: Type.String() }), {
      description: 'What selling in other circumstances than the ordinary ones showed.',
    }),
    causes: Type.Array(Cause, { description: 'Why sells failed, by window.' }),
    nextChange: Type.Union([NextChange, Type.Null()], {
      description: 'The next moment at which trading becomes another thing, by what the code compares the time with.',
    }),
    maxBuy: orNull('Largest purchase in one transaction, in wei; null when no limit was met.', '^\\d+$'),
    maxSell: orNull('Largest sale in one transaction, in base units; null when no limit was met.', '^\\d+$'),
    pair: orNull('The pool that was judged.', '^0x[0-9a-fA-F]{40}$'),
    venue: Type.Union([Type.String(), Type.Null()], { description: 'The exchange of that pool.' }),
    inconclusive: Type.Union([Type.String(), Type.Null()], {
      description: 'Why trading proves nothing about this token; null when it does. Neither guilt nor safety.',
    }),
    errorReason: Type.String({ description: 'The same as `inconclusive`, or what failed first; empty otherwise.' }),
  }),
  block: Block,
  engineVersion: Type.String(),
})
export type HoneypotReportBody = Static<typeof HoneypotReportBody>

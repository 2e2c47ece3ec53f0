import { Type } from 'typebox'
import { TRUST_STATUSES } from '../../../checks/levels.js'
import { STAGE_DAYS } from '../../../outcomes/outcome.js'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const share = (description: string) =>
  Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
    description: `${description} Null without any.`,
  })

const OutcomeRowBody = Type.Object({
  level: Type.Union(TRUST_STATUSES.map((each) => Type.Literal(each))),
  fine: count('None of the others.'),
  taxed: count('Selling came to cost half or more.'),
  shut: count('It could not be sold.'),
  drained: count('The coin left its pools.'),
  'sold-out': count('The coin was bought from its pool with tokens that were sold.'),
})

export const StageStatsBody = Type.Object(
  {
    days: Type.Union(STAGE_DAYS.map((each) => Type.Literal(each))),
    levels: Type.Array(OutcomeRowBody, { description: 'Tokens that could be sold when they were judged, by verdict.' }),
    warned: count('Of these, judged High Risk or worse.'),
    warnedRightly: count('Of the warned, how many came to harm.'),
    harmed: count('How many came to harm in all.'),
    precision: share('`warnedRightly` of `warned`.'),
    recall: share('`warnedRightly` of `harmed`.'),
    traps: Type.Object(
      { followed: count('How many.'), stillHarmful: count('Of these, still harmful then.') },
      { description: 'Tokens that could not be sold already when they were judged; in no other figure.' },
    ),
    unknown: count('Not seen in time; in no other figure.'),
  },
  { description: 'What verdicts had come to after so many days.' },
)

export const StatsBody = Type.Object({
  success: Type.Literal(true),
  followed: count('Verdicts whose outcome is, or was, followed.'),
  stages: Type.Array(StageStatsBody),
  families: Type.Object({
    codes: count('Different codes that were judged here.'),
    copies: count('Tokens that were judged here.'),
    hostile: count('Of these, hostile at any time.'),
    turned: count('Of the hostile, not when they were judged first.'),
  }),
})

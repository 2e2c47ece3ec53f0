import { type Static, Type } from 'typebox'
import { TRUST_STATUSES } from '../../checks/levels.js'
import { ADVICE, adviceOf } from '../advice.js'
import type { Verdict } from '../verdict.js'
import type { TokenBody } from './token.js'

/**
 * The one verdict on the target, the same in every answer. `verdict` is taken by the phishing
 * answer.
 */
export const Overall = Type.Union(
  [
    Type.Object({
      level: Type.Enum(TRUST_STATUSES, { description: 'The judgement in one word.' }),
      score: Type.Number({ minimum: 0, maximum: 100, description: 'The judgement as a number; higher is worse.' }),
      advice: Type.Enum(ADVICE, {
        description:
          'The judgement in the words of a buyer. `Not known`: too little was seen. `Do not use`: of what is no token, and of a request that a wallet should not sign.',
      }),
      headline: Type.String({ description: 'The worst that was found, in a few words.' }),
      reason: Type.String({ description: 'Why, in a few sentences.' }),
      inconclusive: Type.Union([Type.String(), Type.Null()], {
        description: 'What the judgement lacks; null when it is whole. Neither guilt nor safety.',
      }),
      inconclusiveCode: Type.Optional(
        Type.Literal('machine_busy', { description: 'Our machine was too busy: asking again will help.' }),
      ),
    }),
    Type.Null(),
  ],
  {
    description:
      'The verdict of all checks on the target, the same in every answer (docs/verdict.md). Null with `only`.',
  },
)
export type Overall = Static<typeof Overall>

/** As every answer shows it. */
export function toOverall({ verdict, isWhole }: { verdict: Verdict; isWhole: boolean }, token: TokenBody): Overall {
  if (!isWhole) return null
  const { level, score, headline, reason, inconclusive = null, inconclusiveCode, isOfRequest } = verdict
  const advice = adviceOf(verdict, { isToken: token !== null && !isOfRequest })
  return { level, score, advice, headline, reason, inconclusive, ...(inconclusiveCode && { inconclusiveCode }) }
}

import { LEAST_SCORES, type TrustStatus } from '../checks/levels.js'
import { UNFINISHED_SCORE, type Verdict } from './verdict.js'

/** What a verdict means for a person who asks whether to buy, and nothing else. */
export const ADVICE = ['No trap found', 'Be careful', 'Do not buy', 'Do not use', 'Not known'] as const
export type Advice = (typeof ADVICE)[number]

/**
 * The verdict in the words of a buyer. `Not known` where the level comes of what was not seen
 * alone; `Do not use` for what is no token.
 */
export function adviceOf(
  { level, score, inconclusive, isUnfinished }: Pick<Verdict, 'level' | 'score' | 'inconclusive' | 'isUnfinished'>,
  { isToken }: { isToken: boolean },
): Advice {
  if (level !== 'Medium Risk') return WORDS[level](isToken)
  const isBlind = isUnfinished ? score <= UNFINISHED_SCORE : inconclusive !== undefined && score < LEAST_SCORES[level]
  return isBlind ? 'Not known' : 'Be careful'
}

const stop = (isToken: boolean): Advice => (isToken ? 'Do not buy' : 'Do not use')
const calm = (): Advice => 'No trap found'

const WORDS: Readonly<Record<Exclude<TrustStatus, 'Medium Risk'>, (isToken: boolean) => Advice>> = {
  Safe: calm,
  'Low Risk': calm,
  'High Risk': stop,
  'Critical Risk': stop,
}

import type { SolanaReport } from '../checks/solana/solana-report.js'
import { type Doubt, judge, type Verdict } from './verdict.js'

/** The one verdict on a Solana token; of what is no token, that there is none. */
export function judgeSolana(report: SolanaReport): Verdict {
  if (report.kind !== 'token') return judge({ findings: [], doubts: [NO_TOKEN], reviewed: false, calm: CALM })
  const { findings, gaps, reviewed } = report
  return judge({
    findings: findings
      // What is missing is told by the doubt.
      .filter(({ id }) => id !== 'not-everything-seen')
      .map(({ id, title, description, basis, weight }) => {
        return { id: `solana/${id}`, basis, score: weight, headline: sentenceOf(title), reason: description }
      }),
    doubts: gaps.length > 0 ? [UNFINISHED] : [],
    reviewed,
    calm: CALM,
  })
}

const CALM = {
  headline: 'It can be bought, held and sold.',
  reason: 'Buying and selling work now and later, and no privileged role over the token was found.',
}

const NO_TOKEN: Doubt = {
  headline: 'There is no token here.',
  reason: 'This address is no token, so that nothing could be said about it.',
  isOurs: false,
}

const UNFINISHED: Doubt = {
  headline: 'Our analysis did not finish.',
  reason: 'Something could not be read or tried, so that something may be hidden in it.',
  isOurs: true,
}

/** Titles of findings are written as titles, and a headline is read as a sentence. */
const sentenceOf = (title: string) => `${title.charAt(0)}${title.slice(1).toLowerCase()}.`

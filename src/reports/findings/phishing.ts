import type { Finding } from '../../checks/finding.js'
import type { PhishingSeverity, PhishingVerdictReport } from '../../checks/phishing/phishing-report.js'
import type { Doubt } from '../verdict.js'

/** What a finding about approvals, signatures and payments is worth on the scale of `levels.ts`. */
export const PHISHING_SCORES: Record<PhishingSeverity, number> = { CRITICAL: 95, HIGH: 75, MEDIUM: 40, LOW: 5 }

const MEANINGS = {
  allowance: {
    headline: 'It takes what you approve.',
    reason: 'What is approved to it was taken from a victim, who got nothing for it.',
  },
  permit: {
    headline: 'It takes what you sign.',
    reason: "A victim's signature was used to take tokens, for which nothing was given.",
  },
  native: {
    headline: 'It passes on what you pay.',
    reason: 'What is paid to it goes to another address, and nothing is given for it.',
  },
  request: {
    isOfRequest: true,
    headline: 'Signing this gives away what you own.',
    reason:
      'The request lets an account take from you, or takes at once, what no honest application asks for; that says nothing about the contract that it calls.',
  },
  other: {
    headline: 'It has marks of phishing.',
    reason: 'It has marks of a contract that is out for approvals, signatures or payments.',
  },
} as const

/** What becomes of what is approved, signed or paid; each kind of harm once, at its worst. */
export function findInPhishing({ findings }: Pick<PhishingVerdictReport, 'findings'>): Finding[] {
  const kinds = new Map<keyof typeof MEANINGS, number>()
  for (const { by, check = 'other', severity } of findings) {
    const kind = by === 'wallet' ? 'request' : check
    kinds.set(kind, Math.max(kinds.get(kind) ?? 0, PHISHING_SCORES[severity]))
  }
  // Of equal harm, that of the target is told first: it is there whatever is signed.
  const ordered = [...kinds].toSorted(([a], [b]) => Number(a === 'request') - Number(b === 'request'))
  return ordered.map(([kind, score]) => ({ id: `phishing/${kind}`, basis: 'observed', score, ...MEANINGS[kind] }))
}

/** An address without code has nothing to probe, which is told by the trade. */
export function doubtsOfPhishing({ inconclusive, isEmpty }: PhishingVerdictReport): Doubt[] {
  if (!inconclusive || isEmpty) return []
  const reason = 'What becomes of approvals, signatures and payments could not be found out completely.'
  return [{ headline: 'It could not be judged completely.', reason, isOurs: false }]
}

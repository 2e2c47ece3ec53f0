import type { ReactNode } from 'react'
import type { Honeypot, Reports } from '../api/reports.js'
import { capitalise } from '../parts/capitalise.js'
import { Section } from './section.js'

interface PartProps {
  title: string
  note: string
  of: 'honeypot' | 'phishing'
  reports: Reports
  children: ReactNode
}

/** A part of one answer; where that answer is missing, why, in the place where it would stand. */
export function Part({ of, reports, children, ...section }: PartProps) {
  const failure = reports.failures[of]
  if (!reports.expected.includes(of) || (reports[of] === undefined && failure === undefined)) return null
  return (
    <Section {...section}>
      {reports[of] ? (
        children
      ) : (
        <p className="note">This part is missing: {failure?.errorReason}. Unknown is not safe.</p>
      )}
    </Section>
  )
}

const listed = (parts: readonly string[]) => new Intl.ListFormat('en').format(parts)

/** Parts that need a sale, where none could be made: why they are not here. */
export function NotTried({ trade: { powersTried, holderAnalysis, liquidity, inconclusive } }: { trade: Honeypot }) {
  const missing = [
    ...(powersTried === null ? ['what the keys can do'] : []),
    ...(holderAnalysis === null ? ['whether holders can sell'] : []),
    ...(liquidity === null ? ['whose the liquidity is'] : []),
  ]
  if (missing.length === 0) return null
  return (
    <Section title="Not tried">
      <p className="note">
        {capitalise(listed(missing))} could not be tried.{' '}
        {inconclusive ?? 'What is bought cannot be sold, so there was nothing to lose'}.
      </p>
    </Section>
  )
}

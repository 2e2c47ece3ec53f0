import type { ReactNode } from 'react'
import type { Reports, Target } from '../api/reports.js'
import { useChain } from '../chains.js'
import { formatCount, formatTime, keepUnits } from '../format.js'
import { TokenName } from '../parts/token-name.js'
import { FamilyLine } from './family-line.js'
import { KeyFigures } from './key-figures.js'
import { MarketFacts } from './market-facts.js'
import { readVerdict, type Verdict } from './shown-verdict.js'

/** What a person sees without scrolling: what it is, whether to buy, why, and in which market. */
export function FirstScreen({ target, reports, children }: { target: Target; reports: Reports; children?: ReactNode }) {
  return (
    <>
      <ReportHead target={target} reports={reports} />
      <VerdictBlock verdict={readVerdict(reports)} of={target.address} />
      <FamilyLine reports={reports} />
      {children}
      <MarketFacts reports={reports} chain={target.chain} />
      <KeyFigures reports={reports} />
    </>
  )
}

function ReportHead({ target, reports }: { target: Target; reports: Reports }) {
  const block = reports.simulation?.block ?? reports.honeypot?.block
  const { name } = useChain(target.chain)
  return (
    <header className="report-head">
      <p className="eyebrow">
        {name}
        {block && (
          <>
            {target.chain === 'SOL' ? ' · slot ' : ' · block '}
            {formatCount(block.number)} · <time dateTime={block.timestamp}>{formatTime(block.timestamp)}</time>
          </>
        )}
      </p>
      <p>
        <TokenName token={reports.simulation?.token ?? reports.honeypot?.token ?? reports.phishing?.token ?? null} />
      </p>
      <p className="mono wrap address">{target.address}</p>
    </header>
  )
}

function VerdictBlock({ verdict, of }: { verdict: Verdict; of: string }) {
  const { look, advice, level, calm, headline, reason, missing } = verdict
  return (
    <section className="verdict" data-level={look} data-of={of} aria-labelledby="verdict">
      <p className="advice">{advice}</p>
      <p className="stamp">{level}</p>
      <h1 id="verdict">
        {calm ?? keepUnits(headline)}
        {calm !== undefined && <small> But know this: {keepUnits(headline)}</small>}
      </h1>
      <p className="lead">{keepUnits(reason)}</p>
      {missing !== undefined && <p className="note">{keepUnits(missing)}</p>}
    </section>
  )
}

import type { ReactNode } from 'react'
import type { Reports, Target, Token } from '../api/reports.js'
import { useChain } from '../chains.js'
import { formatCount, formatTime } from '../format.js'
import { KeyFigures } from './key-figures.js'
import { MarketFacts } from './market-facts.js'
import { readVerdict, type Verdict } from './shown-verdict.js'

/** What a person sees without scrolling: what it is, whether to buy, why, and in which market. */
export function FirstScreen({ target, reports, children }: { target: Target; reports: Reports; children?: ReactNode }) {
  return (
    <>
      <ReportHead target={target} reports={reports} />
      <VerdictBlock verdict={readVerdict(reports)} of={target.address} />
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
      <TokenName token={reports.simulation?.token ?? reports.honeypot?.token ?? reports.phishing?.token ?? null} />
      <p className="mono wrap address">{target.address}</p>
    </header>
  )
}

/** What the token calls itself. It may lie: what it is taken for stands beside it. */
function TokenName({ token }: { token: Token }) {
  if (token === null || (token.name === '' && token.symbol === '')) return null
  const { name, symbol, marks, imitates } = token
  return (
    <p className="token-name">
      <strong>
        <bdi>{name || symbol}</bdi>
      </strong>
      {name !== '' && symbol !== '' && (
        <>
          {' '}
          (<bdi>{symbol}</bdi>)
        </>
      )}
      {imitates && <span className="warning"> Not the well-known {imitates.symbol}.</span>}
      {marks.includes('hidden') && <span className="warning"> Its name has hidden characters.</span>}
      {marks.includes('mixed-scripts') && <span className="warning"> Its name mixes alphabets that look alike.</span>}
    </p>
  )
}

function VerdictBlock({ verdict, of }: { verdict: Verdict; of: string }) {
  const { look, advice, level, headline, reason, missing } = verdict
  return (
    <section className="verdict" data-level={look} data-of={of} aria-labelledby="verdict">
      <p className="advice">{advice}</p>
      <p className="stamp">{level}</p>
      <h1 id="verdict">{headline}</h1>
      <p className="lead">{reason}</p>
      {missing !== undefined && <p className="note">{missing}</p>}
    </section>
  )
}

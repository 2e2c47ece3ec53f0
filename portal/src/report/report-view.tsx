import { useEffect, useMemo, useState } from 'react'
import type { Honeypot, Reports, Target, Token } from '../api/reports.js'
import { useChain } from '../chains.js'
import { formatCount, formatTime } from '../format.js'
import { CopyButton } from '../parts/copy-button.js'
import { TargetForm } from '../parts/target-form.js'
import { replaceLocation } from '../router.js'
import { Activity } from './activity.js'
import { CallTree } from './call-tree.js'
import { Conditions } from './conditions.js'
import { Findings } from './findings.js'
import { Fields } from './generic.js'
import { HolderAnalysis } from './holder-analysis.js'
import { KeyFigures } from './key-figures.js'
import { Liquidity } from './liquidity.js'
import { MoneyFlow } from './money-flow.js'
import { PhishingChecks } from './phishing-checks.js'
import { Powers } from './powers.js'
import { Section } from './section.js'
import { readVerdict, type Verdict } from './shown-verdict.js'
import { TaxChart } from './tax-chart.js'
import { unknownFields } from './unknown-fields.js'

/** The whole report, worst things first. */
export function ReportView({ target, reports, onAgain }: { target: Target; reports: Reports; onAgain(): void }) {
  const [wanted, setWanted] = useState<string>()
  const { coin } = useChain(target.chain)
  const verdict = useMemo(() => readVerdict(reports), [reports])
  const { simulation, honeypot, phishing } = reports
  const simulate = simulation?.checks.simulateResult
  const link = permanentLink(target, reports)
  const rest = useMemo(() => unknownFields(reports), [reports])

  useEffect(() => {
    if (link !== undefined) replaceLocation(link)
  }, [link])

  return (
    <article className="page report" aria-labelledby="verdict">
      <ReportHead target={target} reports={reports} link={link} onAgain={onAgain} />
      <VerdictBlock verdict={verdict} />
      <KeyFigures reports={reports} />
      <Failures reports={reports} />
      {honeypot && (
        <Section
          title="Tax, now and later"
          note="What is bought now and held, and what is bought then: the worse of the two."
        >
          <TaxChart honeypot={honeypot.honeypotResponse} />
        </Section>
      )}
      {simulate && target.chain !== 'SOL' && (
        <Section title="Where the money went" note="One round trip of a fresh account, without gas.">
          <MoneyFlow simulate={simulate} chain={target.chain} />
        </Section>
      )}
      <Section title="Findings in the code" note="What was seen, and where, so that you can look for yourself.">
        <Findings reports={reports} onShowInTrace={setWanted} />
      </Section>
      {honeypot && <Surroundings trade={honeypot.honeypotResponse} chain={target.chain} />}
      {phishing && (
        <Section title="Approvals and signatures" note="What it does with what victims approve, sign or pay.">
          <PhishingChecks phishing={phishing} />
        </Section>
      )}
      {rest.map(({ title, value }) => (
        <Section key={title} title={title}>
          <Fields value={value} />
        </Section>
      ))}
      {simulation && (
        <Section title="Is it alive?" note={simulation.checks.transactionHistoryResult.message}>
          <Activity history={simulation.checks.transactionHistoryResult} />
        </Section>
      )}
      {simulate && simulate.simulation.calls.length > 0 && (
        <Section
          title="Every call of the trade"
          note="What called what, with which data. Red is what failed."
          id="trace"
        >
          <CallTree simulate={simulate} target={target.address} wanted={wanted} coin={coin} />
        </Section>
      )}
      <Section title="Raw answer" note="Exactly what a program receives.">
        <RawJson reports={reports} />
      </Section>
      <Section title="Another one">
        <TargetForm target={{ address: '', chain: target.chain }} />
      </Section>
    </article>
  )
}

/**
 * What can come over those who hold it: from the keys, from the pool, and as it came over others.
 */
function Surroundings({ trade, chain }: { trade: Honeypot; chain: string }) {
  const { powers, powersTried, holderAnalysis, liquidity, conditions, coverage } = trade
  const { coin } = useChain(chain)
  return (
    <>
      {coverage && (
        <Section
          title="What decides a sale"
          note="Each condition of the token's code on the way of a sale, and what selling comes to where it answers otherwise."
        >
          <Conditions conditions={conditions} coverage={coverage} />
        </Section>
      )}
      {(powersTried || powers.length > 0) && (
        <Section title="Power over holders" note="What those who hold the keys did when it was played through.">
          <Powers trade={trade} />
        </Section>
      )}
      {holderAnalysis && (
        <Section title="Those who hold it" note="Sells by real holders, each on a copy of its own.">
          <HolderAnalysis analysis={holderAnalysis} />
        </Section>
      )}
      {liquidity && (
        <Section title="Liquidity" note="Whose it is, and when it can leave.">
          <Liquidity report={liquidity} coin={coin} />
        </Section>
      )}
    </>
  )
}

function ReportHead({
  target,
  reports,
  link,
  onAgain,
}: {
  target: Target
  reports: Reports
  link: string | undefined
  onAgain(): void
}) {
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
      <div className="row">
        <CopyButton text={target.address} label="Copy address" what="the address" />
        {link !== undefined && (
          <CopyButton text={`${location.origin}${link}`} label="Copy permanent link" what="the permanent link" />
        )}
        <button type="button" className="button plain" onClick={onAgain}>
          Run again
        </button>
      </div>
    </header>
  )
}

/** What the token calls itself. It may lie: what it is taken for stands beside it. */
function TokenName({ token }: { token: Token }) {
  if (token === null || (token.name === '' && token.symbol === '')) return null
  const { name, symbol, marks, imitates } = token
  return (
    <p className="token-name">
      <strong>{name || symbol}</strong>
      {name !== '' && symbol !== '' && <> ({symbol})</>}
      {imitates && <span className="warning"> Not the well-known {imitates.symbol}.</span>}
      {marks.includes('hidden') && <span className="warning"> Its name has hidden characters.</span>}
      {marks.includes('mixed-scripts') && <span className="warning"> Its name mixes alphabets that look alike.</span>}
    </p>
  )
}

function VerdictBlock({ verdict: { look, stamp, headline, reason, missing } }: { verdict: Verdict }) {
  return (
    <section className="verdict" data-level={look}>
      <p className="stamp">{stamp}</p>
      <h1 id="verdict">{headline}</h1>
      <p className="lead">{reason}</p>
      {missing !== undefined && <p className="note">{missing}</p>}
    </section>
  )
}

function Failures({ reports: { failures } }: { reports: Reports }) {
  const entries = Object.entries(failures)
  if (entries.length === 0) return null
  return (
    <div className="note" role="alert">
      {entries.map(([name, { errorReason }]) => (
        <p key={name}>
          The {name} is missing from this report: {errorReason}.
        </p>
      ))}
    </div>
  )
}

function RawJson({ reports }: { reports: Reports }) {
  const { simulation, honeypot, phishing, others } = reports
  const all = 'solana' in others ? others : { simulation, honeypot, phishing, ...others }
  const parts = Object.entries(all).filter(([, value]) => value !== undefined)
  return (
    <>
      {parts.map(([name, value]) => (
        <details key={name} className="disclosure">
          <summary>{name}</summary>
          <CopyButton text={JSON.stringify(value, null, 2)} what={`the JSON of the ${name}`} />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls by keyboard */}
          <pre tabIndex={0} data-json={name}>
            {JSON.stringify(value, null, 2)}
          </pre>
        </details>
      ))}
    </>
  )
}

/** The same chain, address and block: opening it has the same state analysed. */
function permanentLink({ chain, address }: Target, { simulation, honeypot }: Reports): string | undefined {
  const block = simulation?.block ?? honeypot?.block
  // A cluster of Solana cannot be asked about its past.
  if (chain === 'SOL') return `/report/${chain}/${address}`
  return block && `/report/${chain}/${address}?block=${block.number}`
}

import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { Honeypot, Reports, SolanaReport, Target, Token } from '../api/reports.js'
import { useChain } from '../chains.js'
import { CopyButton } from '../parts/copy-button.js'
import { TargetForm } from '../parts/target-form.js'
import { Link, replaceLocation } from '../router.js'
import { Activity } from './activity.js'
import { CallTree } from './call-tree.js'
import { NO_UNITS, type TokenUnits } from './condition-words.js'
import { Conditions } from './conditions.js'
import { Findings } from './findings.js'
import { FirstScreen } from './first-screen.js'
import { Fields } from './generic.js'
import { HolderAnalysis } from './holder-analysis.js'
import { Liquidity } from './liquidity.js'
import { MarketPools, Origin } from './market.js'
import { readMarket } from './market-view.js'
import { NotTried, Part } from './missing-parts.js'
import { MoneyFlow } from './money-flow.js'
import { PhishingChecks } from './phishing-checks.js'
import { Powers } from './powers.js'
import { Section } from './section.js'
import { SizeChart } from './size-chart.js'
import { SolanaParts } from './solana-parts.js'
import { TaxChart } from './tax-chart.js'
import { whyNotTraded } from './traded-windows.js'
import { unknownFields } from './unknown-fields.js'
import { WrongResult } from './wrong-result.js'

interface ReportViewProps {
  target: Target
  reports: Reports
  /** Of one that was kept: its address is another than that of an analysis. */
  savedId?: string
  /** Whether everyone who has its link can read it. */
  isShown?: boolean
  /** What can be done with it. */
  children?: ReactNode
}

/** The whole report, worst things first. */
export function ReportView({ target, reports, savedId, isShown = false, children }: ReportViewProps) {
  const [wanted, setWanted] = useState<string>()
  const { coin } = useChain(target.chain)
  const { simulation, honeypot, phishing } = reports
  const simulate = simulation?.checks.simulateResult
  // Without any there is nothing but the verdict, which says why.
  const hasAnswer = simulation !== undefined || honeypot !== undefined || phishing !== undefined
  // One answer of Solana has it all; the others are made of it.
  const solana = reports.others.solana as SolanaReport | undefined
  const nothingTraded = honeypot && whyNotTraded(honeypot.honeypotResponse, honeypot.token)
  const link = savedId !== undefined ? undefined : permanentLink(target, reports)
  const title = titleOf(reports)
  const rest = useMemo(() => unknownFields(reports), [reports])

  useEffect(() => {
    if (link !== undefined) replaceLocation(link)
  }, [link])

  useEffect(() => {
    if (title !== undefined) document.title = title
  }, [title])

  return (
    <article className="page report" aria-labelledby="verdict">
      <FirstScreen target={target} reports={reports}>
        <div className="row report-actions no-print">
          <CopyButton text={target.address} label="Copy address" what="the address" />
          {link !== undefined && (
            <CopyButton
              text={`${location.origin}${link}`}
              label={target.chain === 'SOL' ? 'Copy link' : 'Copy permanent link'}
              what="the link"
            />
          )}
          <button type="button" className="button plain" onClick={() => print()}>
            Print
          </button>
          <Link className="button plain" href={`/watches?chain=${target.chain}&address=${target.address}`}>
            Watch
          </Link>
          {children}
        </div>
      </FirstScreen>
      {hasAnswer && <Failures reports={reports} />}
      <MarketSection reports={reports} coin={coin} />
      {nothingTraded !== undefined && (
        <Section title="Not traded">
          <p className="note">{nothingTraded}. There was nothing to buy or sell: no tax, no holders, no liquidity.</p>
        </Section>
      )}
      {hasAnswer && nothingTraded === undefined && (
        <Part title="Tax, now and later" of="honeypot" reports={reports} note={TAX_NOTE}>
          {honeypot && <TaxChart honeypot={honeypot.honeypotResponse} />}
        </Part>
      )}
      {honeypot && hasSizes(honeypot.honeypotResponse) && (
        <Section title="Selling little and much" note="Each sold alone, by one who holds much, at the price of now.">
          <SizeChart trade={honeypot.honeypotResponse} units={honeypot.token ?? NO_UNITS} coin={coin} />
        </Section>
      )}
      {simulate && target.chain !== 'SOL' && nothingTraded === undefined && (
        <Section title="Where the money went" note="One round trip of a fresh account, without gas.">
          <MoneyFlow simulate={simulate} chain={target.chain} />
        </Section>
      )}
      {hasAnswer && (
        <Section title="Findings in the code" note="What was seen, and where, so that you can look for yourself.">
          <Findings reports={reports} onShowInTrace={setWanted} />
        </Section>
      )}
      {honeypot && <Surroundings trade={honeypot.honeypotResponse} chain={target.chain} token={honeypot.token} />}
      {hasAnswer && (
        <Part
          title="Approvals and signatures"
          of="phishing"
          reports={reports}
          note="What it does with what victims approve, sign or pay."
        >
          {phishing && <PhishingChecks phishing={phishing} />}
        </Part>
      )}
      {simulation?.checks.byteCodeResult.coverage && (
        <Section title="What decides a transfer" note="By the code alone, whatever the trade showed.">
          <Conditions
            conditions={simulation.checks.byteCodeResult.conditions}
            coverage={simulation.checks.byteCodeResult.coverage}
            units={simulation.token ?? NO_UNITS}
            act="a transfer"
          />
        </Section>
      )}
      {solana?.tokenInfo && <SolanaParts info={solana.tokenInfo} />}
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
        <Section title="Every call of the trade" note="What called what, and with what. Red is what failed." id="trace">
          <CallTree
            simulate={simulate}
            target={target.address}
            units={simulation?.token ?? NO_UNITS}
            wanted={wanted}
            coin={coin}
          />
        </Section>
      )}
      {hasAnswer && (
        <>
          <Section title="Raw answer" note="Exactly what a program receives.">
            <RawJson reports={reports} shownId={isShown ? savedId : undefined} />
          </Section>
          <Section title="Is this result wrong?" note="The operator of this service looks at it.">
            <details className="disclosure no-print">
              <summary>This result is wrong</summary>
              <WrongResult of={{ target, reports, savedId }} />
            </details>
          </Section>
        </>
      )}
      <Section title="Another one">
        <TargetForm />
      </Section>
    </article>
  )
}

/**
 * What can come over those who hold it: from the keys, from the pool, and as it came over others.
 */
function Surroundings({ trade, chain, token }: { trade: Honeypot; chain: string; token: Token }) {
  const units: TokenUnits = token ?? NO_UNITS
  const { powers, powersTried, holderAnalysis, liquidity, conditions, coverage } = trade
  const { coin } = useChain(chain)
  return (
    <>
      {coverage && (
        <Section
          title="What decides a sale"
          note="Each condition of the token's code on the way of a sale, and what selling comes to where it answers otherwise."
        >
          <Conditions conditions={conditions} coverage={coverage} units={units} act="a sale" />
        </Section>
      )}
      {(powersTried || powers.length > 0) && (
        <Section title="Power over holders" note="What those who hold the keys did when it was played through.">
          <Powers trade={trade} />
        </Section>
      )}
      {holderAnalysis && (
        <Section title="Those who hold it" note="Sells by real holders, each on a copy of its own.">
          <HolderAnalysis analysis={holderAnalysis} units={units} creator={trade.origin?.creator ?? undefined} />
        </Section>
      )}
      {liquidity && (
        <Section title="Liquidity" note="Whose it is, and when it can leave.">
          <Liquidity report={liquidity} coin={coin} />
        </Section>
      )}
      {chain !== 'SOL' && whyNotTraded(trade, token) === undefined && <NotTried trade={trade} />}
    </>
  )
}

const TAX_NOTE = 'What is bought now and held, and what is bought then: the worse of the two.'

const hasSizes = ({ saleSizes = [], maxBuy, maxSell }: Honeypot) =>
  saleSizes.length > 0 || maxBuy != null || maxSell != null

/** Where it can be traded, for how much, since when, and who made it. */
function MarketSection({ reports, coin }: { reports: Reports; coin: string }) {
  const market = readMarket(reports, coin)
  const { origin = null, liquidity } = reports.honeypot?.honeypotResponse ?? {}
  const { since = liquidity?.since ?? undefined, unit = 'block' } = market ?? {}
  if (!market && !origin && !since) return null
  return (
    <Section title="Market and origin" note={`As it was at the ${unit}, before any trade of ours.`}>
      {market && <MarketPools market={market} />}
      <Origin origin={origin} since={since} unit={unit} />
    </Section>
  )
}

function Failures({ reports: { failures } }: { reports: Reports }) {
  const entries = Object.entries(failures)
  if (entries.length === 0) return null
  return (
    <div className="note" role="alert">
      {entries.map(([name, { errorReason }]) => (
        <p key={name}>
          {PART_NAMES[name] ?? name} is missing from this report: {errorReason}.
        </p>
      ))}
    </div>
  )
}

const PART_NAMES: Readonly<Record<string, string>> = {
  simulation: 'The trade of now, with code and history,',
  honeypot: 'The trade over time, with powers and holders,',
  phishing: 'What becomes of approvals and signatures',
}

function RawJson({ reports, shownId }: { reports: Reports; shownId: string | undefined }) {
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
      {shownId !== undefined && (
        <p className="row no-print">
          <span className="quiet">As it was sealed, to verify it yourself:</span>
          {parts.map(([name]) => (
            <a key={name} href={`/r/${shownId}/answers/${name}`}>
              {name}
            </a>
          ))}
          <a href={`/r/${shownId}/report.json`}>all of it</a>
        </p>
      )}
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

/** What a tab, a bookmark and a history say: the token's own short name, and whether to buy. */
function titleOf({ simulation, honeypot }: Reports): string | undefined {
  const { token, overall } = simulation ?? honeypot ?? {}
  const name = token?.symbol || token?.name
  return name && overall ? `${name}: ${overall.advice} · Assay` : undefined
}

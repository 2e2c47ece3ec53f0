import { useCallback, useEffect, useState } from 'react'
import { RequestError } from '../api/api-client.js'
import { type SavedReport, savedReportsOf } from '../api/saved-reports.js'
import { useChains } from '../chains.js'
import { formatTime, shorten } from '../format.js'
import { FactTable } from '../parts/fact-table.js'
import { SignIn } from '../parts/sign-in.js'
import { Link } from '../router.js'
import { useSession } from '../session.js'
import '../styles/report.css'

/** What the wallet that is signed in, or the key that was entered, keeps. */
export function ReportsPage() {
  const { wallet, apiKey, isKnown } = useSession()
  const caller = apiKey ?? wallet?.id
  if (!isKnown) return <p className="page quiet">Loading …</p>
  return caller === undefined ? <SignInFirst /> : <Kept key={caller} apiKey={apiKey} />
}

function SignInFirst() {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="page narrow">
      <h1>Reports that you keep.</h1>
      <p className="lead">A report that you get a link to is kept for thirty days, for you to show, hide or delete.</p>
      <p>
        <button type="button" className="button primary" onClick={() => setOpen(true)}>
          Sign in
        </button>
      </p>
      {isOpen && <SignIn onClose={() => setOpen(false)} />}
    </div>
  )
}

function Kept({ apiKey }: { apiKey: string | undefined }) {
  const [reports, setReports] = useState<readonly SavedReport[]>()
  const [problem, setProblem] = useState('')
  const attempt = useCallback(
    async (action: (kept: ReturnType<typeof savedReportsOf>) => Promise<unknown>) => {
      const kept = savedReportsOf(apiKey)
      setProblem('')
      try {
        await action(kept)
        setReports((await kept.list()).reports)
      } catch (error) {
        setProblem(error instanceof RequestError ? `${error.failure.errorReason}.` : 'That did not work.')
      }
    },
    [apiKey],
  )
  useEffect(() => void attempt(async () => {}), [attempt])
  return (
    <div className="page report">
      <h1>Your reports</h1>
      <p className="problem" role="alert">
        {problem}
      </p>
      {reports === undefined && problem === '' && <p className="quiet">Loading …</p>}
      {reports?.length === 0 && (
        <p className="note">
          None is kept. <Link href="/">Analyse an address</Link>, and get a link to its report.
        </p>
      )}
      {reports !== undefined && reports.length > 0 && (
        <ReportTable
          reports={reports}
          onTurn={({ id, visibility }) =>
            attempt((kept) => kept.setVisibility(id, visibility === 'link' ? 'private' : 'link'))
          }
          onRemove={({ id }) => attempt((kept) => kept.remove(id))}
        />
      )}
    </div>
  )
}

interface ReportTableProps {
  reports: readonly SavedReport[]
  onTurn(report: SavedReport): Promise<void>
  onRemove(report: SavedReport): Promise<void>
}

function ReportTable({ reports, onTurn, onRemove }: ReportTableProps) {
  const chains = useChains()
  return (
    <FactTable
      label="Your reports"
      rows={reports.map((report) => {
        const { id, symbol, name, address, chain, overall, createdAt, expiresAt, visibility } = report
        const called = symbol || name || shorten(address)
        return {
          key: id,
          cells: {
            Token: <Link href={`/r/${id}`}>{called}</Link>,
            Chain: chains.find((each) => each.id === chain)?.name ?? chain,
            Verdict: overall?.advice ?? 'Not known',
            'Kept since': formatTime(createdAt),
            Until: formatTime(expiresAt),
            'Who can read it': visibility === 'link' ? 'Everyone with its link' : 'You alone',
            'What to do': (
              <span className="row">
                <button
                  type="button"
                  className="button plain"
                  onClick={() => void onTurn(report)}
                  aria-label={`${visibility === 'link' ? 'Hide' : 'Show'} the report on ${called}`}
                >
                  {visibility === 'link' ? 'Hide' : 'Show'}
                </button>
                <button
                  type="button"
                  className="button plain"
                  onClick={() => void onRemove(report)}
                  aria-label={`Delete the report on ${called}`}
                >
                  Delete
                </button>
              </span>
            ),
          },
        }
      })}
    />
  )
}

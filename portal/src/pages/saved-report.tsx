import { useEffect, useState } from 'react'
import { type LoadedReport, savedReportsOf } from '../api/saved-reports.js'
import { formatTime } from '../format.js'
import { ReportView } from '../report/report-view.js'
import { CheckAgain } from '../report/what-changed.js'
import { Link } from '../router.js'
import { useSession } from '../session.js'
import '../styles/report.css'

/** A report that was kept: read by its link, or by the one who made it. */
export function SavedReportPage({ id }: { id: string }) {
  const { apiKey, wallet, isKnown } = useSession()
  const [loaded, setLoaded] = useState<LoadedReport | 'missing'>()
  const mayBeOwner = apiKey !== undefined || wallet !== null
  useEffect(() => {
    if (!isKnown) return
    let isHere = true
    savedReportsOf(apiKey)
      .load(id, mayBeOwner)
      .then(
        (found) => isHere && setLoaded(found),
        () => isHere && setLoaded('missing'),
      )
    return () => {
      isHere = false
    }
  }, [id, apiKey, mayBeOwner, isKnown])

  if (loaded === undefined) return <p className="page quiet">Loading …</p>
  if (loaded === 'missing') return <Missing />
  const { report, reports } = loaded
  const unit = report.chain === 'SOL' ? 'slot' : 'block'
  const target = { chain: report.chain, address: report.address }
  return (
    <ReportView target={target} reports={reports} savedId={id} isShown={report.visibility === 'link'}>
      <p className="quiet">
        Kept on {formatTime(report.createdAt)}, until {formatTime(report.expiresAt)}. This is how it was at that
        {` ${unit}`}, and may have changed since.
      </p>
      <CheckAgain id={id} target={target} unit={unit} />
    </ReportView>
  )
}

function Missing() {
  return (
    <div className="page narrow">
      <h1>There is no such report.</h1>
      <p className="lead">It may be past its time, deleted, or private to the one who made it.</p>
      <p>
        <Link href="/">Analyse an address</Link> instead.
      </p>
    </div>
  )
}

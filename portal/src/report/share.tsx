import { useState } from 'react'
import { RequestError, WANTS_SIGN_IN } from '../api/api-client.js'
import type { Target } from '../api/reports.js'
import { type SavedReport, savedReportsOf } from '../api/saved-reports.js'
import { formatTime } from '../format.js'
import { CopyButton } from '../parts/copy-button.js'
import { SignIn } from '../parts/sign-in.js'
import { Link } from '../router.js'
import { useSession } from '../session.js'

/** Keeps a report and gives the link by which others see it. */
export function Share({ target }: { target: Target }) {
  const { apiKey } = useSession()
  const [saved, setSaved] = useState<SavedReport>()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const [isSigningIn, setSigningIn] = useState(false)
  if (saved) return <SharedReport report={saved} onDeleted={() => setSaved(undefined)} />
  const keep = async () => {
    setBusy(true)
    setProblem('')
    try {
      setSaved(await savedReportsOf(apiKey).save(target))
    } catch (error) {
      setProblem(wordsOf(error))
      setSigningIn(error instanceof RequestError && WANTS_SIGN_IN.has(error.failure.code))
    }
    setBusy(false)
  }
  return (
    <>
      <button type="button" className="button plain" onClick={() => void keep()} disabled={isBusy}>
        {isBusy ? 'Making a link …' : 'Get a link to share'}
      </button>
      {isSigningIn && <SignIn onClose={() => setSigningIn(false)} />}
      <span className="problem" role="alert">
        {problem}
      </span>
    </>
  )
}

/** What the owner of a kept report can do with it. */
export function SharedReport({ report, onDeleted }: { report: SavedReport; onDeleted(): void }) {
  const { apiKey, wallet } = useSession()
  const isOwner = apiKey !== undefined || wallet !== null
  const [visibility, setVisibility] = useState(report.visibility)
  const [problem, setProblem] = useState('')
  const { id, url } = report
  const attempt = (work: () => Promise<unknown>) => {
    setProblem('')
    work().catch((error: unknown) => setProblem(wordsOf(error)))
  }
  const turn = () =>
    attempt(async () => {
      const next = visibility === 'link' ? 'private' : 'link'
      await savedReportsOf(apiKey).setVisibility(id, next)
      setVisibility(next)
    })
  const remove = () =>
    attempt(async () => {
      await savedReportsOf(apiKey).remove(id)
      onDeleted()
    })
  return (
    <div className="shared no-print">
      <p>
        <a href={`/r/${id}`} className="mono wrap">
          {url}
        </a>{' '}
        <span className="quiet">
          {visibility === 'link'
            ? `Everyone who has this link can read it, until ${formatTime(report.expiresAt)}.`
            : 'Only you can read it.'}
        </span>
      </p>
      <div className="row">
        <CopyButton text={url} label="Copy link" what="the link" />
        <CopyButton text={badgeOf(url)} label="Copy badge" what="the badge" />
        <CopyButton text={frameOf(url)} label="Copy card" what="the card" />
        {isOwner && (
          <>
            <button type="button" className="button plain" onClick={turn}>
              {visibility === 'link' ? 'Keep it private' : 'Show it by its link'}
            </button>
            <button type="button" className="button plain" onClick={remove}>
              Delete
            </button>
            <Link className="button plain" href="/reports">
              All that you keep
            </Link>
          </>
        )}
      </div>
      <p className="problem" role="alert">
        {problem}
      </p>
    </div>
  )
}

const badgeOf = (url: string) => `<a href="${url}"><img src="${url}/badge.svg" alt="Assay report"></a>`
const frameOf = (url: string) => `<iframe src="${url}/card" width="540" height="260" title="Assay report"></iframe>`

const wordsOf = (error: unknown) =>
  error instanceof RequestError ? `${error.failure.errorReason}.` : 'That did not work.'

import { useCallback, useEffect, useState } from 'react'
import { RequestError, WANTS_SIGN_IN } from '../api/api-client.js'
import type { Target } from '../api/reports.js'
import { type AnalysisState, analyse, NOTHING_YET } from '../api/stream.js'
import { SignIn } from '../parts/sign-in.js'
import { TargetForm } from '../parts/target-form.js'
import { ProgressList } from '../report/progress.js'
import { ReportView } from '../report/report-view.js'
import { Share } from '../report/share.js'
import { useSession } from '../session.js'
import '../styles/report.css'

type Stage = { name: 'working' } | { name: 'refused'; error: RequestError }

/** One address on one chain: runs its analysis when the user may, and shows it as it comes. */
export function ReportPage({ target }: { target: Target }) {
  const { wallet, apiKey, isKnown } = useSession()
  const [state, setState] = useState<AnalysisState>(NOTHING_YET)
  const [stage, setStage] = useState<Stage>({ name: 'working' })
  const [round, setRound] = useState(0)
  const caller = apiKey ?? wallet?.id
  const { address, chain, blockNumber } = target

  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` begins the same analysis again
  useEffect(() => {
    if (!isKnown) return
    const controller = new AbortController()
    setState(NOTHING_YET)
    setStage({ name: 'working' })
    const wanted = { address, chain, ...(blockNumber !== undefined && { blockNumber }) }
    analyse(wanted, {
      apiKey,
      signal: controller.signal,
      onState: (next) => !controller.signal.aborted && setState(next),
    }).catch((error: unknown) => {
      if (controller.signal.aborted) return
      setStage({ name: 'refused', error: error instanceof RequestError ? error : LOST })
    })
    return () => controller.abort()
  }, [address, chain, blockNumber, apiKey, caller, isKnown, round])
  const again = useCallback(() => setRound((count) => count + 1), [])

  if (!isKnown) return <p className="page quiet">Loading …</p>
  if (stage.name === 'refused' && caller === undefined && WANTS_SIGN_IN.has(stage.error.failure.code))
    return <SignInFirst target={target} isUsedUp={stage.error.failure.code === 'guest_limit'} />
  if (stage.name === 'refused') return <Refused target={target} error={stage.error} onRetry={again} />
  if (!state.isOver) return <ProgressList target={target} {...state} />
  const block = state.reports.simulation?.block ?? state.reports.honeypot?.block
  return (
    <ReportView target={target} reports={state.reports}>
      <button type="button" className="button plain" onClick={again}>
        Run again
      </button>
      {block && <Share target={{ address, chain, blockNumber: block.number }} />}
    </ReportView>
  )
}

const LOST = new RequestError(0, { errorReason: 'The connection was lost', code: 'unreachable' })

function SignInFirst({ target, isUsedUp }: { target: Target; isUsedUp: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="page narrow">
      <h1>Sign in to see this report.</h1>
      <p className="lead">
        {isUsedUp && 'The free checks of this hour are used up. '}
        An analysis is real work for a real node, so it is counted. A wallet is enough: it signs a message, costs
        nothing, and gives ten analyses a minute.
      </p>
      <p>
        <button type="button" className="button primary" onClick={() => setOpen(true)}>
          Sign in
        </button>
      </p>
      <p className="quiet mono wrap">{target.address}</p>
      {isOpen && <SignIn onClose={() => setOpen(false)} />}
    </div>
  )
}

function Refused({ target, error, onRetry }: { target: Target; error: RequestError; onRetry(): void }) {
  const { setApiKey, setWallet } = useSession()
  const isOver = error.failure.code === 'session_required' || error.failure.code === 'invalid_key'
  const forget = () => {
    setApiKey(undefined)
    setWallet(null)
  }
  return (
    <div className="page narrow">
      <h1>No report this time.</h1>
      <p className="lead" role="alert">
        {error.failure.errorReason}.
      </p>
      <p>{adviseOn(error)}</p>
      <p className="row">
        {isOver ? (
          <button type="button" className="button primary" onClick={forget}>
            Sign in again
          </button>
        ) : (
          <button type="button" className="button primary" onClick={onRetry}>
            Try again
          </button>
        )}
      </p>
      <TargetForm target={target} />
    </div>
  )
}

function adviseOn({ status, retryAfter }: RequestError): string {
  if (status === 429) return `That was enough for this minute. There is room again in ${retryAfter ?? 60} seconds.`
  if (status === 503) return 'More analyses wait than can be made in reasonable time.'
  if (status === 400) return 'The address or the chain cannot be analysed as it was given.'
  if (status === 0) return 'Check the connection, or whether the service runs.'
  return 'This says nothing about the token.'
}

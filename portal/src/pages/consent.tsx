import { useRef, useState } from 'react'
import { RequestError, WANTS_SIGN_IN } from '../api/api-client.js'
import type { Phishing } from '../api/reports.js'
import { askStream } from '../api/stream.js'
import { ConsentForm } from '../consent/consent-form.js'
import { ConsentView } from '../consent/consent-view.js'
import { SignIn } from '../parts/sign-in.js'
import { useSession } from '../session.js'
import '../styles/report.css'
import '../styles/consent.css'

type State =
  | { name: 'ready' | 'working' }
  | { name: 'done'; phishing: Phishing }
  | { name: 'failed'; reason: string; code?: string }

/** What a website asks a wallet for, played before the wallet says yes. */
export function ConsentPage() {
  const { wallet, apiKey } = useSession()
  const [state, setState] = useState<State>({ name: 'ready' })
  const [isSigningIn, setSigningIn] = useState(false)
  const running = useRef<AbortController>(undefined)

  const ask = async (body: object) => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    setState({ name: 'working' })
    const next = await askOnce(body, apiKey, controller.signal)
    if (controller.signal.aborted) return
    setState(next)
    const isGuest = apiKey === undefined && wallet === null
    if (isGuest && next.name === 'failed' && WANTS_SIGN_IN.has(next.code ?? '')) setSigningIn(true)
  }
  return (
    <div className="page">
      <h1>Is this request safe to confirm?</h1>
      <p className="lead">
        Enter what a website asks your wallet for. It is played on a private copy of the chain with what the wallet has:
        what leaves, what comes in, and who may take what afterwards.
      </p>
      <ConsentForm isBusy={state.name === 'working'} onAsk={(body) => void ask(body)} />
      <div aria-live="polite">
        {state.name === 'failed' && (
          <p className="note" role="alert">
            {state.reason}. This says nothing about the request.
          </p>
        )}
        {state.name === 'done' && <ConsentView phishing={state.phishing} />}
      </div>
      {isSigningIn && <SignIn onClose={() => setSigningIn(false)} />}
    </div>
  )
}

async function askOnce(body: object, apiKey: string | undefined, signal: AbortSignal): Promise<State> {
  try {
    for await (const { name, data } of askStream(body, { apiKey, signal })) {
      if (name === 'report') return { name: 'done', phishing: data.report as Phishing }
      if (name === 'failure') return { name: 'failed', reason: String(data.errorReason) }
    }
    return { name: 'failed', reason: 'The connection was lost' }
  } catch (error) {
    return {
      name: 'failed',
      ...(error instanceof RequestError
        ? { reason: error.failure.errorReason, code: error.failure.code }
        : { reason: 'The connection was lost' }),
    }
  }
}

import { useEffect, useState } from 'react'
import type { Target } from '../api/reports.js'
import type { AnalysisState, Step } from '../api/stream.js'
import { useChain } from '../chains.js'
import { formatSeconds, sayExpected } from './expected-time.js'
import '../styles/progress.css'

const STEPS: readonly { step: Step; name: string; what: string }[] = [
  { step: 'block', name: 'Pin a block', what: 'All that follows is read at one block.' },
  { step: 'simulate', name: 'Buy and sell', what: 'A fresh account trades through the exchange.' },
  { step: 'honeypot', name: 'Travel in time', what: 'The same trade in 24 hours and in 7 days.' },
  { step: 'bytecode', name: 'Read the code', what: 'Who can do what to those who hold it.' },
  { step: 'phishing', name: 'Play the victim', what: 'What becomes of what is approved, signed or paid.' },
  { step: 'history', name: 'Count transfers', what: 'Whether it is used.' },
]

const TICK_MS = 100

/** What is done and what is under way, for the eye and for a screen reader. */
export function ProgressList({
  target,
  progress,
  expected,
}: { target: Target } & Pick<AnalysisState, 'progress' | 'expected'>) {
  const { name: chainName } = useChain(target.chain)
  const [startedAt] = useState(() => performance.now())
  const [now, setNow] = useState(startedAt)
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  // On Solana there are no approvals to play a victim of.
  const steps = target.chain === 'SOL' ? STEPS.filter(({ step }) => step !== 'phishing') : STEPS
  const done = steps.filter(({ step }) => progress[step] !== undefined)
  return (
    <div className="page narrow progress">
      <p className="eyebrow">{chainName}</p>
      <h1>Under test</h1>
      <p className="mono wrap quiet">{target.address}</p>
      <p className="quiet">
        <span aria-hidden="true">{formatSeconds(now - startedAt)} so far. </span>
        {expected && sayExpected(expected, now - startedAt)}
      </p>
      <ol className="steps">
        {steps.map(({ step, name, what }) => (
          <li key={step} data-state={progress[step] ?? 'working'}>
            <span className="step-mark" aria-hidden="true" />
            <span className="step-name">{name}</span>
            <span className="step-what">{what}</span>
            <span className="step-state">{STATE_WORDS[progress[step] ?? 'working']}</span>
          </li>
        ))}
      </ol>
      <p className="visually-hidden" role="status">
        {done.length} of {steps.length} parts are done.
      </p>
    </div>
  )
}

const STATE_WORDS = { working: 'working', done: 'done', failed: 'failed' } as const

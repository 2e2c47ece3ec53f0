import { type FormEvent, useId, useState } from 'react'
import { RequestError } from '../api/api-client.js'
import { type Disputed, type FalseResult, reportFalseResult } from '../api/false-results.js'
import { formatTime } from '../format.js'
import { useSession } from '../session.js'

const EXPECTED = [
  ['harmless', 'It is harmless, and the result says otherwise'],
  ['harmful', 'It is a trap, and the result is too calm'],
  ['other', 'Something else is wrong'],
] as const

/** As many characters as the service takes. */
const MAX_MESSAGE = 1_000

/** Tells the operator that a result is wrong, and what its reader says of it. */
export function WrongResult({ of }: { of: Disputed }) {
  const { apiKey, wallet } = useSession()
  const [state, setState] = useState<{ kept?: FalseResult; problem?: string; isBusy?: boolean }>({})
  const id = useId()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const [message, expected] = ['message', 'expected'].map((name) => String(form.get(name) ?? '').trim())
    if (!message) return setState({ problem: 'Say in a few words what is wrong.' })
    setState({ isBusy: true })
    reportFalseResult(of, { message, expected: expected ?? 'other' }, apiKey).then(
      (kept) => setState({ kept }),
      (error: unknown) => setState({ problem: wordsOf(error) }),
    )
  }
  if (state.kept) return <Thanks kept={state.kept} />
  if (apiKey === undefined && wallet === null) {
    return <p className="quiet">Sign in to say what is wrong: a complaint is counted like a check.</p>
  }
  return (
    <form className="wrong-result" onSubmit={submit} noValidate>
      <fieldset>
        <legend>What is it?</legend>
        {EXPECTED.map(([value, words], i) => (
          <label key={value} className="choice-line">
            <input type="radio" name="expected" value={value} defaultChecked={i === 0} /> {words}
          </label>
        ))}
      </fieldset>
      <div className="field">
        <label htmlFor={id}>Why, in your own words</label>
        <textarea
          id={id}
          name="message"
          rows={4}
          maxLength={MAX_MESSAGE}
          placeholder="A transaction, a page of the project, what you tried …"
          aria-describedby={`${id}-sent`}
        />
      </div>
      <p id={`${id}-sent`} className="quiet">
        The operator of this service gets what you write, which result it is about, and your key or wallet.{' '}
        {of.savedId === undefined
          ? 'The check is made once more at the same block, and counts as one of yours.'
          : 'It counts as one of your checks.'}{' '}
        It is kept for ninety days.
      </p>
      <button type="submit" className="button" disabled={state.isBusy}>
        {state.isBusy ? 'Sending …' : 'Send'}
      </button>
      <p className="problem" role="alert">
        {state.problem}
      </p>
    </form>
  )
}

function Thanks({ kept: { id, expiresAt, isAsSeen } }: { kept: FalseResult }) {
  return (
    <p className="note" role="status">
      Thank you. It is kept as <span className="mono">{id}</span> until {formatTime(expiresAt)}.
      {isAsSeen === false && ' Made once more, the result is another one now: both are in what the operator sees.'}
    </p>
  )
}

const wordsOf = (error: unknown) =>
  error instanceof RequestError ? `${error.failure.errorReason}.` : 'That did not work.'

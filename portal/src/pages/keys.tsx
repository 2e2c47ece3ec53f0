import { type FormEvent, useCallback, useEffect, useState } from 'react'
import { type ApiKey, api, RequestError } from '../api/api-client.js'
import { readUsage, type Usage } from '../api/usage.js'
import { formatTime } from '../format.js'
import { CopyButton } from '../parts/copy-button.js'
import { SignIn } from '../parts/sign-in.js'
import { Snippets } from '../parts/snippets.js'
import { UsageChart } from '../parts/usage-chart.js'
import { useSession } from '../session.js'
import '../styles/keys.css'

/** The keys of the wallet that is signed in. */
export function KeysPage() {
  const { wallet, isKnown } = useSession()
  if (!isKnown) return <p className="page quiet">Loading …</p>
  return wallet ? <Keys /> : <SignInFirst />
}

function SignInFirst() {
  const { apiKey } = useSession()
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="page narrow">
      <h1>Keys for your programs.</h1>
      <p className="lead">
        A wallet signs in and makes its own keys, free of charge: ten analyses and thirty other requests a minute each.
      </p>
      {apiKey !== undefined && (
        <p className="note">The key that you entered is used for analyses, reports and watches. It makes no others.</p>
      )}
      <p>
        <button type="button" className="button primary" onClick={() => setOpen(true)}>
          {apiKey === undefined ? 'Sign in' : 'Sign in with a wallet'}
        </button>
      </p>
      {isOpen && <SignIn onClose={() => setOpen(false)} />}
    </div>
  )
}

type Fresh = { key: string; label: string }

function Keys() {
  const { setWallet } = useSession()
  const [list, setList] = useState<{ keys: ApiKey[]; maxKeys: number }>()
  const [usage, setUsage] = useState<Usage>()
  const [fresh, setFresh] = useState<Fresh>()
  const [problem, setProblem] = useState('')

  const attempt = useCallback(
    async (action: () => Promise<void>) => {
      setProblem('')
      try {
        await action()
        setList(await api.keys())
      } catch (error) {
        if (error instanceof RequestError && error.failure.code === 'session_required') setWallet(null)
        else setProblem(error instanceof RequestError ? `${error.failure.errorReason}.` : 'That did not work.')
      }
    },
    [setWallet],
  )
  useEffect(() => void attempt(async () => {}), [attempt])
  useEffect(() => {
    // Keys are shown without it; the page says what is wrong with them.
    readUsage().then(setUsage, () => {})
  }, [])

  const create = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = new FormData(form)
    const label = String(fields.get('label') ?? '').trim()
    void attempt(async () => {
      const origins = String(fields.get('origins') ?? '').split(/[\s,]+/)
      setFresh(
        await api.createKey(
          label,
          origins.filter((origin) => origin !== ''),
        ),
      )
      form.reset()
    })
  }
  const rotate = (id: string) => attempt(async () => setFresh(await api.rotateKey(id)))
  const revoke = (id: string) => attempt(async () => void (await api.revokeKey(id)))

  return (
    <div className="page keys">
      <h1>Your keys</h1>
      <form className="row new-key" onSubmit={create}>
        <div className="field grow">
          <label htmlFor="label">What is it for?</label>
          <input id="label" name="label" required maxLength={100} autoComplete="off" placeholder="my bot" />
        </div>
        <div className="field grow">
          <label htmlFor="origins">Pages that use it, if any</label>
          <input id="origins" name="origins" autoComplete="off" placeholder="https://app.example" />
        </div>
        <button type="submit" className="button primary">
          Make a key
        </button>
      </form>
      <p className="problem" role="alert">
        {problem}
      </p>
      {fresh && <FreshKey fresh={fresh} />}
      {list === undefined ? (
        problem === '' && <p className="quiet">Loading …</p>
      ) : (
        <KeyTable list={list} usage={usage} onRotate={rotate} onRevoke={revoke} />
      )}
      {!fresh && list !== undefined && (
        <>
          <h2>How to use one</h2>
          <Snippets apiKey="$ASSAY_KEY" origin={location.origin} />
        </>
      )}
    </div>
  )
}

function FreshKey({ fresh: { key, label } }: { fresh: Fresh }) {
  return (
    <section className="fresh" aria-labelledby="fresh-title">
      <h2 id="fresh-title">Your new key: {label}</h2>
      <p>It is shown this once and stored nowhere. Keep it where programs keep their secrets.</p>
      <div className="row">
        <code className="mono wrap" data-testid="new-key">
          {key}
        </code>
        <CopyButton text={key} what="the key" />
      </div>
      <Snippets apiKey={key} origin={location.origin} />
    </section>
  )
}

interface KeyTableProps {
  list: { keys: ApiKey[]; maxKeys: number }
  usage: Usage | undefined
  onRotate(id: string): Promise<void>
  onRevoke(id: string): Promise<void>
}

function KeyTable({ list: { keys, maxKeys }, usage, onRotate, onRevoke }: KeyTableProps) {
  if (keys.length === 0) return <p className="note">No key yet. The first one takes a name and a click.</p>
  return (
    <>
      <ul className="key-list" aria-label="Keys">
        {keys.map((key) => (
          <li key={key.id}>
            <KeyRow apiKey={key} usage={usage} onRotate={onRotate} onRevoke={onRevoke} />
          </li>
        ))}
      </ul>
      <p className="quiet">
        {keys.length} of {maxKeys} keys. A revoked key is refused everywhere within a second.
      </p>
    </>
  )
}

function KeyRow({ apiKey, usage, onRotate, onRevoke }: Omit<KeyTableProps, 'list'> & { apiKey: ApiKey }) {
  const { id, label, masked, tier, limits, origins, createdAt, lastUsedAt } = apiKey
  const [question, setQuestion] = useState<'rotate' | 'revoke'>()
  const confirm = () => {
    const action = question === 'rotate' ? onRotate : onRevoke
    setQuestion(undefined)
    void action(id)
  }
  return (
    <>
      <div className="key-name">
        <strong>{label}</strong>
        <span className="mono">{masked.replace(/\*+/, '…')}</span>
      </div>
      <p className="quiet">
        {tier}, {limits.analysis} analyses a minute · made {formatTime(createdAt)} ·{' '}
        {lastUsedAt ? `last used ${formatTime(lastUsedAt)}` : 'never used'}
        {origins.length > 0 && ` · for pages of ${origins.join(', ')} alone`}
      </p>
      {usage && <UsageChart days={daysOf(usage, id)} count={usage.days} label={label} />}
      {question ? (
        <fieldset className="row" aria-label={`Really ${question} ${label}?`}>
          <span>{question === 'rotate' ? 'The old key ends at once.' : 'Whatever uses it stops at once.'}</span>
          <button type="button" className="button danger" onClick={confirm}>
            {question === 'rotate' ? 'Rotate' : 'Revoke'} it
          </button>
          <button type="button" className="button plain" onClick={() => setQuestion(undefined)}>
            Keep it
          </button>
        </fieldset>
      ) : (
        <div className="row">
          <button type="button" className="button" onClick={() => setQuestion('rotate')} aria-label={`Rotate ${label}`}>
            Rotate
          </button>
          <button type="button" className="button" onClick={() => setQuestion('revoke')} aria-label={`Revoke ${label}`}>
            Revoke
          </button>
        </div>
      )}
    </>
  )
}

const daysOf = (usage: Usage, id: string) => usage.keys.find((key) => key.id === id)?.days ?? []

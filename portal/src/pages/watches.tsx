import { type FormEvent, useCallback, useEffect, useId, useState } from 'react'
import { RequestError } from '../api/api-client.js'
import { type Alert, type Watch, watchesOf } from '../api/watches.js'
import { useChains } from '../chains.js'
import { formatTime, shorten } from '../format.js'
import { ChainSelect } from '../parts/chain-select.js'
import { ContactsOfKey } from '../parts/contacts-of-key.js'
import { ExactField } from '../parts/exact-field.js'
import { Level, Token } from '../parts/judged-token.js'
import { KeyEntry } from '../parts/key-entry.js'
import { readTarget } from '../parts/read-target.js'
import { useLocation } from '../router.js'
import { useSession } from '../session.js'
import '../styles/watches.css'

/** Tokens that one key has watched, and what became of them. */
export function WatchesPage() {
  const { apiKey } = useSession()
  return apiKey === undefined ? <KeyFirst /> : <Watches key={apiKey} apiKey={apiKey} />
}

function KeyFirst() {
  const { wallet } = useSession()
  return (
    <div className="page narrow">
      <h1>Hear of it when a token shuts.</h1>
      <p className="lead">
        Most traps are open when they are checked, and shut later. A watch follows what a verdict stands on, block by
        block, and tells when it changes. Watches belong to a key.
        {wallet && ' Signing in shows your keys, and never their secrets.'}
      </p>
      <KeyEntry label="The key, for this visit only" />
    </div>
  )
}

/** How often the service is asked for what is new. */
const LOOK_MS = 3_000
/** Alerts that are shown; the elder ones are in the interface. */
const MAX_SHOWN = 50

const WHAT_A_WATCH_IS =
  'One that is watched is judged again whenever something changes that its verdict stands on, and you are told.'

function Watches({ apiKey }: { apiKey: string }) {
  const [watches, setWatches] = useState<readonly Watch[]>()
  const [alerts, setAlerts] = useState<readonly Alert[]>([])
  const [problem, setProblem] = useState('')
  const [told, setTold] = useState<readonly string[]>([])

  const attempt = useCallback(async (action: () => Promise<unknown>) => {
    try {
      await action()
      setProblem('')
    } catch (error) {
      setProblem(error instanceof RequestError ? `${error.failure.errorReason}.` : 'That did not work.')
    }
  }, [])
  const reload = useCallback(
    () => attempt(async () => setWatches((await watchesOf(apiKey).list()).watches)),
    [apiKey, attempt],
  )
  useEffect(() => {
    let timer = 0
    let place = 0
    let isOver = false
    const look = async () => {
      await attempt(async () => {
        const { watches: all } = await watchesOf(apiKey).list()
        const { alerts: fresh, next } = await watchesOf(apiKey).alerts(place)
        if (isOver) return
        place = next
        setWatches(all)
        if (fresh.length > 0) setAlerts((known) => [...fresh.toReversed(), ...known].slice(0, MAX_SHOWN))
      })
      if (!isOver) timer = window.setTimeout(() => void look(), LOOK_MS)
    }
    void look()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [apiKey, attempt])

  const order = (address: string, chainId: Watch['chainId']) =>
    attempt(async () => {
      await watchesOf(apiKey).order(address, chainId, told)
      await reload()
    })
  const end = (id: string) =>
    attempt(async () => {
      await watchesOf(apiKey).end(id)
      await reload()
    })
  return (
    <div className="page watches">
      <h1>Watches</h1>
      <OrderForm onOrder={order} />
      <p className="problem" role="alert">
        {problem}
      </p>
      <ContactsOfKey apiKey={apiKey} onList={setTold} />
      <section aria-labelledby="alerts-title">
        <h2 id="alerts-title">What happened</h2>
        <p className="quiet">{alerts.length === 0 ? 'Nothing yet. This page looks by itself.' : 'The newest first.'}</p>
        <ul className="watch-list" aria-label="What happened" aria-live="polite">
          {alerts.map((alert) => (
            <AlertRow key={alert.id} alert={alert} />
          ))}
        </ul>
      </section>
      <section aria-labelledby="watched-title">
        <h2 id="watched-title">
          Watched <span className="quiet">{watches?.length}</span>
        </h2>
        {watches?.length === 0 && <p className="quiet">No token is watched with this key. {WHAT_A_WATCH_IS}</p>}
        <ul className="watch-list" aria-label="Watched">
          {watches?.map((watch) => (
            <WatchRow key={watch.id} watch={watch} onEnd={end} />
          ))}
        </ul>
      </section>
    </div>
  )
}

function OrderForm({ onOrder }: { onOrder(address: string, chainId: Watch['chainId']): Promise<void> }) {
  const { search } = useLocation()
  const chains = useChains()
  const problemId = useId()
  const [problem, setProblem] = useState('')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const typed = readTarget(String(form.get('address') ?? ''))
    if (typed.kind !== 'address') return setProblem('An address is 0x and 40 hex digits, or base58 on Solana.')
    const chain = typed.chain ?? String(form.get('chain'))
    if (chain === 'SOL' && typed.chain === undefined) return setProblem('An address of Solana is in base58.')
    setProblem('')
    void onOrder(typed.address, chain === 'SOL' ? chain : Number(chain))
  }
  return (
    <form className="target-form" onSubmit={submit} noValidate>
      <ExactField
        name="address"
        label="Token"
        placeholder="0x… or a link"
        value={search.get('address') ?? ''}
        problem={problemId}
        isWrong={problem !== ''}
        isWide
      />
      <ChainSelect chains={chains} chosen={search.get('chain') ?? undefined} />
      <button type="submit" className="button primary">
        Watch
      </button>
      <p id={problemId} className="problem" role="alert">
        {problem}
      </p>
    </form>
  )
}

function WatchRow({ watch, onEnd }: { watch: Watch; onEnd(id: string): Promise<void> }) {
  const { id, targetContractAddress: address, chainId, verdict, judgedAt, dependencies, expiresAt, followed } = watch
  return (
    <li>
      <div className="watch-name">
        <Token of={address} chainId={chainId} token={verdict?.token} />
        {verdict === null ? <span className="quiet">Being judged …</span> : <Level judgement={verdict} />}
      </div>
      {verdict !== null && <p>{verdict.headline}</p>}
      {followed?.isCurrent === false && (
        <p className="problem">
          Not looked at since {formatTime(followed.reachedAt)}: no node tells the newest blocks. What happened since is
          told once one does.
        </p>
      )}
      <p className="quiet">
        {dependencies === null
          ? 'judged again each day'
          : `stands on ${dependencies.words} words of ${chainId === 'SOL' ? 'accounts' : 'storage'}`}
        {judgedAt !== null && ` · judged ${formatTime(judgedAt)}`} · until {formatTime(expiresAt)}
        {watch.contacts.length > 0 && ` · tells ${watch.contacts.length} by message`}
      </p>
      <button
        type="button"
        className="button"
        aria-label={`End the watch on ${shorten(address)}`}
        onClick={() => void onEnd(id)}
      >
        End
      </button>
    </li>
  )
}

/** What an alert is about, in a word or two. */
const KINDS: Readonly<Record<Alert['kind'], string>> = {
  level: 'Verdict',
  condition: 'Condition of sale',
  owner: 'Owner or code',
  liquidity: 'Liquidity',
  tax: 'Tax',
  date: 'Announced date',
  pending: 'Waiting transaction',
}

function AlertRow({
  alert: { address, chainId, kind, text, at, block, transaction, before, after },
}: {
  alert: Alert
}) {
  return (
    <li>
      <div className="watch-name">
        <strong>{KINDS[kind]}</strong>
        <Token of={address} chainId={chainId} token={(after ?? before)?.token} />
      </div>
      <p>{text}</p>
      {after !== null && (
        <p>
          {before !== null && (
            <>
              <Level judgement={before} /> →{' '}
            </>
          )}
          <Level judgement={after} /> {after.headline}
        </p>
      )}
      <p className="quiet">
        {formatTime(at)}
        {block !== null && ` · ${chainId === 'SOL' ? 'slot' : 'block'} ${block.number}`}
        {transaction !== null && (
          <>
            {' · '}
            <span className="mono wrap">{transaction}</span>
          </>
        )}
      </p>
    </li>
  )
}

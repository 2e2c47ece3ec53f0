import { useCallback, useEffect, useState } from 'react'
import { api, type BatchProgress, type Delivery, type DeliveryState, RequestError } from '../api/api-client.js'
import { formatCount, formatTime, shorten } from '../format.js'
import { KeyEntry } from '../parts/key-entry.js'
import { useSession } from '../session.js'
import '../styles/webhooks.css'

/** The deliveries of one key: what waits, what was given up, what was told. */
export function WebhooksPage() {
  const { apiKey } = useSession()
  return apiKey === undefined ? <KeyFirst /> : <Webhooks key={apiKey} apiKey={apiKey} />
}

function KeyFirst() {
  const { wallet } = useSession()
  return (
    <div className="page narrow">
      <h1>Where your webhooks are.</h1>
      <p className="lead">
        A batch belongs to the key that ordered it, and so do its deliveries.
        {wallet && ' Signing in shows your keys, and never what was done with them.'}
      </p>
      <KeyEntry label="The key, for this visit only" />
    </div>
  )
}

const LISTS: readonly { state: DeliveryState; title: string; about: string; none: string }[] = [
  {
    state: 'failed',
    title: 'Given up',
    about: 'Six attempts within an hour and a half came to nothing. Each is kept for three days after its batch.',
    none: 'None was given up.',
  },
  {
    state: 'waiting',
    title: 'Waiting',
    about: 'The next attempt comes by itself.',
    none: 'None waits.',
  },
  {
    state: 'delivered',
    title: 'Delivered',
    about: 'The receiver confirmed these.',
    none: 'None was delivered in the last three days.',
  },
]

type Lists = Readonly<Record<DeliveryState, readonly Delivery[]>> & { batches: readonly BatchProgress[] }

function Webhooks({ apiKey }: { apiKey: string }) {
  const [lists, setLists] = useState<Lists>()
  const [problem, setProblem] = useState('')
  const [said, setSaid] = useState('')

  const attempt = useCallback(
    async (action: () => Promise<string>) => {
      setProblem('')
      setSaid('')
      try {
        const done = await action()
        const read = (state: DeliveryState) => api.webhooks(apiKey, state).then(({ webhooks }) => webhooks)
        const [failed, waiting, delivered, { batches }] = await Promise.all([
          ...[read('failed'), read('waiting'), read('delivered')],
          api.batches(apiKey),
        ] as const)
        setLists({ failed, waiting, delivered, batches })
        setSaid(done)
      } catch (error) {
        setProblem(error instanceof RequestError ? `${error.failure.errorReason}.` : 'That did not work.')
      }
    },
    [apiKey],
  )
  const reload = useCallback(() => attempt(async () => ''), [attempt])
  useEffect(() => void reload(), [reload])
  const redeliver = (id: string) =>
    attempt(async () => {
      await api.redeliver(apiKey, id)
      return `${shorten(id, 12)} is told again.`
    })

  return (
    <div className="page webhooks">
      <div className="row webhooks-head">
        <h1>Batches and webhooks</h1>
        <button type="button" className="button" onClick={() => void reload()}>
          Look again
        </button>
      </div>
      <p className="problem" role="alert">
        {problem}
      </p>
      <p className="quiet" role="status">
        {said}
      </p>
      {lists === undefined ? (
        problem === '' && <p className="quiet">Loading …</p>
      ) : (
        <>
          <BatchList batches={lists.batches} />
          {LISTS.map((list) => (
            <DeliveryList key={list.state} {...list} deliveries={lists[list.state]} onRedeliver={redeliver} />
          ))}
        </>
      )}
    </div>
  )
}

function BatchList({ batches }: { batches: readonly BatchProgress[] }) {
  return (
    <section aria-labelledby="batches-title">
      <h2 id="batches-title">
        Batches <span className="quiet">{batches.length}</span>
      </h2>
      {batches.length === 0 ? (
        <p className="quiet">None was ordered in the last three days.</p>
      ) : (
        <ul className="delivery-list" aria-label="Batches">
          {batches.map(({ id, createdAt, total, waiting, done, failed }) => (
            <li key={id}>
              <div className="delivery-name">
                <strong>{waiting === 0 ? 'Finished' : `${formatCount(done + failed)} of ${formatCount(total)}`}</strong>
                <span className="mono" title={id}>
                  {shorten(id, 12)}
                </span>
              </div>
              <p className="quiet">
                ordered {formatTime(createdAt)} · targets {formatCount(total)}, done {formatCount(done)}
                {failed > 0 && `, failed ${formatCount(failed)}`}
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

interface DeliveryListProps {
  state: DeliveryState
  title: string
  about: string
  none: string
  deliveries: readonly Delivery[]
  onRedeliver(id: string): Promise<void>
}

/** As many as an answer holds. */
const MAX_LISTED = 100

function DeliveryList({ state, title, about, none, deliveries, onRedeliver }: DeliveryListProps) {
  const count = deliveries.length
  return (
    <section aria-labelledby={`${state}-title`}>
      <h2 id={`${state}-title`}>
        {title} <span className="quiet">{count}</span>
      </h2>
      <p className="quiet">{count === 0 ? none : about}</p>
      {count > 0 && (
        <ul className="delivery-list" aria-label={title}>
          {deliveries.map((delivery) => (
            <li key={delivery.id} className={state}>
              <DeliveryRow delivery={delivery} onRedeliver={onRedeliver} />
            </li>
          ))}
        </ul>
      )}
      {count >= MAX_LISTED && <p className="quiet">The newest {MAX_LISTED}. Older ones show when these are gone.</p>}
    </section>
  )
}

function DeliveryRow({ delivery, onRedeliver }: { delivery: Delivery } & Pick<DeliveryListProps, 'onRedeliver'>) {
  const { id, host, webhook, attempts, failure, finishedAt } = delivery
  const name = shorten(id, 12)
  return (
    <>
      <div className="delivery-name">
        <strong>{host ?? 'no address'}</strong>
        <span className="mono" title={id}>
          {name}
        </span>
      </div>
      {failure !== null && <p>{failure}.</p>}
      <p className="quiet">
        {attempts === 1 ? 'one attempt' : `${attempts} attempts`}
        {finishedAt !== null && ` · batch finished ${formatTime(finishedAt)}`}
      </p>
      {webhook !== 'waiting' && (
        <button
          type="button"
          className="button"
          aria-label={`Tell ${host ?? 'it'} again of ${name}`}
          onClick={() => void onRedeliver(id)}
        >
          Tell again
        </button>
      )}
    </>
  )
}

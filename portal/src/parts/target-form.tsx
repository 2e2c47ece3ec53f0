import { type FormEvent, lazy, Suspense, useId, useState } from 'react'
import { api, type Lookup } from '../api/api-client.js'
import type { Target } from '../api/reports.js'
import { useChains } from '../chains.js'
import { openReport } from '../router.js'
import { ChainSelect } from './chain-select.js'
import { ExactField } from './exact-field.js'

const FIND = ''

// The first page is painted without what only an answer needs; a finger in the field fetches it.
const loadReader = () => import('./read-target.js').catch(() => undefined)
const FoundOn = lazy(() => import('./found-on.js').then(({ FoundOn: choice }) => ({ default: choice })))

/** A part of this page could not be fetched. */
const UNREACHABLE = 'The service does not answer.'

/** Whatever a person has of a token in, report out. */
export function TargetForm({ target }: { target?: Target }) {
  const chains = useChains()
  const problemId = useId()
  const [problem, setProblem] = useState('')
  const [isLooking, setLooking] = useState(false)
  const [found, setFound] = useState<Lookup>()

  const look = async (q: string) => {
    setLooking(true)
    try {
      const lookup = await api.lookup(q)
      const [only, ...others] = lookup.chains
      if (only && others.length === 0) return openReport(only.id, lookup.address)
      setFound(lookup)
    } catch (error) {
      setProblem((await loadReader())?.explainFailure(error, q) ?? UNREACHABLE)
    } finally {
      setLooking(false)
    }
  }
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { currentTarget } = event
    const form = new FormData(currentTarget)
    const reader = await loadReader()
    if (reader === undefined) return setProblem(UNREACHABLE)
    const text = String(form.get('address') ?? '')
    const wanted = String(form.get('chain') ?? FIND)
    const typed = reader.readTarget(text)
    setProblem('')
    setFound(undefined)
    if (typed.kind === 'none') {
      setProblem(reader.explainTyped(text.trim()))
      currentTarget.querySelector('input')?.focus()
      return
    }
    if (typed.kind === 'name') return void look(typed.name)
    const chain = typed.chain ?? (wanted === 'SOL' ? FIND : wanted)
    return chain === FIND ? void look(typed.address) : openReport(chain, typed.address)
  }
  return (
    <form className="target-form" onFocus={() => void loadReader()} onSubmit={(event) => void submit(event)} noValidate>
      <ExactField
        name="address"
        label="Address, link or name"
        placeholder="0x…, name.eth or a link"
        value={target?.address}
        problem={problemId}
        isWrong={problem !== ''}
        isWide
      />
      <ChainSelect chains={chains} none="Any chain" />
      <button type="submit" className="button primary" disabled={isLooking}>
        {isLooking ? 'Looking …' : 'Analyse'}
      </button>
      <p id={problemId} className="problem" role="alert">
        {problem}
      </p>
      {found && (
        <Suspense>
          <FoundOn found={found} />
        </Suspense>
      )}
    </form>
  )
}

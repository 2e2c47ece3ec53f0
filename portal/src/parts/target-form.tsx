import { type FormEvent, useId, useState } from 'react'
import { api, type Lookup, RequestError } from '../api/api-client.js'
import type { Target } from '../api/reports.js'
import { useChains } from '../chains.js'
import { navigate } from '../router.js'
import { readTarget } from './read-target.js'

const FIND = ''

/** Whatever a person has of a token in, report out. */
export function TargetForm({ target }: { target?: Target }) {
  const chains = useChains()
  const id = useId()
  const [problem, setProblem] = useState('')
  const [isLooking, setLooking] = useState(false)
  const [found, setFound] = useState<Lookup>()

  const look = async (q: string) => {
    setLooking(true)
    try {
      const lookup = await api.lookup(q)
      const [only, ...others] = lookup.chains
      if (only && others.length === 0) return open(only.id, lookup.address)
      setFound(lookup)
    } catch (error) {
      setProblem(error instanceof RequestError ? explainFailure(error) : 'That did not work.')
    } finally {
      setLooking(false)
    }
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = String(form.get('address') ?? '')
    const wanted = String(form.get('chain') ?? FIND)
    const typed = readTarget(text)
    setProblem('')
    setFound(undefined)
    if (typed.kind === 'none') {
      setProblem(explain(text.trim()))
      event.currentTarget.querySelector('input')?.focus()
      return
    }
    if (typed.kind === 'name') return void look(typed.name)
    const chain = typed.chain ?? (wanted === 'SOL' ? FIND : wanted)
    return chain === FIND ? void look(typed.address) : open(chain, typed.address)
  }
  return (
    <form className="target-form" onSubmit={submit} noValidate>
      <div className="field grow">
        <label htmlFor={`${id}-address`}>Address, link or name</label>
        <input
          id={`${id}-address`}
          name="address"
          className="mono"
          defaultValue={target?.address}
          placeholder="0x…, name.eth or a link"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          aria-invalid={problem !== ''}
          aria-describedby={`${id}-problem`}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-chain`}>Chain</label>
        <select id={`${id}-chain`} name="chain" key={chains.length} defaultValue={FIND}>
          <option value={FIND}>Find it</option>
          {chains.map((chain) => (
            <option key={chain.id} value={chain.id}>
              {chain.name}
            </option>
          ))}
        </select>
      </div>
      <button type="submit" className="button primary" disabled={isLooking}>
        {isLooking ? 'Looking …' : 'Analyse'}
      </button>
      <p id={`${id}-problem`} className="problem" role="alert">
        {problem}
      </p>
      {found && <Choice found={found} />}
    </form>
  )
}

const open = (chain: string | number, address: string) => navigate(`/report/${chain}/${address}`)

/** Several chains have such a contract, or none of those that answered. */
function Choice({ found: { address, chains, unanswered } }: { found: Lookup }) {
  const offered = chains.length > 0 ? [...chains, ...unanswered] : unanswered
  return (
    <fieldset className="choice">
      <legend>{explainFound(chains.length, unanswered.length)}</legend>
      {offered.map(({ id, name }) => (
        <button key={id} type="button" className="button" onClick={() => open(id, address)}>
          {name}
          {chains.every((chain) => chain.id !== id) && ' (did not answer)'}
        </button>
      ))}
    </fieldset>
  )
}

function explainFound(found: number, unanswered: number): string {
  if (found > 0) return 'This address is a contract on several chains. Which one do you mean?'
  if (unanswered > 0) return 'No chain that answered has a contract there. It may be on:'
  return 'No chain has a contract at this address.'
}

function explainFailure({ failure }: RequestError): string {
  if (failure.code === 'name_not_found') return 'This name stands for no address on Ethereum itself.'
  if (failure.code === 'invalid_lookup') return 'This is no name that ENS allows.'
  return `${failure.errorReason}.`
}

function explain(text: string): string {
  if (text === '') return 'Enter the address of a token or contract, a link to it, or a name.'
  if (/^https?:|[/.]/i.test(text)) return 'This link holds no address.'
  return 'An address is 0x and 40 hex digits.'
}

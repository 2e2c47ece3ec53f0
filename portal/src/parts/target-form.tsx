import { type FormEvent, useId, useState } from 'react'
import type { Target } from '../api/reports.js'
import { useChains } from '../chains.js'
import { navigate } from '../router.js'

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const MINT = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

/** Address and chain in, report out. */
export function TargetForm({ target }: { target?: Target }) {
  const chains = useChains()
  const id = useId()
  const [problem, setProblem] = useState('')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const address = String(form.get('address') ?? '').trim()
    const chain = String(form.get('chain'))
    if (!(chain === 'SOL' ? MINT : ADDRESS).test(address)) {
      setProblem(explain(address, chain))
      event.currentTarget.querySelector('input')?.focus()
      return
    }
    setProblem('')
    navigate(`/report/${chain}/${address}`)
  }
  return (
    <form className="target-form" onSubmit={submit} noValidate>
      <div className="field grow">
        <label htmlFor={`${id}-address`}>Address</label>
        <input
          id={`${id}-address`}
          name="address"
          className="mono"
          defaultValue={target?.address}
          placeholder="0x…"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          aria-invalid={problem !== ''}
          aria-describedby={`${id}-problem`}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-chain`}>Chain</label>
        <select id={`${id}-chain`} name="chain" key={chains.length} defaultValue={target?.chain ?? chains[0]?.id}>
          {chains.map((chain) => (
            <option key={chain.id} value={chain.id}>
              {chain.name}
            </option>
          ))}
        </select>
      </div>
      <button type="submit" className="button primary">
        Analyse
      </button>
      <p id={`${id}-problem`} className="problem" role="alert">
        {problem}
      </p>
    </form>
  )
}

function explain(address: string, chain: string): string {
  if (address === '') return 'Enter the address of a token or contract.'
  return chain === 'SOL'
    ? 'An address of Solana is 32 to 44 letters and digits.'
    : 'An address is 0x and 40 hex digits.'
}

import { type FormEvent, useId, useState } from 'react'
import { useChains } from '../chains.js'
import { type ConsentFields, readConsent } from './read-consent.js'

/** What a website asks the wallet for: field by field, or as it was sent. */
export function ConsentForm({ isBusy, onAsk }: { isBusy: boolean; onAsk(body: object, chain: string): void }) {
  const chains = useChains().filter(({ id }) => id !== 'SOL')
  const id = useId()
  const [problem, setProblem] = useState('')
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const read = (name: keyof ConsentFields) => String(form.get(name) ?? '').trim()
    const chain = read('chain')
    const consent = readConsent({
      chain,
      from: read('from'),
      to: read('to'),
      value: read('value'),
      calldata: read('calldata'),
      request: read('request'),
    })
    setProblem('problem' in consent ? consent.problem : '')
    if ('body' in consent) onAsk(consent.body, chain)
  }
  const text = (name: keyof ConsentFields, label: string, placeholder = '0x…') => (
    <div className="field">
      <label htmlFor={`${id}-${name}`}>{label}</label>
      <input
        id={`${id}-${name}`}
        name={name}
        className="mono"
        placeholder={placeholder}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        aria-describedby={`${id}-problem`}
      />
    </div>
  )
  return (
    <form className="consent-form" onSubmit={submit} noValidate>
      <div className="field">
        <label htmlFor={`${id}-chain`}>Chain</label>
        <select id={`${id}-chain`} name="chain" key={chains.length} defaultValue={chains[0]?.id}>
          {chains.map((chain) => (
            <option key={chain.id} value={chain.id}>
              {chain.name}
            </option>
          ))}
        </select>
      </div>
      {text('from', 'Your wallet (may be left out)')}
      {text('to', 'Goes to')}
      {text('value', 'Wei that are sent', '0')}
      <div className="field wide">
        <label htmlFor={`${id}-calldata`}>Call data</label>
        <textarea
          id={`${id}-calldata`}
          name="calldata"
          className="mono"
          rows={2}
          placeholder="0x…"
          spellCheck={false}
        />
      </div>
      <div className="field wide">
        <label htmlFor={`${id}-request`}>Or the whole request: a transaction, calls, or a message to sign</label>
        <textarea
          id={`${id}-request`}
          name="request"
          className="mono"
          rows={4}
          placeholder='{"method":"eth_signTypedData_v4","params":[…]}'
          spellCheck={false}
        />
      </div>
      <button type="submit" className="button primary" disabled={isBusy}>
        {isBusy ? 'Playing it …' : 'Play it'}
      </button>
      <p id={`${id}-problem`} className="problem" role="alert">
        {problem}
      </p>
    </form>
  )
}

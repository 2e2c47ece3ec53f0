import { type FormEvent, useId, useState } from 'react'
import { useEvmChains } from '../chains.js'
import { ChainSelect } from '../parts/chain-select.js'
import { ExactField } from '../parts/exact-field.js'
import { type ConsentFields, readConsent } from './read-consent.js'

/** What a website asks the wallet for: field by field, or as it was sent. */
export function ConsentForm({ isBusy, onAsk }: { isBusy: boolean; onAsk(body: object, chain: string): void }) {
  const chains = useEvmChains()
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
  const problemId = `${id}-problem`
  const text = (name: keyof ConsentFields, label: string, placeholder = '0x…') => (
    <ExactField name={name} label={label} placeholder={placeholder} problem={problemId} />
  )
  return (
    <form className="consent-form" onSubmit={submit} noValidate>
      <ChainSelect chains={chains} />
      {text('from', 'Your wallet (may be left out)')}
      {text('to', 'Goes to')}
      {text('value', 'Amount sent, in wei', '0')}
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
      <p id={problemId} className="problem" role="alert">
        {problem}
      </p>
    </form>
  )
}

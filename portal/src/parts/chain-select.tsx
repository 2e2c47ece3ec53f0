import { useId } from 'react'
import type { ChainEntry } from '../chains.js'

interface ChainSelectProps {
  chains: readonly ChainEntry[]
  /** The id of the one that is chosen at first; the first one without. */
  chosen?: string | undefined
  /** What naming none is called, where that is allowed. */
  none?: string
}

/** The chain of a form, under the name `chain`; empty where none was named. */
export function ChainSelect({ chains, chosen, none }: ChainSelectProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>Chain</label>
      {/* Made anew when the service has said which chains it judges. */}
      <select id={id} name="chain" key={chains.length} defaultValue={chosen}>
        {none !== undefined && <option value="">{none}</option>}
        {chains.map((chain) => (
          <option key={chain.id} value={chain.id}>
            {chain.name}
          </option>
        ))}
      </select>
    </div>
  )
}

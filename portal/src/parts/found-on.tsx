import type { Lookup } from '../api/api-client.js'
import { openReport } from '../router.js'

/** Several chains have such a contract, or none of those that answered. */
export function FoundOn({ found: { address, chains, unanswered } }: { found: Lookup }) {
  const offered = chains.length > 0 ? [...chains, ...unanswered] : unanswered
  return (
    <fieldset className="choice">
      <legend>{explainFound(chains.length, unanswered.length)}</legend>
      {offered.map(({ id, name }) => (
        <button key={id} type="button" className="button" onClick={() => openReport(id, address)}>
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

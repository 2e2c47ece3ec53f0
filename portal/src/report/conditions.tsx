import type { Honeypot } from '../api/reports.js'
import { formatPercent, shorten } from '../format.js'

type Condition = Honeypot['conditions'][number]
type Coverage = NonNullable<Honeypot['coverage']>

/** What decides a sale: what can make it decide otherwise, and what that costs. */
export function Conditions({ conditions, coverage }: { conditions: readonly Condition[]; coverage: Coverage }) {
  const harmful = conditions.filter(({ effect, unexplained }) => effect !== 'none' || unexplained !== null)
  const harmless = conditions.length - harmful.length
  return (
    <>
      <p>
        {coverage.explained} of {coverage.conditions} conditions of a sale are explained
        {coverage.isComplete ? '.' : '; what is left is never called safe.'}{' '}
        {harmless > 0 && `${harmless} of them make no difference, whatever they answer.`}
      </p>
      {harmful.length > 0 && (
        <div className="scroll">
          <table className="evidence">
            <thead>
              <tr>
                <th scope="col">What decides</th>
                <th scope="col">What can move it</th>
                <th scope="col">What that costs</th>
                <th scope="col">Where</th>
              </tr>
            </thead>
            <tbody>
              {harmful.map((condition) => (
                <ConditionRow key={`${condition.contract}${condition.pc}${condition.text}`} condition={condition} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}

function ConditionRow({
  condition: { text, reach, loss, proven, unexplained, contract, pc },
}: {
  condition: Condition
}) {
  return (
    <tr>
      <td>{text}</td>
      <td>{unexplained ? `Not known: ${unexplained}` : MOVERS[reach ?? 'none']}</td>
      <td>
        {loss === null ? 'Not measured' : loss >= 100 ? 'The sale fails' : formatPercent(loss)}
        {proven === 'played' && ' (played)'}
      </td>
      <td className="mono" title={contract}>
        {shorten(contract)} {pc}
      </td>
    </tr>
  )
}

/** In the words of a buyer. */
const MOVERS: Record<string, string> = {
  now: 'Who sells, how much, or the block',
  time: 'Time',
  trading: 'Trades of others',
  anyone: 'Any address, by a call',
  holder: 'Who may write that storage',
  unknown: 'Not known',
  none: 'Nothing',
}

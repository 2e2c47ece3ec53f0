import type { Honeypot } from '../api/reports.js'
import { formatPercent, shorten } from '../format.js'
import { readCondition, type TokenUnits } from './condition-words.js'

type Condition = Honeypot['conditions'][number]
type Coverage = NonNullable<Honeypot['coverage']>

/** What decides a sale, or any transfer: what can make it decide otherwise, and what that costs. */
export function Conditions({
  conditions,
  coverage,
  units,
  act,
}: {
  conditions: readonly Condition[]
  coverage: Coverage
  units: TokenUnits
  /** What they decide. */
  act: 'a sale' | 'a transfer'
}) {
  const harmless = conditions.filter(({ effect, unexplained }) => effect === 'none' && unexplained === null)
  const movable = conditions.filter((each) => !harmless.includes(each) && each.reach !== null)
  return (
    <>
      <p>
        {coverage.explained} of {coverage.conditions} conditions of {act} are explained
        {coverage.isComplete ? '.' : '; what is left is never called safe.'}{' '}
        {harmless.length > 0 && `${harmless.length} of them make no difference, whatever they answer. `}
        {movable.length > 0
          ? `On ${movable.length} ${act} depends, and something can move them:`
          : 'Nothing can move the others.'}
      </p>
      {movable.length > 0 && (
        <details className="disclosure">
          <summary>What can move them, and what that costs</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls by keyboard */}
          {/* biome-ignore lint/a11y/useSemanticElements: a region that scrolls is no fieldset */}
          <div className="scroll" tabIndex={0} role="group" aria-label={`Conditions of ${act}`}>
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
                {withoutRepeats(movable, units).map(([text, condition]) => (
                  <ConditionRow key={text} text={text} condition={condition} />
                ))}
              </tbody>
            </table>
          </div>
        </details>
      )}
    </>
  )
}

/** Conditions that read the same and can be moved the same way are one to a reader. */
function withoutRepeats(conditions: readonly Condition[], units: TokenUnits): [string, Condition][] {
  const rows = conditions.map((each) => [readCondition(each.text, units), each] as const)
  return [
    ...new Map(rows.map(([text, each]) => [`${text} ${each.reach} ${each.loss}`, [text, each] as const])).values(),
  ].map(([text, each]) => [text, each])
}

function ConditionRow({
  text,
  condition: { text: raw, reach, loss, proven, unexplained, contract, pc },
}: {
  text: string
  condition: Condition
}) {
  return (
    <tr>
      <td title={raw}>{text}</td>
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

import type { Honeypot } from '../api/reports.js'
import { formatPercent, shorten } from '../format.js'
import { type FactRow, FactTable, Short } from '../parts/fact-table.js'
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
          <FactTable
            label={`Conditions of ${act}`}
            rows={withoutRepeats(movable, units).map(([text, condition]) => ({
              key: `${text} ${condition.reach} ${condition.loss}`,
              cells: cellsOf(text, condition),
            }))}
          />
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

function cellsOf(text: string, condition: Condition): FactRow['cells'] {
  const { text: raw, reach, loss, proven, unexplained, contract, pc } = condition
  const cost = loss === null ? 'Not measured' : loss >= 100 ? 'The sale fails' : formatPercent(loss)
  return {
    'What decides': <span title={raw}>{text}</span>,
    'What can move it': unexplained ? `Not known: ${unexplained}` : MOVERS[reach ?? 'none'],
    'What that costs': `${cost}${proven === 'played' ? ' (played)' : ''}`,
    Where: (
      <Short all={contract}>
        {shorten(contract)} {pc}
      </Short>
    ),
  }
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

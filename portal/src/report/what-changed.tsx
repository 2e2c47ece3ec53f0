import { useState } from 'react'
import { RequestError } from '../api/api-client.js'
import type { Target } from '../api/reports.js'
import { type Changes, savedReportsOf } from '../api/saved-reports.js'
import { formatCount, formatPercent, formatTime } from '../format.js'
import { Link } from '../router.js'
import { useSession } from '../session.js'

/** Makes the analysis once more, and says what is another thing now. */
export function CheckAgain({ id, target, unit }: { id: string; target: Target; unit: 'block' | 'slot' }) {
  const { apiKey, wallet } = useSession()
  const [changes, setChanges] = useState<Changes>()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const check = async () => {
    setBusy(true)
    setProblem('')
    try {
      setChanges((await savedReportsOf(apiKey).checkAgain(id)).changes)
    } catch (error) {
      setProblem(error instanceof RequestError ? `${error.failure.errorReason}.` : 'That did not work.')
    }
    setBusy(false)
  }
  // What changed is worked out for those who are known; what it is now, for all who may analyse.
  if (apiKey === undefined && wallet === null)
    return (
      <p className="no-print">
        <Link className="button" href={`/report/${target.chain}/${target.address}`}>
          What is it now?
        </Link>
      </p>
    )
  return (
    <div className="again no-print">
      <button type="button" className="button" onClick={() => void check()} disabled={isBusy}>
        {isBusy ? 'Checking …' : 'Check again'}
      </button>
      <p className="problem" role="alert">
        {problem}
      </p>
      {changes && <WhatChanged changes={changes} unit={unit} />}
    </div>
  )
}

function WhatChanged({ changes, unit }: { changes: Changes; unit: string }) {
  const { isSame, block, advice, level, score, headline, taxes, findings, conditions } = changes
  const since = `since ${unit} ${formatCount(block.before.number)} (${formatTime(block.before.timestamp)})`
  if (isSame) return <p className="note">Nothing changed {since}.</p>
  return (
    <section className="note" aria-label="What changed">
      <p>
        <strong>What changed</strong> {since}:
      </p>
      <ul className="changes">
        {advice && <Changed name="Advice" {...advice} />}
        {level && <Changed name="Level" {...level} />}
        {score && <Changed name="Score" before={`${score.before}`} after={`${score.after}`} />}
        {headline && <Changed name="Headline" {...headline} />}
        {taxes.map(({ name, before, after }) => (
          <Changed key={name} name={name} before={readTax(before)} after={readTax(after)} />
        ))}
        <Listed name="finding" change={findings} />
        <Listed name="condition of a sale" change={conditions} />
      </ul>
    </section>
  )
}

const readTax = (percent: number | null) => (percent === null ? 'not measured' : formatPercent(percent))

const Changed = ({ name, before, after }: { name: string; before: string; after: string }) => (
  <li>
    {name}: <s>{before}</s> <span className="visually-hidden">is now</span> <strong>{after}</strong>
  </li>
)

function Listed({ name, change }: { name: string; change: Changes['findings'] }) {
  if (change === null) return null
  return (
    <>
      {change.added.map((text) => (
        <li key={`+${text}`}>
          New {name}: {text}
        </li>
      ))}
      {change.removed.map((text) => (
        <li key={`-${text}`}>
          Gone {name}: {text}
        </li>
      ))}
      {change.omitted > 0 && <li>{change.omitted} more, which are not listed.</li>}
    </>
  )
}

import { useEffect, useState } from 'react'
import { readStats, type Stats } from '../api/stats.js'
import { formatCount } from '../format.js'
import '../styles/record.css'

type Stage = Stats['stages'][number]

/** How right this service was: what verdicts had come to later. */
export function RecordPage() {
  const [stats, setStats] = useState<Stats | 'failed'>()
  useEffect(() => {
    let isOver = false
    readStats()
      .then((read) => !isOver && setStats(read))
      .catch(() => !isOver && setStats('failed'))
    return () => {
      isOver = true
    }
  }, [])
  return (
    <div className="page">
      <h1>How right was it?</h1>
      <p className="lead">
        Tokens that were judged here are looked at again after 7 and after 30 days. What had become of them stands here
        beside the verdict of the first day.
      </p>
      {stats === undefined && <p className="quiet">Loading …</p>}
      {stats === 'failed' && (
        <p className="problem" role="alert">
          The record could not be read.
        </p>
      )}
      {typeof stats === 'object' && <Record stats={stats} />}
    </div>
  )
}

function Record({ stats: { followed, stages, families } }: { stats: Stats }) {
  if (families.copies === 0 && followed === 0) return <p className="note">No token was judged here so far.</p>
  return (
    <>
      <p>
        Tokens that were judged: {formatCount(families.copies)}, of {formatCount(families.codes)} codes. Hostile:{' '}
        {formatCount(families.hostile)}, {formatCount(families.turned)} of them only later.{' '}
        {followed === 0 ? 'No verdict is followed yet.' : `Verdicts that are followed: ${formatCount(followed)}.`}
      </p>
      {followed > 0 && stages.map((stage) => <StageTable key={stage.days} stage={stage} />)}
    </>
  )
}

function StageTable({ stage }: { stage: Stage }) {
  const { days, levels, warned, warnedRightly, harmed, traps, unknown } = stage
  const title = `after-${days}`
  if (levels.every((row) => OUTCOMES.every(({ name }) => row[name] === 0)))
    return (
      <section aria-labelledby={title}>
        <h2 id={title}>After {days} days</h2>
        <p className="quiet">No verdict is that old yet.</p>
      </section>
    )
  return (
    <section aria-labelledby={title}>
      <h2 id={title}>After {days} days</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: a region that scrolls is no fieldset */}
      <div className="scroll stage-table" tabIndex={0} role="group" aria-labelledby={title}>
        <table>
          <caption>Tokens that could be sold when they were judged, by verdict</caption>
          <thead>
            <tr>
              <th scope="col">Verdict</th>
              {OUTCOMES.map(({ name, label }) => (
                <th key={name} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {levels.map((row) => (
              <tr key={row.level}>
                <th scope="row">{row.level}</th>
                {OUTCOMES.map(({ name }) => (
                  <td key={name}>{formatCount(row[name])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p>
        {stage.precision === null
          ? 'None was High Risk or worse. '
          : `${percent(stage.precision)} of the ${formatCount(warned)} that were High Risk or worse came to harm (${formatCount(warnedRightly)}). `}
        {stage.recall === null
          ? 'None came to harm.'
          : `${percent(stage.recall)} of the ${formatCount(harmed)} that came to harm had been judged so.`}
      </p>
      <p className="quiet">
        Shut already when judged, and in no other figure: {formatCount(traps.followed)}
        {traps.followed > 0 && `, ${formatCount(traps.stillHarmful)} of them still harmful`}. Not seen in time:{' '}
        {formatCount(unknown)}.
      </p>
    </section>
  )
}

const OUTCOMES = [
  { name: 'fine', label: 'Still fine' },
  { name: 'taxed', label: 'Taxed' },
  { name: 'shut', label: 'Shut' },
  { name: 'drained', label: 'Drained' },
  { name: 'sold-out', label: 'Sold out' },
] as const

const percent = (share: number) => `${Math.round(share * 1_000) / 10} %`

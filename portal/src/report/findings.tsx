import type { Evidence, Honeypot, Reports, RiskFlag } from '../api/reports.js'
import { shorten } from '../format.js'
import { nameCall } from './call-names.js'
import { NO_UNITS, readCondition } from './condition-words.js'

const ORDER: readonly RiskFlag['threatLevel'][] = ['HIGH', 'MEDIUM', 'LOW']

/** What failed for one reason in each window failed for one reason. */
const distinct = (causes: Honeypot['causes']) =>
  causes.filter(
    ({ reason, pc, contract }, i) =>
      i === causes.findIndex((each) => each.reason === reason && each.pc === pc && each.contract === contract),
  )

/**
 * What was found, worst first; each opens to its evidence, and evidence that was executed leads to
 * its calls.
 */
export function Findings({
  reports: { simulation, honeypot },
  onShowInTrace,
}: {
  reports: Reports
  onShowInTrace(selector: string): void
}) {
  const flags = simulation?.checks.byteCodeResult.riskFlags ?? []
  const sorted = flags.toSorted((a, b) => ORDER.indexOf(a.threatLevel) - ORDER.indexOf(b.threatLevel))
  const trade = honeypot?.honeypotResponse
  const gaps = simulation?.checks.byteCodeResult.gaps ?? []
  const proxies = simulation?.checks.byteCodeResult.proxy ?? []
  const isEmpty = flags.length === 0 && (trade?.findings.length ?? 0) + (trade?.causes.length ?? 0) + gaps.length === 0
  const units = honeypot?.token ?? NO_UNITS
  const called = new Set(selectorsOf(simulation?.checks.simulateResult.simulation.calls ?? []))
  return (
    <>
      {isEmpty && <p className="quiet">{sayNothing(simulation?.checks.byteCodeResult.isContract)}</p>}
      <ul className="findings">
        {sorted.map((flag) => (
          <li key={`${flag.id}${flag.title}`}>
            <FlagDetails flag={flag} called={called} onShowInTrace={onShowInTrace} />
          </li>
        ))}
        {trade?.findings.map(({ id, detail }) => (
          <li key={id}>
            <div className="finding" data-threat="TRADE">
              <span className="threat">Seen in trade</span> {detail}
            </div>
          </li>
        ))}
        {distinct(trade?.causes ?? []).map((cause) => (
          <li key={`${cause.reason}${cause.pc}${cause.contract}`}>
            <details className="disclosure finding" data-threat="TRADE">
              <summary>
                <span className="threat">Why it failed</span> <span>{readCondition(cause.reason, units)}</span>
              </summary>
              <EvidenceTable
                rows={[
                  {
                    address: cause.contract,
                    pc: cause.pc,
                    selector: cause.selector,
                    ...(cause.slot && { slot: cause.slot }),
                    ...(cause.value && { value: cause.value }),
                  },
                ]}
                called={called}
                onShowInTrace={onShowInTrace}
              />
            </details>
          </li>
        ))}
      </ul>
      {proxies.map(({ kind, address, admin }) => (
        <p key={`${kind}${address}`}>
          Its calls are handed on ({kind}) to{' '}
          <span className="mono">{address ? shorten(address) : 'an address that could not be read'}</span>
          {admin ? `; who can exchange that: ${admin}.` : '.'}
        </p>
      ))}
      {gaps.length > 0 && <p className="note">Not everything could be seen: {gaps.join('; ')}.</p>}
    </>
  )
}

function sayNothing(isContract: boolean | undefined): string {
  if (isContract === undefined) return 'The code was not read.'
  return isContract
    ? 'Nothing harmful was found by reading the code. That is what was looked for, not proof that there is nothing.'
    : 'There is no code to read here.'
}

interface Tracing {
  called: ReadonlySet<string>
  onShowInTrace(selector: string): void
}

function FlagDetails({ flag, ...tracing }: { flag: RiskFlag } & Tracing) {
  return (
    <details className="disclosure finding" data-threat={flag.threatLevel}>
      <summary>
        <span className="threat">{THREAT_WORDS[flag.threatLevel]}</span> <span>{flag.title}</span>
      </summary>
      <p>{flag.description}</p>
      <p className="quiet">
        {CONFIDENCE_WORDS[flag.confidence]} <span className="mono">{flag.id}</span>
      </p>
      <EvidenceTable rows={flag.evidence} {...tracing} />
    </details>
  )
}

const THREAT_WORDS = { HIGH: 'High', MEDIUM: 'Medium', LOW: 'Low' } as const
const CONFIDENCE_WORDS = {
  HIGH: 'This is certain.',
  MEDIUM: 'This is likely.',
  LOW: 'This is possible, and no more than that.',
} as const

/** A finding with more places than this makes its point with the first. */
const MAX_ROWS = 50

function EvidenceTable({ rows, called, onShowInTrace }: { rows: readonly Evidence[] } & Tracing) {
  if (rows.length === 0) return null
  return (
    <div className="scroll">
      <table className="fact-table">
        <thead>
          <tr>
            <th scope="col">Where</th>
            <th scope="col">What</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MAX_ROWS).map((row, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
            <tr key={i}>
              <td className="mono" data-label="Where">
                <span title={row.address}>{shorten(row.address)}</span>
                {row.pc !== undefined && <> pc {row.pc}</>}
                {row.selector && <> {nameCall(row.selector)}</>}
              </td>
              <td data-label="What">
                {row.note && <span>{row.note} </span>}
                {row.holder && <span>Held by {row.holder}. </span>}
                {row.slot && (
                  <span className="mono" title={row.slot}>
                    slot {shorten(row.slot)}
                    {row.value && ` = ${shorten(row.value)}`}{' '}
                  </span>
                )}
                {row.selector && called.has(row.selector) && (
                  <button type="button" className="button plain" onClick={() => onShowInTrace(row.selector ?? '')}>
                    Show its calls
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface Frame {
  input: string
  calls?: readonly Frame[]
}

/**
 * Functions that the trade went through. Walks with a list of its own: a hostile trace may be deep.
 */
export function selectorsOf(calls: readonly Frame[]): string[] {
  const found: string[] = []
  const open = [...calls]
  for (let frame = open.pop(); frame; frame = open.pop()) {
    found.push(frame.input.slice(0, 10).toLowerCase())
    open.push(...(frame.calls ?? []))
  }
  return found
}

import type { Phishing } from '../api/reports.js'
import { Prose } from '../parts/prose.js'
import { Fields } from './generic.js'

/** What was tried as a victim, and what came of it. */
export function PhishingChecks({ phishing: { checks, findings, reason, inconclusive } }: { phishing: Phishing }) {
  return (
    <>
      {inconclusive && <p className="note">This could not be found out{reason ? `: ${reason}` : ''}.</p>}
      {checks.length === 0 && !inconclusive && <p className="quiet">{reason ?? 'There was nothing to try.'}</p>}
      <ul className="findings">
        {checks.map(({ name, triggered, severity, detail }) => (
          <li key={name}>
            <div className="finding" data-threat={triggered ? THREATS[severity] : 'NONE'}>
              <span className="threat">{triggered ? severity.toLowerCase() : 'no'}</span> <strong>{name}</strong>
              {detail !== '' && (
                <p>
                  <Prose text={detail} />
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
      {findings.length > 0 && (
        <details className="disclosure">
          <summary>What was seen, call by call</summary>
          <Fields value={findings} />
        </details>
      )}
    </>
  )
}

const THREATS = { CRITICAL: 'HIGH', HIGH: 'HIGH', MEDIUM: 'MEDIUM', LOW: 'LOW' } as const

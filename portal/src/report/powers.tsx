import type { Honeypot } from '../api/reports.js'
import { formatCount, formatDuration, formatPercent, shorten } from '../format.js'
import { FactTable, Short } from '../parts/fact-table.js'
import { nameFunction } from './call-names.js'
import { decodeCall } from './decode-call.js'
import { writeArguments } from './write-call.js'

type Power = Honeypot['powers'][number]

/** Scores at which a power asks for care, and from which it decides. As in `docs/powers.md`. */
const MEDIUM_SCORE = 35
const HIGH_SCORE = 70

/**
 * What those who hold the keys were seen to do, each with its proof; and what was tried in vain.
 */
export function Powers({ trade: { powers, powersTried } }: { trade: Honeypot }) {
  const harmful = powers.filter(({ effect }) => effect !== 'none')
  const harmless = powers.filter(({ effect }) => effect === 'none')
  return (
    <>
      {powersTried?.unfinished && <p className="note">Not all powers could be tried: {powersTried.unfinished}.</p>}
      {harmful.length === 0 && !powersTried?.unfinished && (
        <p className="quiet">No account was found that can do harm to those who hold it.</p>
      )}
      {harmful.length > 0 && <PowerTable powers={harmful} />}
      <ul className="findings">
        {harmful.map((power, i) => (
          <li key={keyOf(power)}>
            <PowerDetails power={power} place={harmful.length > 1 ? i + 1 : undefined} />
          </li>
        ))}
      </ul>
      {harmless.length > 0 && (
        <p className="quiet">
          Tried, and seen to do no harm: <span className="mono">{harmless.map(nameOf).join(', ')}</span>.
        </p>
      )}
      {powersTried && (
        <p className="quiet">
          {formatCount(powersTried.calls)} calls as their holders and {formatCount(powersTried.trades)} trades after
          them.
        </p>
      )}
    </>
  )
}

const nameOf = ({ signature, selector, argumentTypes }: Power) =>
  signature ?? (argumentTypes ? `${selector}(${argumentTypes})` : selector)

const threatOf = (score: number) => (score >= HIGH_SCORE ? 'HIGH' : score >= MEDIUM_SCORE ? 'MEDIUM' : 'LOW')

/** Who can do what, how much of it, and how soon: to be read across. */
function PowerTable({ powers }: { powers: readonly Power[] }) {
  return (
    <FactTable
      label="Who can do what"
      rows={powers.map((power, i) => ({
        key: keyOf(power),
        threat: threatOf(power.riskScore),
        cells: {
          'What can happen': `${powers.length > 1 ? `${i + 1}. ` : ''}${power.worstCase}`,
          'Who can do it': <Who power={power} />,
          'Costs a holder': `${formatPercent(power.loss)}${power.isBounded ? ' at most' : ''}`,
          After: power.delaySeconds > 0 ? formatDuration(power.delaySeconds) : 'no wait',
          Risk: <strong className="threat">{Math.round(power.riskScore)}</strong>,
        },
      }))}
    />
  )
}

const keyOf = ({ contract, selector, holder }: Power) => `${contract}${selector}${holder.address ?? holder.kind}`

function PowerDetails({ power, place }: { power: Power; place: number | undefined }) {
  const { riskScore, proof, isReversible, isBounded, tried } = power
  const facts = [
    [
      'Function',
      <span key="function" className="mono">
        {nameOf(power)}
      </span>,
    ],
    ['Bounded', isBounded ? 'by the code' : 'by nothing that was found'],
    [
      'Undone',
      isReversible === null ? 'not tried' : isReversible ? 'by another call of theirs' : 'by nothing that was tried',
    ],
    ['Calls tried', formatCount(tried)],
  ] as const
  return (
    <details className="disclosure finding" data-threat={threatOf(riskScore)}>
      <summary>
        {place !== undefined && `${place}. `}
        {proof ? 'How it was shown' : 'How it was tried'}
      </summary>
      <dl className="fields">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {proof && <Proof proof={proof} />}
    </details>
  )
}

const HOLDER_WORDS: Readonly<Record<string, string>> = {
  account: 'one account',
  delegated: 'one account that runs foreign code (EIP-7702)',
  multisig: 'a multisig',
  timelock: 'a timelock',
  contract: 'a contract',
  unknown: 'an account that passes a check which names none in the open',
  renounced: 'no address any more',
  unset: 'no address so far',
  anyone: 'any address',
}

function Who({ power: { holder } }: { power: Power }) {
  const { kind, address, through, threshold, owners, isHidden } = holder
  return (
    <>
      {HOLDER_WORDS[kind] ?? kind}{' '}
      {address && (
        <span className="mono" title={address}>
          {shorten(address)}
        </span>
      )}
      {threshold !== null && owners !== null && `, ${threshold} of ${owners} signatures`}
      {through && (
        <>
          , through <span className="mono">{shorten(through)}</span>
        </>
      )}
      {isHidden && ', kept from sight'}
    </>
  )
}

function Proof({ proof: { settings, steps, outcome } }: { proof: NonNullable<Power['proof']> }) {
  return (
    <>
      <p>On a copy of the chain, after an ordinary purchase: {outcome}.</p>
      {settings.length > 0 && (
        <FactTable
          label="Storage that was set"
          rows={settings.map(({ address, slot, value }, i) => ({
            key: i,
            cells: {
              Contract: <Short all={address}>{shorten(address)}</Short>,
              Word: <Short all={slot}>{shorten(slot)}</Short>,
              Value: <Short all={value}>{shorten(value)}</Short>,
            },
          }))}
        />
      )}
      <FactTable
        label="Calls"
        rows={steps.map(({ from, to, input, value }, i) => ({
          key: i,
          cells: {
            From: <Short all={from}>{shorten(from)}</Short>,
            To: <Short all={to}>{shorten(to)}</Short>,
            Call: (
              <span className="mono" title={input}>
                {writeStep(input, to)}
                {value !== '0' && ` with ${value} wei`}
              </span>
            ),
          },
        }))}
      />
    </>
  )
}

/** The call, with what it was given as far as that can be read. */
function writeStep(input: string, to: string): string {
  const decoded = decodeCall(input, '0x')
  const given = decoded ? writeArguments(decoded, to, NO_PARTIES) : shorten(`0x${input.slice(10)}`, 10, 8)
  return `${nameFunction(input)}(${given})`
}

const NO_PARTIES = { names: new Map(), units: new Map() }

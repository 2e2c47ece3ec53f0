import type { Simulate } from '../api/reports.js'
import { useChain } from '../chains.js'
import { formatCoins, formatCount, formatPercent, shorten } from '../format.js'
import { type MoneyFlow as Flow, followMoney } from './money.js'

/** What went in, what came back, and who has the rest; then each transaction of it. */
export function MoneyFlow({ simulate, chain }: { simulate: Simulate; chain: string }) {
  const flow = followMoney(simulate)
  const { coin } = useChain(chain)
  return (
    <div className="money">
      {flow ? <FlowBar flow={flow} coin={coin} /> : <p className="quiet">Nothing was bought, so no money moved.</p>}
      {simulate.venue && (
        <p>
          Traded on {simulate.venue.name}, in the pool{' '}
          <span className="mono" title={simulate.venue.pool}>
            {shorten(simulate.venue.pool)}
          </span>
          .
        </p>
      )}
      <Steps simulate={simulate} />
    </div>
  )
}

const SHARE_NAMES: Readonly<Record<Flow['shares'][number]['kind'], string>> = {
  returned: 'came back',
  'buy-tax': 'kept by the token when buying',
  'sell-tax': 'kept by the token when selling',
  market: 'fee and price of the exchange',
  stuck: 'did not come back',
}

function FlowBar({ flow: { spent, returned, shares }, coin }: { flow: Flow; coin: string }) {
  return (
    <>
      <p className="flow-sum">
        <strong>
          {formatCoins(spent)} {coin}
        </strong>{' '}
        went in,{' '}
        <strong>
          {formatCoins(returned)} {coin}
        </strong>{' '}
        came back.
      </p>
      <div className="flow-bar" aria-hidden="true">
        {shares.map(({ kind, share }) => (
          <span key={kind} data-kind={kind} style={{ flexGrow: share }} />
        ))}
      </div>
      <ul className="flow-legend">
        {shares.map(({ kind, share }) => (
          <li key={kind}>
            <i className="key" data-kind={kind} aria-hidden="true" /> <strong>{formatPercent(share * 100)}</strong>{' '}
            {SHARE_NAMES[kind]}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Those whose names are no words. */
const STEP_NAMES: Readonly<Record<string, string>> = {
  'sell-half': 'sell half of it',
  'sell-tenth': 'sell a tenth',
  'sell-hundredth': 'sell a hundredth',
  'send-native': 'send coins',
}

function Steps({ simulate: { steps } }: { simulate: Simulate }) {
  if (steps.length === 0) return null
  return (
    <ol className="trade-steps">
      {steps.map(({ name, branch, success, gasUsed, errorReason, waitedSeconds }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <li key={i} data-state={success ? 'done' : 'failed'}>
          <span className="step-mark" aria-hidden="true" />
          <span className="step-name">{STEP_NAMES[name] ?? name}</span>
          <span className="step-what">
            {success ? `went through, ${formatCount(gasUsed)} gas` : `failed: ${errorReason}`}
            {waitedSeconds > 0 && `, after waiting ${waitedSeconds} s`}
            {branch === 'side' && ' (tried on a copy)'}
          </span>
        </li>
      ))}
    </ol>
  )
}

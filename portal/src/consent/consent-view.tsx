import type { Phishing } from '../api/reports.js'
import { formatCount, formatTime, shorten, toWords } from '../format.js'
import { Prose } from '../parts/prose.js'
import { PhishingChecks } from '../report/phishing-checks.js'
import { Section } from '../report/section.js'
import { LOOKS, reasonOf, SPENDERS, WORDS } from './consent-words.js'
import { formatUnits } from './format-units.js'

type Wallet = NonNullable<Phishing['wallet']>
type Movement = Wallet['leaves'][number]

/**
 * What would happen if the wallet said yes: the verdict first, then what goes, comes and stays
 * allowed.
 */
export function ConsentView({ phishing }: { phishing: Phishing }) {
  const { wallet, verdict } = phishing
  const reason = reasonOf(phishing)
  const look = LOOKS[verdict]
  if (wallet === null) return null
  return (
    <article className="report">
      <div className="verdict" data-level={look}>
        <h2 className="advice">{WORDS[verdict]}</h2>
        <p className="stamp">
          {/* Points of a request are on a scale of their own, unlike a token's. */}
          {look === 'unknown' ? 'No verdict' : verdict.replaceAll('_', ' ').toLowerCase()}
        </p>
        {reason !== undefined && (
          <p className="lead">
            <Prose text={reason} />
          </p>
        )}
        {wallet.errorReason !== '' && <p>It would not go through as things are: {wallet.errorReason}.</p>}
      </div>
      {wallet.warnings.length > 0 && (
        <Section title="Know before you confirm">
          <ul className="findings">
            {wallet.warnings.map(({ id, severity, text }) => (
              <li key={text}>
                <div className="finding" data-threat={severity === 'CRITICAL' ? 'HIGH' : severity}>
                  <span className="threat">{severity.toLowerCase()}</span> <strong>{toWords(id)}</strong>
                  <p>
                    <Prose text={text} />
                  </p>
                </div>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="Leaves" note="Out of the wallet.">
        <Movements movements={wallet.leaves} />
      </Section>
      <Section title="Comes in">
        <Movements movements={wallet.arrives} />
      </Section>
      <Section title="Stays allowed" note="Who may take what afterwards, without asking again.">
        <Approvals wallet={wallet} />
      </Section>
      <Section title="The contract" note="What it does to others.">
        <PhishingChecks phishing={phishing} />
      </Section>
    </article>
  )
}

function Movements({ movements }: { movements: readonly Movement[] }) {
  if (movements.length === 0) return <p className="quiet">Nothing.</p>
  return (
    <ul className="consent-list">
      {movements.map((movement) => (
        <li key={`${movement.token} ${movement.id} ${movement.counterparty}`}>
          <strong>{amountOf(movement)}</strong> <Token {...movement} />
          {movement.counterparty && <Address label="with" address={movement.counterparty} />}
        </li>
      ))}
    </ul>
  )
}

function amountOf({ amount, decimals, id }: Pick<Movement, 'amount' | 'decimals' | 'id'>): string {
  if (id !== null) return amount === '1' ? `No. ${id}` : `${formatCount(amount)} of No. ${id}`
  return decimals === null ? `${formatCount(amount)} base units` : formatUnits(BigInt(amount), decimals)
}

/** The token's own words, with its address: the words alone may be any token's. */
function Token({ symbol, name, token }: Pick<Movement, 'symbol' | 'name' | 'token'>) {
  return (
    <span title={name}>
      {symbol}
      {token && (
        <span className="mono quiet" title={token}>
          {' '}
          {shorten(token)}
        </span>
      )}
    </span>
  )
}

function Address({ label, address }: { label: string; address: string }) {
  return (
    <span className="quiet">
      {' '}
      {label}{' '}
      <span className="mono" title={address}>
        {shorten(address)}
      </span>
    </span>
  )
}

function Approvals({ wallet: { approvals, spenders } }: { wallet: Wallet }) {
  if (approvals.length === 0) return <p className="quiet">Nothing.</p>
  return (
    <ul className="consent-list">
      {approvals.map((approval) => {
        const { kind, token, id, spender, amount, expires } = approval
        const judged = spenders.find(({ address }) => address === spender)
        const what = amount === 'Unlimited' ? 'all' : amountOf(approval)
        return (
          <li key={`${kind} ${token} ${id} ${spender}`}>
            <span className="mono" title={spender}>
              {shorten(spender)}
            </span>{' '}
            {kind === 'delegation' ? (
              'becomes the code of the account'
            ) : (
              <>
                may take <strong>{what}</strong> <Token {...approval} />
              </>
            )}{' '}
            <span className="quiet">
              {expires === null ? 'until it is taken back' : `until ${formatTime(expires)}`}
              {judged && `; ${SPENDERS[judged.verdict]}`}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

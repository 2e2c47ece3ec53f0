import type { ReactNode } from 'react'
import type { SolanaReport } from '../api/reports.js'
import { formatAmount, formatCount, formatDuration, formatPercent, shorten, toWords } from '../format.js'
import { FactTable, Short } from '../parts/fact-table.js'
import { Section } from './section.js'

type TokenInfo = NonNullable<SolanaReport['tokenInfo']>
type Authority = TokenInfo['authorities'][number]
type Holder = NonNullable<TokenInfo['holders']>[number]

/** What the accounts of a mint say: who may do what by its rules, who holds it, what it is. */
export function SolanaParts({ info }: { info: TokenInfo }) {
  const { authorities, holders, decimals } = info
  return (
    <>
      <Section
        title="Power over holders"
        note="Accounts that the mint names, and what came of it when their powers were used."
      >
        {authorities.length > 0 ? (
          <Authorities authorities={authorities} />
        ) : (
          <p className="quiet">The mint names no account that could change its rules or touch what others hold.</p>
        )}
      </Section>
      {holders && (
        <Section title="Those who hold it" note="The largest accounts, as the cluster lists them.">
          <Holders holders={holders} decimals={decimals} />
        </Section>
      )}
      <Section title="The token itself" note="By the accounts of the mint.">
        <dl className="fields">
          {factsOf(info).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </Section>
    </>
  )
}

const POWER_WORDS: Readonly<Record<Authority['power'], string>> = {
  freeze: 'freeze any holder',
  mint: 'make more of it',
  seize: 'take or burn what others hold',
  pause: 'stop all transfers',
  'raise-fee': 'raise the fee of transfers',
  'replace-hook': 'exchange the program that is asked about each transfer',
}

const HOLDS: Readonly<Record<Authority['kind'], string>> = {
  revoked: 'no address any more',
  wallet: 'one wallet',
  multisig: 'a multisig',
  group: 'a group',
  program: 'a program',
}

function Authorities({ authorities }: { authorities: readonly Authority[] }) {
  return (
    <FactTable
      label="Who can do what"
      rows={authorities.map((authority) => ({
        key: `${authority.power}${authority.address}`,
        cells: {
          'What it can do': POWER_WORDS[authority.power] ?? toWords(authority.power),
          'Who can do it': <Who authority={authority} />,
          After: authority.delaySeconds > 0 ? formatDuration(authority.delaySeconds) : 'no wait',
          'When it was tried': sayTrial(authority),
        },
      }))}
    />
  )
}

function Who({ authority: { kind, address, threshold, through, members } }: { authority: Authority }) {
  return (
    <>
      {HOLDS[kind] ?? kind} <Short all={address}>{shorten(address)}</Short>
      {threshold !== null && `, ${threshold} must agree`}
      {through !== null && (
        <>
          {threshold === null ? ', through ' : ', counted by '}
          <Short all={through}>{shorten(through)}</Short>
        </>
      )}
      {members.length > 0 && (
        <span className="quiet" title={members.join('\n')}>
          {` (${formatCount(members.length)} members)`}
        </span>
      )}
    </>
  )
}

function sayTrial({ proven, detail }: Authority): string {
  if (proven === null) return detail === '' ? 'not tried' : `not tried: ${detail}`
  return `${proven ? 'it worked' : 'it did not work'}${detail === '' ? '' : `: ${detail}`}`
}

const KINDS: Readonly<Record<Holder['kind'], string>> = {
  pool: 'the pool',
  burnt: 'burnt',
  program: 'a program',
  wallet: 'a wallet',
}

/** The rest is one click away. */
const SHOWN_AT_ONCE = 8

function Holders({ holders, decimals }: { holders: readonly Holder[]; decimals: number }) {
  if (holders.length === 0) return <p className="quiet">No account has any of it.</p>
  const rest = holders.slice(SHOWN_AT_ONCE)
  return (
    <>
      <HolderTable label="Holders and their share" holders={holders.slice(0, SHOWN_AT_ONCE)} decimals={decimals} />
      {rest.length > 0 && (
        <details className="disclosure">
          <summary>{formatCount(rest.length)} more that have less</summary>
          <HolderTable label="Smaller holders" holders={rest} decimals={decimals} />
        </details>
      )}
    </>
  )
}

function HolderTable({ label, ...of }: { label: string; holders: readonly Holder[]; decimals: number }) {
  return (
    <FactTable
      label={label}
      rows={of.holders.map(({ account, owner, amount, percent, kind, frozen }) => ({
        key: account,
        cells: {
          Who: (
            <>
              {KINDS[kind] ?? kind}{' '}
              <span className="quiet">
                <Short all={owner}>{shorten(owner)}</Short>
              </span>
            </>
          ),
          Share: (
            <span className="share">
              {formatPercent(percent)}
              <i aria-hidden="true" style={{ width: `${percent}%` }} />
            </span>
          ),
          Has: formatAmount(BigInt(amount), of.decimals),
          Frozen: frozen ? <strong>frozen</strong> : <span className="quiet">no</span>,
        },
      }))}
    />
  )
}

const PROGRAMS: Readonly<Record<string, string>> = {
  TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: 'Token',
  TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb: 'Token-2022',
}

/** What says something; what is not there is not listed. */
function factsOf(info: TokenInfo): [name: string, value: ReactNode][] {
  const { tokenProgram, decimals, trustedAs, extensions, unknownExtensions, malformed, fee, hook, triedByNode } = info
  const unread = [
    ...(unknownExtensions.length > 0 ? [`extensions of no known kind (${unknownExtensions.join(', ')})`] : []),
    ...(malformed ? ['extensions that are not well-formed'] : []),
  ]
  return [
    ['Kept by', PROGRAMS[tokenProgram] ?? <span className="mono">{tokenProgram}</span>],
    ['Decimals', String(decimals)],
    ['Its name', sayName(info)],
    ...(trustedAs !== null ? [['Widely used as', trustedAs] as [string, ReactNode]] : []),
    ['Extensions', extensions.length > 0 ? extensions.map(toWords).join(', ') : 'none'],
    ...optional('Not understood', unread.length > 0 && unread.join('; ')),
    ...optional('Fee of a transfer', fee && sayFee(fee, decimals)),
    ...optional('Asked about each transfer', hook && <Hook hook={hook} />),
    ...optional('Tried by a node alone', triedByNode && sayNodeTrial(triedByNode)),
    ...optional('Traded with', info.tradedWith?.synthetic && 'an invented holder, since no market was found'),
  ]
}

const optional = (name: string, value: ReactNode): [string, ReactNode][] => (value ? [[name, value]] : [])

function sayName({ metadataSource, metadataMutable, uri }: TokenInfo): string {
  if (metadataSource === 'none') return 'it has none'
  const change = metadataMutable ? 'an account can change it' : 'no account can change it'
  return uri === '' ? change : `${change}; more at ${uri}, which was not opened`
}

/** The largest number that a mint can hold: it says that there is no bound. */
const NO_MOST = 2n ** 64n - 1n

function sayFee({ percent, maximum, scheduled, mutable }: NonNullable<TokenInfo['fee']>, decimals: number): string {
  const most = BigInt(maximum) >= NO_MOST ? '' : `, at most ${formatAmount(BigInt(maximum), decimals)} tokens`
  const later = scheduled ? `; ${formatPercent(scheduled.percent)} from epoch ${formatCount(scheduled.epoch)} on` : ''
  return `${formatPercent(percent)}${most}${later}; ${mutable ? 'an account can change it' : 'no account can change it'}`
}

const CODE_WORDS = {
  immutable: 'its code cannot be exchanged',
  upgradeable: 'its code can be exchanged',
  unknown: 'whether its code can be exchanged is not known',
} as const

function Hook({ hook }: { hook: NonNullable<TokenInfo['hook']> }) {
  const { program, exists, upgradeability, upgradeAuthority, explained, unread } = hook
  return (
    <>
      the program <Short all={program}>{shorten(program)}</Short>
      {exists ? `; ${CODE_WORDS[upgradeability]}` : ', which does not exist'}
      {upgradeAuthority !== null && (
        <>
          {' by '}
          <Short all={upgradeAuthority}>{shorten(upgradeAuthority)}</Short>
        </>
      )}
      {explained === true && '; all that it decides a sale by was read and tried'}
      {unread.length > 0 && `; not read: ${unread.join(', ')}`}
    </>
  )
}

function sayNodeTrial({ bought, sold, taxPercent, reason }: NonNullable<TokenInfo['triedByNode']>): string {
  if (bought && sold) return `it was bought and sold, at ${formatPercent(taxPercent)}`
  return `${bought ? 'the sale' : 'the purchase'} failed${reason === '' ? '' : `: ${reason}`}`
}

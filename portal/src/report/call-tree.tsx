import { useEffect, useMemo, useRef, useState } from 'react'
import type { Call, Simulate } from '../api/reports.js'
import { formatCoins, formatCount, shorten } from '../format.js'
import { nameCall, nameFunction } from './call-names.js'
import type { TokenUnits } from './condition-words.js'
import { decodeCall } from './decode-call.js'
import { type Parties, writeArgument, writeArguments, writeResults } from './write-call.js'

/** Deeper and wider than a person reads; a hostile trace has thousands. */
const MAX_CHILDREN = 100
/** Levels that are open at first. */
const OPEN_LEVELS = 1

interface TreeContext {
  parties: Parties
  /** Selector of the calls to show, with all that leads there open. */
  wanted: string | undefined
  /** What the chain's own coin is called. */
  coin: string
}

interface CallTreeProps extends Pick<TreeContext, 'wanted' | 'coin'> {
  simulate: Simulate
  target: string
  units: TokenUnits
}

/** The call tree as nested lists: each call can be opened, and tells its data when it is. */
export function CallTree({ simulate, target, units, wanted, coin }: CallTreeProps) {
  const root = useRef<HTMLDivElement>(null)
  const { calls } = simulate.simulation
  const parties = useMemo(() => findParties(simulate, target, units, coin), [simulate, target, units, coin])
  useEffect(() => {
    if (wanted === undefined) return
    const first = root.current?.querySelector<HTMLElement>('[data-wanted="true"] .call')
    first?.scrollIntoView({ block: 'center' })
    first?.focus()
  }, [wanted])
  return (
    <div className="call-tree" ref={root}>
      <CallList key={wanted} calls={calls} level={0} context={{ parties, wanted, coin }} />
    </div>
  )
}

function CallList({ calls, level, context }: { calls: readonly Call[]; level: number; context: TreeContext }) {
  const [shown, setShown] = useState(MAX_CHILDREN)
  return (
    <ol>
      {calls.slice(0, shown).map((call, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <CallItem key={i} call={call} level={level} context={context} />
      ))}
      {calls.length > shown && (
        <li>
          <button type="button" className="button plain" onClick={() => setShown(shown + MAX_CHILDREN)}>
            {calls.length - shown} more
          </button>
        </li>
      )}
    </ol>
  )
}

function CallItem({ call, level, context }: { call: Call; level: number; context: TreeContext }) {
  const { wanted } = context
  const { calls = [] } = call
  const isWanted = wanted !== undefined && call.input.toLowerCase().startsWith(wanted)
  const [isOpen, setOpen] = useState(() => level < OPEN_LEVELS || (wanted !== undefined && leadsTo(call, wanted)))
  const [isRead, setRead] = useState(false)
  return (
    <li data-failed={call.error !== undefined} data-wanted={isWanted}>
      <div className="call-row">
        {calls.length > 0 ? (
          <button type="button" className="call" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            <CallLine call={call} context={context} />
          </button>
        ) : (
          <span className="call leaf">
            <CallLine call={call} context={context} />
          </span>
        )}
        <button type="button" className="button plain" aria-expanded={isRead} onClick={() => setRead(!isRead)}>
          data<span className="visually-hidden"> of {nameCall(call.input)}</span>
        </button>
      </div>
      {isRead && (
        <dl className="call-data">
          <Data name="from" text={call.from} />
          <Data name="to" text={call.to} />
          <Decoded call={call} parties={context.parties} />
          <Data name="input" text={call.input} />
          <Data name="output" text={call.output} />
        </dl>
      )}
      {isOpen && calls.length > 0 && <CallList calls={calls} level={level + 1} context={context} />}
    </li>
  )
}

function CallLine({ call, context: { parties, coin } }: { call: Call; context: TreeContext }) {
  const value = BigInt(/^0x[0-9a-f]+$/i.test(call.value) ? call.value : 0)
  const decoded = decodeCall(call.input, call.output)
  return (
    <>
      <span className="call-type">{call.type}</span>{' '}
      <span className="call-to" title={call.to}>
        {parties.names.get(call.to.toLowerCase()) ?? shorten(call.to)}
      </span>
      <span className="call-name">.{nameFunction(call.input)}</span>
      <span className="call-given">({decoded ? writeArguments(decoded, call.to, parties) : '…'})</span>{' '}
      <span className="call-gas">{formatCount(BigInt(call.gasUsed))} gas</span>
      {value > 0n && (
        <span className="call-value">
          {' '}
          {formatCoins(value)} {coin}
        </span>
      )}
      {call.error !== undefined && <span className="call-error"> {call.revertReason ?? call.error}</span>}
    </>
  )
}

/** Each argument by its name, and what came back. */
function Decoded({ call, parties }: { call: Call; parties: Parties }) {
  const decoded = decodeCall(call.input, call.output)
  if (!decoded) return null
  const results = call.error === undefined ? writeResults(decoded, call.to, parties) : ''
  return (
    <>
      {decoded.arguments.map((argument, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <div key={i}>
          <dt>{argument.name || `argument ${i + 1}`}</dt>
          <dd className="wrap">{writeArgument(argument, decoded, call.to, parties)}</dd>
        </div>
      ))}
      {results !== '' && (
        <div>
          <dt>gives back</dt>
          <dd className="wrap">{results}</dd>
        </div>
      )}
    </>
  )
}

/** Data beyond this is for the raw answer. */
const MAX_DATA = 1_000

function Data({ name, text }: { name: string; text: string }) {
  if (text === '0x' || text === '') return null
  return (
    <div>
      <dt>{name}</dt>
      <dd className="mono wrap">
        {text.length > MAX_DATA ? `${text.slice(0, MAX_DATA)}… (${text.length / 2 - 1} bytes)` : text}
      </dd>
    </div>
  )
}

function leadsTo(call: Call, selector: string): boolean {
  const open = [...(call.calls ?? [])]
  for (let frame = open.pop(); frame; frame = open.pop()) {
    if (frame.input.toLowerCase().startsWith(selector)) return true
    open.push(...(frame.calls ?? []))
  }
  return false
}

/** Calls by which a contract shows that it wraps the chain's own coin. */
const WRAPS = ['0xd0e30db0', '0x2e1a7d4d']

/** Who is who in this trade, as far as the report says, and in what the tokens count. */
function findParties({ simulation, venue }: Simulate, target: string, units: TokenUnits, coin: string): Parties {
  const [first] = simulation.calls
  const wrapped = (first?.calls ?? []).find(({ input }) => WRAPS.some((selector) => input.startsWith(selector)))?.to
  const { decimals, symbol } = units
  return {
    names: new Map(
      [
        ...(first
          ? ([
              [first.to, 'router'],
              [first.from, 'trader'],
            ] as const)
          : []),
        ...(wrapped ? [[wrapped, `W${coin}`] as const] : []),
        ...(venue ? [[venue.pool, 'pool'] as const] : []),
        [target, 'token'] as const,
      ].map(([address, name]) => [address.toLowerCase(), name]),
    ),
    units: new Map([
      ...(wrapped ? [[wrapped.toLowerCase(), { decimals: 18, symbol: `W${coin}` }] as const] : []),
      ...(decimals === null ? [] : [[target.toLowerCase(), { decimals, symbol }] as const]),
    ]),
  }
}

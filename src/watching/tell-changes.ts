import { createHash } from 'node:crypto'
import { TRUST_STATUSES } from '../checks/levels.js'
import { accountsIn } from '../reports/dependencies.js'
import type { TokenAddress } from '../solana/token-address.js'
import type { Alert, AlertKind, Judgement, Origin, Watch } from './watch.js'
import type { SeenBlock } from './watch-store.js'
import type { TokenChange } from './word-index.js'

/** Something that happened to a token, for all who watch it. */
export interface Event {
  kind: AlertKind
  text: string
  origin: Origin | undefined
  before: Judgement | undefined
  after: Judgement | undefined
  /** Tells it from every other event of the token; the same for the same event. */
  key: string
}

/** An alert for each watch that asked for events of the kind. */
export function alertsOf(
  watches: readonly Watch[],
  token: TokenAddress,
  events: readonly Event[],
  at: number,
): Alert[] {
  return watches
    .filter((watch) => watch.address === token)
    .flatMap((watch) =>
      events
        .filter(({ kind }) => watch.tells.includes(kind))
        .map(({ key, ...event }) => ({
          ...event,
          id: `alert_${hashOf(`${watch.id} ${key}`)}`,
          ...{ watchId: watch.id, keyId: watch.keyId, chainId: watch.chainId, address: token, at },
          webhookState: watch.webhook === undefined ? ('none' as const) : ('waiting' as const),
          contacts: watch.contacts,
        })),
    )
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32)

/** What is left of the pool's coin when it counts as gone: half, in basis points. */
const LEFT_BPS = 5_000n

/** What a block changed of a token: at most one event of a kind. */
export function eventsOfBlock(
  changes: readonly TokenChange[],
  block: SeenBlock,
  judgement: Judgement | undefined,
): Event[] {
  return [...changeOfEachKind(changes)].map(([kind, change]) => ({
    kind,
    text: `${textOf(kind, change)} It is judged again.`,
    origin: { block, transaction: change.transaction },
    before: judgement,
    after: undefined,
    key: `${kind} ${block.hash}`,
  }))
}

/** What a transaction that waits would change of a token, if it were the next after `block`. */
export function eventOfPending(
  changes: readonly TokenChange[],
  { block, transaction }: { block: SeenBlock; transaction: string },
  judgement: Judgement | undefined,
): Event | undefined {
  const texts = [...changeOfEachKind(changes)].map(([kind, change]) => textOf(kind, change))
  if (texts.length === 0) return undefined
  return {
    kind: 'pending',
    text: `A transaction waits to be taken into a block. If it is: ${texts.join(' ')}`,
    origin: { block, transaction },
    before: judgement,
    after: undefined,
    key: `pending ${transaction}`,
  }
}

/** The last change of each kind that is told. */
function changeOfEachKind(changes: readonly TokenChange[]): Map<AlertKind, TokenChange> {
  const found = new Map<AlertKind, TokenChange>()
  for (const change of changes) {
    const kind = kindOf(change)
    if (kind !== undefined) found.set(kind, change)
  }
  return found
}

function kindOf({ word, code, value }: TokenChange): AlertKind | undefined {
  if (code !== undefined) return 'owner'
  switch (word?.role) {
    case 'decides':
      return 'condition'
    case 'guards':
      return isOtherAccount(word.value, value ?? 0n) ? 'owner' : 'condition'
    case 'liquidity':
      return (value ?? 0n) * 10_000n < word.value * LEFT_BPS ? 'liquidity' : undefined
    default:
      return undefined
  }
}

/** A flag beside an account changes, and the account stays: that is no other owner. */
const isOtherAccount = (before: bigint, after: bigint) =>
  !accountsIn(before).some((account) => accountsIn(after).includes(account))

function textOf(kind: AlertKind, { word, code, value }: TokenChange): string {
  if (code !== undefined) return 'Code that its trades run was exchanged.'
  switch (kind) {
    case 'condition':
      return 'What decides whether and at what cost it can be sold was changed.'
    case 'owner':
      return 'Who may call its privileged functions was changed.'
    default: {
      const left = word === undefined || word.value === 0n ? 0n : ((value ?? 0n) * 100n) / word.value
      return `Of the coin in its pool ${left} % are left since it was judged.`
    }
  }
}

/** Taxes that differ by less are rounding and price. Basis points. */
const TAX_TOLERANCE_BPS = 100

/** What the next verdict says differently. */
export function eventsOfVerdict(before: Judgement | undefined, after: Judgement, version: number): Event[] {
  if (before === undefined) return []
  const make = (kind: AlertKind, text: string): Event => ({
    ...{ kind, text, before, after, origin: undefined },
    key: `${kind} verdict ${version} ${after.block.hash}`,
  })
  const isWorse = TRUST_STATUSES.indexOf(after.level) > TRUST_STATUSES.indexOf(before.level)
  return [
    ...(after.level === before.level || (!isWorse && !after.isWhole)
      ? []
      : [
          make(
            'level',
            `It is ${after.level} now, ${isWorse ? 'worse' : 'better'} than ${before.level}. ${after.headline}`,
          ),
        ]),
    ...(differs(before.buyTaxBps, after.buyTaxBps) || differs(before.sellTaxBps, after.sellTaxBps)
      ? [make('tax', sayTaxes(after))]
      : []),
  ]
}

/** Dates that a verdict knows: of a change that the token announces, and of the end of a lock. */
export const DATES = ['nextChange', 'nextUnlock'] as const
type DateKind = (typeof DATES)[number]

const DATE_TEXTS: Record<DateKind, Record<'isDue' | 'isKnown', (date: string) => string>> = {
  nextChange: {
    isDue: (date) => `The change that it had announced for ${date} is due. It is judged again.`,
    isKnown: (date) => `It announces a change for ${date}.`,
  },
  nextUnlock: {
    isDue: (date) => `The lock on liquidity of its pool ended at ${date}: it can be taken out. It is judged again.`,
    isKnown: (date) => `Liquidity of its pool is locked until ${date}, and can be taken out from then on.`,
  },
}
const dateOf = (at: number) => new Date(at * 1_000).toISOString()
/** Alerts of changes had this key before there were others. */
const KEYS: Record<DateKind, string> = { nextChange: 'date', nextUnlock: 'date of unlock' }

/** A date that the verdict before knew has come. */
export const eventOfDate = (kind: DateKind, at: number, before: Judgement | undefined): Event => ({
  ...{ kind: 'date', before, after: undefined, origin: undefined },
  text: DATE_TEXTS[kind].isDue(dateOf(at)),
  key: `${KEYS[kind]} ${at}`,
})

/** A date that this verdict knows, and the one before did not: there is time to act. */
export const eventOfAnnouncement = (kind: DateKind, at: number, before: Judgement, after: Judgement): Event => ({
  ...{ kind: 'date', before, after, origin: undefined },
  text: DATE_TEXTS[kind].isKnown(dateOf(at)),
  key: `${KEYS[kind]} announced ${at}`,
})

const differs = (a: number | undefined, b: number | undefined) =>
  (a === undefined) !== (b === undefined) || Math.abs((a ?? 0) - (b ?? 0)) >= TAX_TOLERANCE_BPS

/** A sale that fails is no tax of all. */
const sayTaxes = ({ buyTaxBps, sellTaxBps, isHoneypot }: Judgement) =>
  isHoneypot
    ? `Buying costs ${percent(buyTaxBps)} now, and it cannot be sold.`
    : `Buying costs ${percent(buyTaxBps)} now, and selling ${percent(sellTaxBps)}.`

const percent = (bps: number | undefined) => (bps === undefined ? 'an unknown part' : `${Math.round(bps) / 100} %`)

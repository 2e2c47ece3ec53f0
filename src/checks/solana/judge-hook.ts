import type { Weighed } from './judge-mint.js'
import type { HookCondition, HookFacts, HookMover } from './play/hook-facts.js'
import type { PlayFacts } from './play/play-facts.js'
import type { FindingId } from './solana-findings.js'

/** What is left unexplained is told to this length. */
const MAX_UNREAD = 4
/** Of a place where tokens are traded: a sale above it is a large one. */
const LARGE_PART = 80n
/** Of what people sell: a minimum below this is a matter of dust. */
const DUST_PART = 20n

/**
 * What a hook's program decides by, as findings: what was brought about and then harmed a sale, and
 * what could not be explained.
 */
export function judgeHookFacts(play: PlayFacts | undefined): Weighed[] {
  const facts = play?.hook
  if (play === undefined || facts === undefined) return []
  const seen = facts.harmful.flatMap((condition) => {
    const id = findingOf(condition, play)
    return id === undefined ? [] : [{ id, basis: BASIS[condition.by], detail: describe(condition) }]
  })
  return [...seen, ...judgeUnread(facts)]
}

/** Whether a sale that goes through now is refused, or costs more, once time has passed. */
export const turnsHostile = (play: PlayFacts | undefined): boolean =>
  play?.hook?.harmful.some(({ by, lossBps }) => by === 'time' && lossBps >= HOSTILE_BPS) ?? false

const HOSTILE_BPS = 5_000

const judgeUnread = ({ unread }: HookFacts): Weighed[] =>
  unread.length === 0 ? [] : [{ id: 'unexplained-hook', detail: unread.slice(0, MAX_UNREAD).join('; ') }]

/**
 * What happens of itself, or to a part of all sellers, was seen; what needs an author is possible.
 */
const BASIS: Readonly<Record<HookMover, 'observed' | 'possible'>> = {
  time: 'observed',
  amount: 'observed',
  seller: 'observed',
  repetition: 'observed',
  coins: 'possible',
  balance: 'possible',
  data: 'possible',
}

function findingOf({ by, amount }: HookCondition, { vault, windows }: PlayFacts): FindingId | undefined {
  if (by === 'time') return 'time-delayed'
  if (by === 'seller') return 'some-cannot-sell'
  if (by === 'repetition') return 'next-sale-fails'
  if (by !== 'amount') return 'steerable-hook'
  const plain = windows[0]?.sizes.find(({ size }) => size === 'plain')?.amount ?? 0n
  if (amount >= plain) return amount * LARGE_PART > vault.amount ? 'large-sale-limit' : 'sell-limit'
  return amount * DUST_PART < plain ? 'minimum-sale' : 'high-minimum'
}

function describe({ by, afterSeconds, amount, account, lossBps, reason }: HookCondition): string {
  const what: Readonly<Record<HookMover, string>> = {
    time: `${inWords(afterSeconds)} from now on`,
    amount: `a sale of ${amount} base units`,
    seller: 'a sale by another wallet',
    repetition: 'another sale by the same wallet',
    coins: 'with other coins in an account',
    balance: 'with another balance in the market or with the seller',
    data: `with other data in ${account ?? 'an account'}`,
  }
  const when = by !== 'time' && afterSeconds > 0 ? `, ${inWords(afterSeconds)} from now on` : ''
  return `${what[by]}${when}: ${reason || `${lossBps / 100} % is lost`}`
}

const HOUR_SECONDS = 3_600
const DAY_SECONDS = 86_400

const inWords = (seconds: number): string =>
  seconds < 2 * DAY_SECONDS
    ? `${(seconds / HOUR_SECONDS).toFixed(1)} hours`
    : `${(seconds / DAY_SECONDS).toFixed(1)} days`

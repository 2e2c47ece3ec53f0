import { type Address, toPaddedHex } from '../../hex.js'
import { type Act, mastersOf } from './deposit-acts.js'
import { bringsPrice, type Deposit } from './exits.js'
import { type GivenNames, givenBy, isAmount } from './given-names.js'
import type { Attempt, Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import type { EntryNotes } from './probe-as-others.js'
import type { EntryPoint } from './read-functions.js'

/** The native coin, or a token. */
type Asset = Address | 'coin'
type Flows = ReadonlyMap<Asset, bigint>

export interface Player {
  from: Address
  by: Act['by']
}

/** A call that one of the players can make. */
export interface Move extends Player {
  entry: EntryPoint
  attempt: Attempt
}

/** A call that stands, and how long the players waited before it. */
export type Step = Act & { waitMs: number }

/** Who plays behind which deposit. */
export interface Game {
  stage: Stage
  deposit: Deposit
  players: readonly Player[]
}

/**
 * For any address the second victim, which has approved as the first one has; the masters; and one
 * that stands on the lists of the contract, where that let it do something (`deposit-acts.ts`).
 */
export function playersOf(stage: Stage, notes: EntryNotes, acts: readonly Act[]): Player[] {
  const masters = mastersOf(stage, notes).map((from) => ({ from, by: 'holder' as const }))
  const { address: other } = stage.twin()
  const isMember = ({ by, attempt, outcome }: Act) =>
    by === 'listed' && attempt.from === stage.outsider && outcome.success
  const members = acts.some(isMember) ? [{ from: stage.outsider, by: 'listed' as const }] : []
  const others = masters.some(({ from }) => from === other) ? [] : [{ from: other, by: 'anyone' as const }]
  return [...others, ...masters, ...members]
}

interface Word {
  account: Address
  slot: bigint
}

/** What stands on the fork. */
export interface Row {
  steps: readonly Step[]
  /** What all players together have more of, or less. */
  flows: Flows
  /** The depositor has had something for it on the way. */
  isPaid: boolean
  /** By what the contract knows what was made. */
  names: Omit<GivenNames, 'parts'>
  /** Words that calls of the players wrote: what each has there, among others. */
  words: ReadonlyMap<string, Word>
  /** Of those at which the players look. */
  moment: number
  /** Time that has passed since the last step. */
  waitedMs: number
}

export const NOTHING = { steps: [], flows: new Map(), isPaid: false, words: new Map(), moment: 0, waitedMs: 0 }

/** Amounts that the contract keeps of what the players have done, the largest first. */
export function partsIn({ fork }: Stage, { words }: Row): bigint[] {
  const amounts = [...words.values()].map(({ account, slot }) => fork.evm.storage(account, slot)).filter(isAmount)
  const sorted = [...new Set(amounts)].toSorted(descending).slice(0, MAX_PARTS)
  // More may be owed than there is.
  return [...sorted, ...sorted.slice(0, 2).map((amount) => amount / 2n)].toSorted(descending)
}

const MAX_PARTS = 5
const descending = (a: bigint, b: bigint) => (a < b ? 1 : -1)

const assetOf = ({ holding }: Deposit): Asset => holding?.token ?? 'coin'

/** What accounts have more of by a call, or less. */
function flowsOf({ holding }: Deposit, outcome: Outcome, isTheirs: (who: Address) => boolean): Map<Asset, bigint> {
  const sum = (changes: Iterable<readonly [Address, bigint]>) =>
    [...changes].reduce((all, [who, change]) => (isTheirs(who) ? all + change : all), 0n)
  const flows = new Map<Asset, bigint>([['coin', sum(outcome.native)]])
  for (const [token, changes] of outcome.tokens) flows.set(token, sum(changes))
  if (holding?.kind !== 'nft') return flows
  const owner = outcome.storage.writes.get(holding.account)?.get(holding.slot)
  const [lost, got] = [owner?.before ?? 0n, owner?.after ?? 0n].map((word) => toPaddedHex(word, 20))
  return flows.set(
    holding.token,
    sum([
      [lost as Address, -1n],
      [got as Address, 1n],
    ]),
  )
}

/** Whether players pay so much by the call that what is there does not make up for it. */
export const costsMuch = (game: Game, outcome: Outcome): boolean =>
  (ofPlayers(game, outcome).get(assetOf(game.deposit)) ?? 0n) < -MUCH * game.deposit.amount

/** Deposits: where prices rise, the third costs some more. */
const MUCH = 20n

const ofPlayers = ({ players, deposit }: Game, outcome: Outcome) =>
  flowsOf(deposit, outcome, (who) => players.some(({ from }) => from === who))

/** Players have more of the asset, and the depositor has nothing of it: that is its own way out. */
export function bringsIn(game: Game, outcome: Outcome): boolean {
  const { deposit, stage } = game
  const own = flowsOf(deposit, outcome, (who) => who === stage.victim.address)
  return (ofPlayers(game, outcome).get(assetOf(deposit)) ?? 0n) > 0n && [...own.values()].every((each) => each <= 0n)
}

/** The depositor has more of the asset by it: a present, which no player makes. */
export function isPresent({ deposit, stage }: Game, outcome: Outcome): boolean {
  const own = flowsOf(deposit, outcome, (who) => who === stage.victim.address)
  return (own.get(assetOf(deposit)) ?? 0n) > 0n
}

export function follow(game: Game, row: Row, { entry, by, attempt }: Move, outcome: Outcome): Row {
  const flows = new Map(row.flows)
  for (const [asset, change] of ofPlayers(game, outcome)) flows.set(asset, (flows.get(asset) ?? 0n) + change)
  const { ids, keys } = givenBy(game.stage, attempt, outcome)
  const { names } = row
  const own = game.deposit
  const words = new Map(row.words)
  const { target } = game.stage
  for (const slot of outcome.storage.writes.get(target)?.keys() ?? []) words.set(`${slot}`, { account: target, slot })
  return {
    steps: [...row.steps, { entry, by, attempt, outcome, waitMs: row.waitedMs }],
    flows,
    isPaid: row.isPaid || bringsPrice(game.stage, own, outcome),
    names: {
      ids: latest(own.ids, ids, names.ids),
      keys: latest(own.keys, keys, names.keys),
    },
    words,
    moment: row.moment,
    waitedMs: 0,
  }
}

const [OWN_NAMES, MAX_NAMES] = [2, 4]
/** The depositor's own first. */
const latest = (own: readonly bigint[], made: readonly bigint[], before: readonly bigint[]) =>
  [...new Set([...own.slice(0, OWN_NAMES), ...made, ...before])].slice(0, MAX_NAMES)

/** Half of the deposit or more, and nothing was given for it but a fee. */
export function isGain({ stage, deposit }: Game, { flows, isPaid }: Row): boolean {
  const asset = assetOf(deposit)
  if (isPaid || 2n * (flows.get(asset) ?? 0n) < deposit.amount) return false
  // What the contract itself has issued is worth what it holds.
  const isOwn = (each: Asset) => each === asset || each === stage.target
  return [...flows].every(([each, change]) => change >= 0n || isOwn(each) || (each === 'coin' && change > -FEE_WEI))
}

/** A hundredth of a coin. */
const FEE_WEI = 10_000_000_000_000_000n

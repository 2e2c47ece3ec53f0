import { sell } from '../../dex/legs.js'
import { FULL_BPS } from '../../dex/tax.js'
import { nextBlock } from '../../simulation/pending-block.js'
import { onBranch } from '../on-branch.js'
import {
  type Act,
  type Hand,
  holdingOf,
  type Measured,
  measure,
  most,
  newWallet,
  type OpenCall,
} from './own-wallets.js'
import type { Plan } from './plans.js'
import type { Choice, Power, ProofStep } from './power.js'
import { createSentSteps } from './proof-scene.js'
import type { Stage } from './stage.js'

/** Functions that any holder may call, and series of calls that are played. */
const MAX_FUNCTIONS = 6
const MAX_SERIES = 200
/** Wallets that everything passes through in a chain. */
const HOPS = 6
/** Rounds that a series is played to see that it goes on, and that are worth their gas. */
const ROUNDS = 3
const MOST_ROUNDS = 1_000n

/** Of what is held: less is rounding. Basis points. */
const LEAST_GAIN_BPS = 100n
/** What rewards for holding bring in the time that is waited. */
const LEAST_GAIN_AFTER_WAIT_BPS = 2_000n
/** Of each further wallet that everything passes through. */
const LEAST_GAIN_OF_HOP_BPS = 5n

/**
 * Series of calls that any holder may make, and of transfers between wallets of its own: together
 * they must not hold more after than before. What comes once, or of time, is no gain. So rewards
 * that are paid twice, debts that are forgiven and books that underflow show themselves.
 */
export function tryGains(stage: Stage, plans: readonly Plan[], hasBudget: () => boolean): Power[] {
  const calls = plans.filter(isOpen).slice(0, MAX_FUNCTIONS).flatMap(variantsOf)
  if (calls.length === 0 || !hasBudget()) return []
  return onBranch(stage, () => {
    const steps = distribute(stage)
    const first = stage.bystander.context.trader.address
    const held = holdingOf(stage, [first])
    if (held === 0n) return []
    const start = (): Hand => ({ wallets: [first], stake: held, steps: [...steps], waited: 0, logs: [] })
    let left = MAX_SERIES
    const mayGoOn = () => {
      left -= 1
      return left >= 0 && hasBudget()
    }
    const shown = tryChain(stage, calls, start, mayGoOn) ?? trySeries(stage, calls, start, mayGoOn)
    return shown ? [toPower(stage, shown, MAX_SERIES - left)] : []
  })
}

const KINDS = ['balance', 'supply', 'transfer'] as const

/** Where it is not known who may call, an ordinary holder tries. */
const isOpen = ({ holders, kinds, isConventional }: Plan) =>
  !isConventional &&
  (holders.length === 0 || holders.some(({ kind }) => kind === 'anyone' || kind === 'unknown')) &&
  KINDS.some((kind) => kinds.has(kind))

function variantsOf(plan: Plan): OpenCall[] {
  const has = (kind: RegExp) => plan.parameters.some(({ type }) => kind.test(type))
  const amounts: [string, (held: bigint) => bigint][] = has(/int/)
    ? [
        ['all', (held) => held],
        ['twice', (held) => 2n * held],
        ['none', () => 0n],
      ]
    : [['', () => 0n]]
  const flags = has(/^bool/) ? [true, false] : [true]
  return amounts.flatMap(([amount, numberOf]) =>
    flags.map((flag) => {
      const choose = (held: bigint): Choice => ({ address: 'holder', others: 'holder', number: numberOf(held), flag })
      return { plan, amount, choose }
    }),
  )
}

/** Some of it is sold, so that there is something to share where sales are shared. */
function distribute(stage: Stage): ProofStep[] {
  const { context, held } = stage.bystander
  const sent = createSentSteps()
  stage.effort.trades += 1
  sell({ ...context, watch: () => [sent] }, held / SOLD_PART)
  nextOf(stage)
  return sent.finish()
}

const SOLD_PART = 10n

const nextOf = ({ fork: { evm, chain } }: Stage) => evm.setBlock(nextBlock(chain, evm.block))

/** What a series brought each time, and by which call. */
interface Gain extends Measured {
  call: OpenCall
  /** One round is worth more than any number of them needs to be. */
  isUnbounded: boolean
}

/**
 * Everything passes through many wallets, each of which asks for what it can get: what the first of
 * them got, or more, is got again by each one after it. What a wallet gets that has nothing is a
 * gift, and not for what passes.
 */
function tryChain(
  stage: Stage,
  calls: readonly OpenCall[],
  start: () => Hand,
  mayGoOn: () => boolean,
): Gain | undefined {
  for (const call of calls) {
    if (!mayGoOn()) return undefined
    const hop: Act[] = [
      { kind: 'pass', times: 1n },
      { kind: 'ask', call, by: 'last two' },
    ]
    const end: Act[] = [{ kind: 'wait' }, { kind: 'ask', call, by: 'all' }]
    const through = (hops: number) => measure(stage, [...Array(hops).fill(hop).flat(), ...end], start)
    const long = through(HOPS)
    if (long === undefined || long.gained * ROUNDING < long.held || isGift(stage, call, start)) continue
    const [short, own] = [through(1)?.gained ?? 0n, through(0)?.gained ?? 0n]
    const each = (long.gained - short) / BigInt(HOPS - 1)
    const isPaidAgain = 2n * each >= own && own * ROUNDING >= long.held
    if (isPaidAgain || each * BigInt(FULL_BPS) >= long.held * LEAST_GAIN_OF_HOP_BPS)
      return { ...long, call, gained: each, isUnbounded: isPaidAgain }
  }
  return undefined
}

/** Of this part and less nothing is said. */
const ROUNDING = 10n ** 9n

/** Whether who has nothing gets something. */
function isGift(stage: Stage, call: OpenCall, start: () => Hand): boolean {
  const nothing = (): Hand => {
    const hand = start()
    return { ...hand, wallets: [newWallet(stage, hand)] }
  }
  const given = measure(stage, [{ kind: 'ask', call, by: 'all' }], nothing)
  return given === undefined || given.gained > 0n
}

function trySeries(
  stage: Stage,
  calls: readonly OpenCall[],
  start: () => Hand,
  mayGoOn: () => boolean,
): Gain | undefined {
  for (const call of calls) {
    const opens: Act = { kind: 'call', call, by: 'holder' }
    if (!mayGoOn()) return undefined
    if (measure(stage, [opens], start) === undefined) continue
    const closing = calls.filter(({ amount }) => amount === call.amount || amount === '' || call.amount === '')
    const series: Act[][] = [
      [opens, opens, { kind: 'pass', times: 2n }],
      ...closing.flatMap((other): Act[][] => [
        [opens, { kind: 'call', call: other, by: 'holder' }],
        [opens, { kind: 'pass', times: 1n }, { kind: 'call', call: other, by: 'giver' }],
        [opens, { kind: 'wait' }, { kind: 'call', call: other, by: 'holder' }],
      ]),
    ]
    for (const acts of series) {
      if (!mayGoOn()) return undefined
      const found = goesOn(stage, call, acts, start)
      if (found) return found
    }
  }
  return undefined
}

/** Whether round after round brings as much. */
function goesOn(stage: Stage, call: OpenCall, acts: readonly Act[], start: () => Hand): Gain | undefined {
  const least = acts.some(({ kind }) => kind === 'wait') ? LEAST_GAIN_AFTER_WAIT_BPS : LEAST_GAIN_BPS
  const isWorth = ({ gained, held }: Measured) => gained * BigInt(FULL_BPS) >= held * least
  const once = measure(stage, acts, start)
  if (once === undefined || !isWorth(once)) return undefined
  if (once.gained >= once.held * MOST_ROUNDS) return { ...once, call, isUnbounded: true }
  const more = measure(stage, acts, start, ROUNDS)
  if (more === undefined || more.gained < (once.gained * BigInt(ROUNDS + 1)) / 2n) return undefined
  return { ...more, call, gained: once.gained, isUnbounded: false }
}

function toPower({ market, baseline }: Stage, gain: Gain, tried: number): Power {
  const { call, hand, held, gained, issued, isUnbounded } = gain
  const { contract, selector, argumentTypes } = call.plan
  const from = hand.steps.at(-1)?.from
  const pool = baseline.ledger.pool ?? market.pool.tokenReserve
  // Who begins with as much as the pool has gains in proportion.
  const grown = isUnbounded ? most(gained, pool) : most(gained, (gained * pool) / held) * MOST_ROUNDS
  const isSeen = issued !== undefined && issued >= gained / 2n
  const each = isUnbounded
    ? 'tokens came out of nothing, each time anew'
    : `${percent(gained, held)} of what was held came out of nothing, each time anew`
  return {
    ...{ contract, selector, argumentTypes, tried, isBounded: false, isReversible: false },
    holder: { kind: 'anyone', delaySeconds: 0, isHidden: false, ...(from && { address: from }) },
    effect: isSeen ? 'mints' : 'mints-unseen',
    lossBps: Number((grown * BigInt(FULL_BPS)) / (grown + pool)),
    worstCase: `by calls that any holder can make, and transfers between wallets of its own, ${each}`,
    proof: { steps: hand.steps, outcome: each },
  }
}

const percent = (part: bigint, whole: bigint) => `${Number((part * BigInt(FULL_BPS)) / whole) / 100} %`

import { approve, buy, sell } from '../../dex/legs.js'
import type { Decision } from '../../evm/inspectors/decisions.js'
import { isSmall, type Leaf, type Slot } from '../../evm/inspectors/term.js'
import { wait } from '../../simulation/fork-verbs.js'
import { nextBlock } from '../../simulation/pending-block.js'
import { keyOf, leavesOf } from '../conditions/conditions.js'
import { onBranch } from '../on-branch.js'
import { actAs } from './act.js'
import type { DecisiveWords } from './decisive-words.js'
import { LONGEST_WAIT, secondsUntil, solve } from './find-way.js'
import { foreignPlans } from './foreign-plans.js'
import type { HolderFinder } from './holders.js'
import { lookAtTrade, trySell } from './look.js'
import { LEAST_RISE_BPS } from './look-later.js'
import { type Move, perform, play } from './play.js'
import type { ProofStep } from './power.js'
import { createSentSteps } from './proof-scene.js'
import { readContracts } from './read-contracts.js'
import type { Stage } from './stage.js'
import { isGrave, keepWorst, type Tried } from './try-plan.js'

/** Something that comes about by itself, or by the trades of others. */
interface Event {
  name: string
  /** What precedes the call. */
  before?(): ProofStep[] | undefined
  /** `undefined` where it cannot be brought about. */
  enter(): ProofStep[] | undefined
}

/** Calls to other contracts that one condition is tried with. */
const MAX_CHOICES = 4
const MAX_PLANS = 4

/**
 * What a sale asks for once a call has opened the way there, as behind a switch: a time, the
 * exchange, another contract. That is brought about after the call, and the token is sold.
 */
export function tryBehind(
  stage: Stage,
  { conditions }: DecisiveWords,
  finder: HolderFinder,
  hasBudget: () => boolean,
): (tried: Tried, move: Move, after: readonly Decision[]) => void {
  const known = new Set(conditions.map(nameOf))
  /** What does harm without the call is no doing of it. */
  const calm = new Map<string, boolean>()
  const isCalm = (event: Event) => {
    const found = calm.get(event.name) ?? onBranch(stage, () => isHarmless(stage, event))
    calm.set(event.name, found)
    return found
  }
  return (tried, move, after) => {
    const behind = after.filter((each) => !known.has(nameOf(each)))
    const leaves = behind.flatMap(({ condition }) => leavesOf(condition))
    for (const event of eventsFor(stage, behind, leaves)) {
      if (!hasBudget() || isGrave(tried)) return
      if (isCalm(event)) playAfter(stage, tried, move, event)
    }
    for (const next of foreignMoves(stage, leaves, finder)) {
      if (!hasBudget() || isGrave(tried)) return
      tried.calls += 2
      const { effects } = play(stage, [move, next], { skip: new Set(), mayLook: true })
      for (const effect of effects) keepWorst(tried, effect)
    }
  }
}

/** One branch may answer for several conditions: where the code joins them, what they ask tells. */
const nameOf = ({ codeAddress, pc, condition }: Decision) =>
  [codeAddress, pc, ...(isSmall(condition) ? leavesOf(condition).map(keyOf) : [])].join()

function eventsFor(stage: Stage, behind: readonly Decision[], leaves: readonly Leaf[]): Event[] {
  const seconds = behind.flatMap(({ condition }) => waitsFor(stage, condition))
  const asksMarket = leaves.some((leaf) => leaf.kind === 'slot' && stage.exchange.has(leaf.address))
  return [
    ...[...new Set(seconds)].slice(0, MAX_WAITS).map((each) => later(stage, each)),
    ...(asksMarket ? [rally(stage), slump(stage)] : []),
  ]
}

const MAX_WAITS = 2

function waitsFor(stage: Stage, condition: Decision['condition']): number[] {
  return leavesOf(condition).flatMap((leaf) => {
    if (leaf.kind !== 'environment' || (leaf.name !== 'TIMESTAMP' && leaf.name !== 'NUMBER')) return []
    return solve(condition, leaf)
      .filter((value) => value > leaf.value)
      .map((value) =>
        leaf.name === 'NUMBER' ? secondsUntil(stage, value - leaf.value) : Number(value - leaf.value) + 1,
      )
      .filter((each) => each <= LONGEST_WAIT)
  })
}

/** `totalSupply()`: a transaction that changes nothing, for a proof to wait with. */
const TOTAL_SUPPLY = '0x18160ddd'

function later(stage: Stage, seconds: number): Event {
  const { fork, fresh, token, operator, buyer, bystander } = stage
  return {
    name: `${Math.ceil(seconds / 3_600)} hours later`,
    enter() {
      wait(fork, seconds * 1_000)
      for (const { context, held } of [buyer, bystander]) approve(context, held)
      const step = { from: fresh, to: token, input: TOTAL_SUPPLY, waitSeconds: seconds } as const
      return actAs(fork, step, operator).success ? [step] : undefined
    },
  }
}

/** Parts of the pool's depth: the price comes to nine times what it was, and to twice. */
const RALLY = { part: 2n, of: 1n }
const SLUMP = { part: 1n, of: 2n }
/** Wei: gas, and what a newcomer buys for besides. */
const SAVINGS = 10n ** 20n

function rally(stage: Stage): Event {
  const { market, newcomer } = stage
  return {
    name: 'once the price has risen',
    enter: () =>
      tradeAs(stage, (watched) => buy(watched, (market.depth * RALLY.part) / RALLY.of).tokenDelta > 0n, newcomer),
  }
}

/** Another had bought much before the call, and sells it after it. */
function slump(stage: Stage): Event {
  const { market, newcomer } = stage
  let bought = 0n
  return {
    name: 'once the price has fallen',
    before: () =>
      tradeAs(
        stage,
        (watched) => {
          bought = buy(watched, (market.depth * SLUMP.part) / SLUMP.of).tokenDelta
          return bought > 0n && approve(watched, bought)?.success !== false
        },
        newcomer,
      ),
    enter: () => tradeAs(stage, (watched) => sell(watched, bought).success, newcomer),
  }
}

/** The transactions that it took; `undefined` where it could not be done. */
function tradeAs(
  { fork, market, amount }: Stage,
  trade: (context: Stage['newcomer']) => boolean,
  context: Stage['newcomer'],
): ProofStep[] | undefined {
  const { evm, chain } = fork
  const sent = createSentSteps()
  evm.setBalance(context.trader.address, market.depth * RALLY.part + 2n * amount + SAVINGS)
  if (!trade({ ...context, watch: () => [sent] })) return undefined
  evm.setBlock(nextBlock(chain, evm.block))
  return sent.finish()
}

function isHarmless(stage: Stage, event: Event): boolean {
  if (event.before?.() === undefined && event.before) return false
  if (event.enter() === undefined) return false
  const { success, taxBps = 0 } = trySell(stage, stage.buyer)
  return success && taxBps < stage.baseline.sellTaxBps + LEAST_RISE_BPS
}

function playAfter(stage: Stage, tried: Tried, move: Move, event: Event): void {
  onBranch(stage, () => {
    const before = event.before ? event.before() : []
    const { steps, acted } = perform(stage, [move])
    tried.calls += 1
    const after = acted && event.enter()
    if (before === undefined || after === undefined) return
    for (const effect of lookAtTrade(stage, { hasNumber: true }, false))
      keepWorst(tried, {
        ...effect,
        outcome: `${event.name}, ${effect.outcome}`,
        moves: [move],
        steps: [...before, ...steps, ...after],
      })
  })
}

/** Calls of contracts that only the sale of after the call asks, besides the exchange. */
function foreignMoves(stage: Stage, leaves: readonly Leaf[], finder: HolderFinder): Move[] {
  const { token, exchange, fork } = stage
  const words = leaves.filter((leaf): leaf is Slot => leaf.kind === 'slot')
  const asked = new Set(words.map(({ address }) => address).filter((each) => each !== token && !exchange.has(each)))
  return [...asked]
    .flatMap((address) => readContracts(fork, address))
    .flatMap((code) => foreignPlans(stage, code, finder, words))
    .slice(0, MAX_PLANS)
    .flatMap((plan) =>
      plan.holders
        .slice(0, 1)
        .flatMap((holder) => plan.choices.slice(0, MAX_CHOICES).map((choice) => ({ plan, holder, choice }))),
    )
}

import { concatHex, encodeFunctionData } from 'viem'
import { approve, transfer } from '../../dex/legs.js'
import { erc20Abi } from '../../dex/read-contract.js'
import type { Inspector } from '../../evm/inspector.js'
import type { Address } from '../../hex.js'
import { travel } from '../../simulation/pending-block.js'
import { onBranch } from '../on-branch.js'
import { type Acted, actAs } from './act.js'
import { encodeChoice } from './choices.js'
import type { ActingHolder } from './holders.js'
import { type Books, openBooks } from './ledger.js'
import { type Effect, look } from './look.js'
import { asCalled } from './own-callers.js'
import type { Plan } from './plans.js'
import type { Choice, ProofStep } from './power.js'
import type { Stage } from './stage.js'

/** A call to be made: its plan, its sender, its arguments. */
export interface Move {
  plan: Plan
  holder: ActingHolder
  choice: Choice
  /** What the holder waits before this call, after the one before it. */
  waitSeconds?: number
  /** Of a chain whose first call does not tell what the last one will do. */
  isUnannounced?: boolean
}

/** The worst that a function was seen to do in one respect. */
export interface Found extends Effect {
  /** In order; the last one is the function's own. */
  moves: readonly Move[]
  steps: readonly ProofStep[]
}

export interface Played {
  accepted: boolean
  looked: boolean
  effects: Found[]
  /** What the last call wrote. */
  writes: Acted['writes']
}

const NO_WRITES: Acted['writes'] = new Map()

/**
 * Makes the calls on a branch and looks what came of them. `skip` holds the changes that were
 * looked at before.
 */
export function play(
  stage: Stage,
  moves: readonly Move[],
  { skip, mayLook }: { skip: Set<string>; mayLook: boolean },
): Played {
  const played = onBranch(stage, (): Played => {
    const [first] = moves
    const from = first?.holder.address
    if (first === undefined || from === undefined)
      return { accepted: false, looked: false, effects: [], writes: NO_WRITES }
    const books = booksOf(stage, from)
    const { steps, acted } = perform(stage, moves)
    if (acted === undefined) return { accepted: false, looked: false, effects: [], writes: NO_WRITES }
    const { writes } = acted
    const mark = describeWrites(writes)
    if (!mayLook || mark === '' || skip.has(mark)) return { accepted: true, looked: false, effects: [], writes }
    skip.add(mark)
    const hasNumber = moves.some(({ plan }) => plan.parameters.some(({ type }) => type.includes('int')))
    const trades = stage.effort.trades
    const effects = look(stage, books.before, books.read(), acted, { hasNumber })
    const looked = stage.effort.trades > trades || effects.length > 0
    return { accepted: true, looked, effects: effects.map((effect) => ({ ...effect, moves, steps })), writes }
  })
  return {
    ...played,
    effects: played.effects.map((effect) => (isForOthersOnly(stage, effect) ? forOthers(effect) : effect)),
  }
}

const forOthers = (effect: Found): Found => ({
  ...effect,
  kind: 'blocks-sells',
  purchasesGoOn: false,
  outcome: `only the holder of the power could move tokens: ${effect.outcome}`,
})

/** Of what a buyer holds, what the holder of a power is lent to see whether it can move it. */
const LENT_SHARE = 10n

/**
 * Whether trading that stopped for all goes on for the account that stopped it. Has to begin anew,
 * as the holder needs some tokens beforehand.
 */
function isForOthersOnly(stage: Stage, { kind, moves }: Found): boolean {
  const holder = moves.at(-1)?.holder.address
  if (kind !== 'stops-trading' || holder === undefined) return false
  const { bystander, fork, token, newcomer, operator } = stage
  const receiver = newcomer.trader.address
  const amount = bystander.held / LENT_SHARE
  return onBranch(stage, () => {
    if (!transfer(bystander.context, holder, amount).success || perform(stage, moves).acted === undefined) return false
    const input = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [receiver, amount] })
    stage.effort.trades += 1
    // An exchange that was refused alone stops all trade and no transfer.
    if (onBranch(stage, () => transfer(bystander.context, receiver, amount)).success) return false
    return actAs(fork, { from: holder, to: token, input }, operator).success
  })
}

/**
 * Makes the calls, one block after the other, as their holders, after their delays. The last call's
 * effects, if all went through.
 */
export function perform(
  stage: Stage,
  moves: readonly Move[],
  watch: () => readonly Inspector[] = () => [],
): { steps: ProofStep[]; acted: Acted | undefined } {
  const { fork } = stage
  const { evm, chain } = fork
  const steps: ProofStep[] = []
  const delay = Math.max(0, ...moves.map(({ holder }) => holder.delaySeconds))
  const wait = (seconds: number) => {
    evm.setBlock(travel(chain, evm.block, seconds * 1_000))
    // What an exchange was allowed may have run out meanwhile.
    for (const { context, held } of [stage.buyer, stage.bystander]) approve(context, held)
  }
  if (delay > 0) wait(delay)
  let acted: Acted | undefined
  const writes: Acted['writes'] = new Map()
  for (const { plan, holder, choice, waitSeconds } of moves) {
    if (holder.address === undefined) return { steps, acted: undefined }
    if (waitSeconds !== undefined) wait(waitSeconds)
    if (holder.assumed) evm.setStorage(holder.assumed.account, holder.assumed.slot, holder.assumed.value)
    const call = encodeChoice(stage, holder.address, plan.selector, plan.parameters, choice)
    const input = plan.speakers?.has(holder.address) ? concatHex([call, stage.buyer.context.trader.address]) : call
    const step = asCalled(stage, {
      ...{ from: holder.address, to: plan.contract, input },
      ...(waitSeconds !== undefined && { waitSeconds }),
    })
    stage.effort.calls += 1
    acted = actAs(fork, step, stage.operator, watch())
    steps.push(step)
    if (!acted.success) return { steps, acted: undefined }
    for (const [address, slots] of acted.writes)
      writes.set(address, new Map([...(writes.get(address) ?? []), ...slots]))
  }
  return { steps, acted: acted && { ...acted, writes } }
}

const booksKnown = new WeakMap<Stage, Map<Address, Books>>()

/** The books as they were before a holder acted. */
function booksOf(stage: Stage, holder: Address): Books {
  const known = booksKnown.get(stage) ?? new Map<Address, Books>()
  booksKnown.set(stage, known)
  const books = known.get(holder) ?? openBooks(stage, holder)
  known.set(holder, books)
  return books
}

/** Equal for calls that changed the same storage to the same values. */
function describeWrites(writes: Acted['writes']): string {
  const parts: string[] = []
  for (const [address, slots] of writes)
    for (const [slot, { before, after }] of slots) if (before !== after) parts.push(`${address}:${slot}=${after}`)
  return parts.join()
}

import { encodeCall } from '../../dex/encode-call.js'
import { balanceOf, callData, erc20Abi } from '../../dex/read-contract.js'
import type { Address } from '../../hex.js'
import { onBranch } from '../on-branch.js'
import { actAs } from './act.js'
import type { ActingHolder, HolderFinder } from './holders.js'
import { openBooks } from './ledger.js'
import { type Effect, lookAtBooks } from './look.js'
import type { Power, ProofStep } from './power.js'
import type { Stage } from './stage.js'

/** Accounts with a say in the token that are tried besides an ordinary one. */
const MAX_HOLDERS = 4
/** Of what a buyer holds, what one who has nothing is lent. */
const LENT_SHARE = 10n
/** What doubles each time: from a ten-thousandth of the pool to six times as much. */
const MAX_REPEATS = 16
const TRANSFER = '0xa9059cbb'
const TRANSFER_FROM = '0x23b872dd'
type Way = typeof TRANSFER | typeof TRANSFER_FROM

/**
 * Transfers of an account to itself, of all, of half and of nothing, by an ordinary holder and by
 * those who have a say: the books must be the same after. What grows is repeated until it is worth
 * taking.
 */
export function trySelfTransfers(stage: Stage, finder: HolderFinder, hasBudget: () => boolean): Power[] {
  const anyone: ActingHolder = {
    kind: 'anyone',
    address: stage.bystander.context.trader.address,
    delaySeconds: 0,
    isHidden: false,
  }
  const special = finder.candidates.slice(0, MAX_HOLDERS).map((address) => finder.describe(address, false))
  for (const holder of [anyone, ...special]) {
    if (!hasBudget()) return []
    // Its handful of transfers costs about as much as a trade.
    stage.effort.trades += 1
    const power = onBranch(stage, () => tryAs(stage, holder))
    if (power) return [power]
  }
  return []
}

const PARTS = [1n, 2n, 0n]

function tryAs(stage: Stage, holder: ActingHolder): Power | undefined {
  const self = holder.address
  if (self === undefined) return undefined
  const lent = lend(stage, self)
  const held = balanceOf(stage.fork, stage.token, self) ?? 0n
  let tried = 0
  for (const way of [TRANSFER, TRANSFER_FROM] as const) {
    const first = onBranch(stage, () => {
      if (way === TRANSFER_FROM) act(stage, approval(stage, self, held))
      return PARTS.filter((part) => onBranch(stage, () => grows(stage, { self, held }, way, part)))
    })
    tried += PARTS.length
    for (const part of first) {
      const shown = onBranch(stage, () => repeat(stage, { self, held }, way, part))
      if (shown) return toPower(stage, holder, way, { ...shown, steps: [...lent, ...shown.steps], tried })
    }
  }
  return undefined
}

/** An account and what it holds. */
interface Own {
  self: Address
  held: bigint
}

const approval = ({ token }: Stage, self: Address, amount: bigint): ProofStep => ({
  ...{ from: self, to: token },
  input: encodeCall({ abi: erc20Abi, functionName: 'approve', args: [self, amount] }),
})

const toItself = ({ token }: Stage, { self, held }: Own, way: Way, part: bigint): ProofStep => {
  const amount = part === 0n ? 0n : held / part
  return { from: self, to: token, input: callData(way, way === TRANSFER ? [self, amount] : [self, self, amount]) }
}

const act = ({ fork, operator }: Stage, step: ProofStep) => actAs(fork, step, operator)

/** Whether the account has more after one such transfer, which it may have been allowed before. */
function grows(stage: Stage, own: Own, way: Way, part: bigint): boolean {
  const { success } = act(stage, toItself(stage, own, way, part))
  return success && (balanceOf(stage.fork, stage.token, own.self) ?? 0n) > own.held
}

function lend(stage: Stage, to: Address): ProofStep[] {
  const { fork, token, bystander, operator } = stage
  if ((balanceOf(fork, token, to) ?? 0n) > 0n) return []
  const args = [to, bystander.held / LENT_SHARE] as const
  const input = encodeCall({ abi: erc20Abi, functionName: 'transfer', args })
  const step = { from: bystander.context.trader.address, to: token, input }
  return actAs(fork, step, operator).success ? [step] : []
}

interface Shown {
  effect: Effect
  steps: ProofStep[]
}

function repeat(stage: Stage, { self, held }: Own, way: Way, part: bigint): Shown | undefined {
  const books = openBooks(stage, self)
  const steps: ProofStep[] = []
  const send = (step: ProofStep) => {
    steps.push(step)
    return act(stage, step)
  }
  let effect: Effect | undefined
  let own = { self, held }
  for (let i = 0; i < MAX_REPEATS; i += 1) {
    if (way === TRANSFER_FROM) send(approval(stage, self, part === 0n ? 0n : own.held / part))
    const acted = send(toItself(stage, own, way, part))
    const after = books.read()
    if (!acted.success || (after.holder ?? 0n) <= own.held) break
    own = { self, held: after.holder ?? 0n }
    const made = lookAtBooks(stage, books.before, after, acted).find(({ kind }) => MADE.has(kind))
    // The event of a transfer to oneself tells of no new tokens.
    effect = made && after.supply === books.before.supply ? { ...made, kind: 'mints-unseen' } : (made ?? effect)
  }
  return effect && { effect, steps }
}

const MADE: ReadonlySet<Effect['kind']> = new Set(['mints', 'mints-unseen'])

function toPower(
  { token }: Stage,
  { assumed: _, ...holder }: ActingHolder,
  selector: Way,
  { effect, steps, tried }: Shown & { tried: number },
): Power {
  const { kind, lossBps, outcome } = effect
  return {
    ...{
      contract: token,
      selector,
      argumentTypes: selector === TRANSFER ? 'address,uint256' : 'address,address,uint256',
    },
    ...{ holder, effect: kind, lossBps, tried, isBounded: false, isReversible: false },
    worstCase: `by transfers of an account to itself, ${outcome}`,
    proof: { steps, outcome },
  }
}

import { encodeCall } from '../../dex/encode-call.js'
import { balanceOf, callData, erc20Abi } from '../../dex/read-contract.js'
import type { Address } from '../../hex.js'
import { onBranch } from '../on-branch.js'
import { actAs } from './act.js'
import type { ActingHolder, HolderFinder } from './holders.js'
import { type Ledger, readLedger } from './ledger.js'
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
  const before = readLedger(stage, self)
  let tried = 0
  for (const way of [TRANSFER, TRANSFER_FROM] as const)
    for (const part of PARTS) {
      tried += 1
      const shown = onBranch(stage, () => repeat(stage, { self, before }, way, part))
      if (shown) return toPower(stage, holder, way, { ...shown, steps: [...lent, ...shown.steps], tried })
    }
  return undefined
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

/** `before`: the books as they are. */
function repeat(
  stage: Stage,
  { self, before }: { self: Address; before: Ledger },
  way: typeof TRANSFER | typeof TRANSFER_FROM,
  part: bigint,
): Shown | undefined {
  const { fork, token, operator } = stage
  const steps: ProofStep[] = []
  const act = (input: ProofStep['input']) => {
    const step = { from: self, to: token, input }
    steps.push(step)
    return actAs(fork, step, operator)
  }
  let effect: Effect | undefined
  let held = before.holder ?? 0n
  for (let i = 0; i < MAX_REPEATS; i += 1) {
    const amount = part === 0n ? 0n : held / part
    if (way === TRANSFER_FROM) act(encodeCall({ abi: erc20Abi, functionName: 'approve', args: [self, amount] }))
    const acted = act(callData(way, way === TRANSFER ? [self, amount] : [self, self, amount]))
    if (!acted.success || (balanceOf(fork, token, self) ?? 0n) <= held) break
    const after = readLedger(stage, self)
    held = after.holder ?? 0n
    const made = lookAtBooks(stage, before, after, acted).find(({ kind }) => MADE.has(kind))
    // The event of a transfer to oneself tells of no new tokens.
    effect = made && after.supply === before.supply ? { ...made, kind: 'mints-unseen' } : (made ?? effect)
  }
  return effect && { effect, steps }
}

const MADE: ReadonlySet<Effect['kind']> = new Set(['mints', 'mints-unseen'])

function toPower(
  { token }: Stage,
  { assumed: _, ...holder }: ActingHolder,
  selector: typeof TRANSFER | typeof TRANSFER_FROM,
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

import { largerOf } from '../../bigints.js'
import { balanceOf, callData, readWords } from '../../dex/read-contract.js'
import type { Log } from '../../evm/inspector.js'
import { type Address, type Hex, wordToAddress, ZERO_ADDRESS } from '../../hex.js'
import { travel } from '../../simulation/pending-block.js'
import { onBranch } from '../on-branch.js'
import { actAs } from './act.js'
import { encodeChoice, fixArgument } from './choices.js'
import type { HandCall } from './hand-calls.js'
import { TRANSFER } from './hidden-entries.js'
import { runBy } from './hostile-code.js'
import { TOTAL_SUPPLY } from './ledger.js'
import { TRANSFER_TOPIC } from './look.js'
import type { ProofStep } from './power.js'
import { freshBeside, type Stage } from './stage.js'

/** What rewards, locks and cooldowns ask to have passed. Seconds. */
const LONG_WAIT = 2 * 86_400

/** What a holder does that acts through wallets of its own. */
export type Act =
  | { kind: 'call'; call: HandCall; by: 'holder' | 'giver' }
  /** May be refused: a reward that is not there yet is asked for again later. */
  | { kind: 'ask'; call: HandCall; by: 'last two' | 'all' }
  /** All that is held goes on to a new wallet; `times` of it is more than there is. */
  | { kind: 'pass'; times: bigint }
  /** It goes back to the wallet that it came from. */
  | { kind: 'return' }
  /**
   * A contract is given all, makes the call, and passes on what it has while it is called back; or
   * while another is that the call names.
   */
  | { kind: 'reenter'; call: HandCall }
  | { kind: 'wait' }

/** Where a holder's tokens are, and what it did. */
export interface Hand {
  wallets: Address[]
  /** What they hold together as a round begins: calls are about as much. */
  stake: bigint
  steps: ProofStep[]
  waited: number
  gasUsed: bigint
  logs: Log[]
}

export const holdingOf = ({ fork, token }: Stage, wallets: readonly Address[]): bigint =>
  wallets.reduce((sum, wallet) => sum + (balanceOf(fork, token, wallet) ?? 0n), 0n)

/** Where each series begins, and the gas of all that were played. */
export interface Play {
  start(): Hand
  spent: { gas: bigint }
}

export interface Measured {
  hand: Hand
  held: bigint
  gained: bigint
  /** How the total supply changed; `undefined` where the token does not tell. */
  issued: bigint | undefined
}

/** Plays the acts on a branch. `undefined` where one that has to go through is refused. */
export function measure(stage: Stage, acts: readonly Act[], { start, spent }: Play, rounds = 1): Measured | undefined {
  const hand = start()
  const held = holdingOf(stage, hand.wallets)
  const supply = supplyOf(stage)
  const after = onBranch(stage, () => {
    for (let round = 0; round < rounds; round += 1) {
      begin(stage, hand)
      // What a wallet gets once is got again by the next one.
      if (round > 0) perform(stage, hand, { kind: 'pass', times: 1n })
      for (const act of acts) if (!perform(stage, hand, act)) return undefined
    }
    const left = payersOf(stage, hand).map((payer) => [payer, holdingOf(stage, [payer])] as const)
    return { holding: holdingOf(stage, hand.wallets), left, supply: supplyOf(stage) }
  })
  spent.gas += hand.gasUsed
  if (after === undefined) return undefined
  const paid = after.left.reduce((sum, [payer, left]) => sum + largerOf(holdingOf(stage, [payer]) - left, 0n), 0n)
  const issued = supply === undefined || after.supply === undefined ? undefined : after.supply - supply
  return { hand, held, gained: after.holding - held - paid, issued }
}

const supplyOf = ({ fork, token }: Stage) => readWords(fork, token, TOTAL_SUPPLY)?.[0]

/** Accounts that events name as those who paid: what they have less is no gain out of nothing. */
function payersOf({ token, market, buyer }: Stage, { logs, wallets }: Hand): Address[] {
  const victims = [ZERO_ADDRESS, market.pool.address, buyer.context.trader.address, ...wallets]
  const named = logs.flatMap(({ address, topics: [topic, from] }) =>
    address === token && topic === TRANSFER_TOPIC && from !== undefined ? [wordToAddress(BigInt(from))] : [],
  )
  return [...new Set([token, ...named])].filter((account) => !victims.includes(account)).slice(0, MAX_PAYERS)
}

const MAX_PAYERS = 8

/** A round begins where most of it is: that wallet comes last. */
function begin(stage: Stage, hand: Hand): void {
  const held = hand.wallets.map((wallet) => ({ wallet, has: holdingOf(stage, [wallet]) }))
  hand.wallets = held.toSorted((a, b) => (a.has > b.has ? 1 : -1)).map(({ wallet }) => wallet)
  hand.stake = held.reduce((sum, { has }) => sum + has, 0n)
}

function perform(stage: Stage, hand: Hand, act: Act): boolean {
  if (act.kind === 'wait') {
    const { evm, chain } = stage.fork
    evm.setBlock(travel(chain, evm.block, LONG_WAIT * 1_000))
    hand.waited = LONG_WAIT
    return true
  }
  const holder = hand.wallets.at(-1)
  if (holder === undefined) return false
  if (act.kind === 'pass') {
    const receiver = newWallet(stage, hand)
    const amount = holdingOf(stage, [holder]) * act.times
    if (!send(stage, hand, holder, stage.token, callData(TRANSFER, [receiver, amount]))) return false
    hand.wallets.push(receiver)
    return true
  }
  if (act.kind === 'return') {
    const giver = hand.wallets.at(-2)
    const amount = holdingOf(stage, [holder])
    if (giver === undefined || !send(stage, hand, holder, stage.token, callData(TRANSFER, [giver, amount])))
      return false
    hand.wallets.splice(-2, 2, holder, giver)
    return true
  }
  if (act.kind === 'reenter') {
    const { hostile, accomplice, token } = stage
    if (!send(stage, hand, holder, token, callData(TRANSFER, [hostile, holdingOf(stage, [holder])]))) return false
    const { plan, partnerAt, choose } = act.call
    hand.wallets.unshift(hostile, ...(partnerAt === undefined ? [] : [accomplice]))
    // Who pays in coins calls back only where there are some.
    send(stage, hand, holder, plan.contract, '0x', COINS)
    const asked = choose(holdingOf(stage, [hostile]))
    const choice = partnerAt === undefined ? asked : fixArgument(asked, partnerAt, BigInt(accomplice))
    const input = encodeChoice(stage, hostile, plan.selector, plan.parameters, choice)
    return send(stage, hand, holder, hostile, runBy(plan.contract, input))
  }
  const ask = (caller: Address | undefined) => {
    if (caller === undefined) return false
    const { plan, partnerAt, choose } = act.call
    const partner = hand.wallets.findLast((wallet) => wallet !== caller)
    const asked = choose(hand.stake)
    const choice = partnerAt === undefined || !partner ? asked : fixArgument(asked, partnerAt, BigInt(partner))
    return send(stage, hand, caller, plan.contract, encodeChoice(stage, caller, plan.selector, plan.parameters, choice))
  }
  if (act.kind === 'call') return ask(act.by === 'giver' ? hand.wallets.at(-2) : holder)
  for (const wallet of act.by === 'all' ? [...hand.wallets] : hand.wallets.slice(-2)) ask(wallet)
  return true
}

/** What a token is given that pays coins. Wei. */
const COINS = 10n ** 15n

function send(stage: Stage, hand: Hand, from: Address, to: Address, input: Hex, value = 0n): boolean {
  const { fork, operator, effort } = stage
  const waited = hand.waited > 0 && { waitSeconds: hand.waited }
  const step: ProofStep = { from, to, input, ...(value > 0n && { value }), ...waited }
  effort.calls += 1
  const { success, logs, gasUsed } = actAs(fork, step, operator)
  hand.gasUsed += gasUsed
  if (!success) return false
  hand.waited = 0
  hand.steps.push(step)
  hand.logs.push(...logs)
  return true
}

export const newWallet = (stage: Stage, { wallets }: Hand): Address => freshBeside(stage, wallets.length)

import type { SolanaAccount } from '../../../solana/account.js'
import { viewOf } from '../../../solana/account.js'
import { addressBytes, type SolanaAddress } from '../../../solana/address.js'
import type { SolanaClock } from '../../../solana/cluster-clock.js'
import { associatedTokenAddress } from '../../../solana/pda.js'
import { isAddressCheck } from '../../../solana/sbf/address-check.js'
import type { Decision } from '../../../solana/sbf/follow-program.js'
import type { Instead, Source, SourceKind } from '../../../solana/sbf/sbf-term.js'
import { amountIn, withAmount } from '../../../solana/token/token-account.js'
import type { InnerCall } from '../../../solana/transaction-result.js'
import { flipAmount, flipBytes, flipTime, leavesOfDecision, outcomeOf, withOtherAmount } from './decision-flips.js'
import type { HookMover } from './hook-facts.js'
import type { HookStage } from './hook-sales.js'
import { type Actor, openAccount } from './play-stage.js'

/** How a sale goes: when, how much, by which wallet, and what stands in accounts. */
export interface Circumstance {
  /** What was made otherwise, in turn. */
  by: readonly HookMover[]
  afterSeconds: number
  amount: bigint
  seller: Actor
  /** What the seller has, where that is another sum than usual. */
  coins?: bigint
  set: ReadonlyMap<SolanaAddress, SolanaAccount | undefined>
  /** Whose data was set last. */
  account?: SolanaAddress | undefined
}

interface Turn {
  decision: Decision
  circumstance: Circumstance
  /** What time it was in it. */
  clock: SolanaClock
  call: InnerCall
  /** Whether the hook's own program can change accounts. */
  mayWrite: boolean
  /** What is left for searches. */
  effort: { left: number }
  /** What could not be turned because it cannot be computed, in words. */
  unread: Set<string>
}

/** Places of the accounts that every hook is handed. */
const SOURCE = 0
const VAULT = 2
const OWNER = 3
const FIRST_OF_HOOK = 4

/**
 * Circumstances in which a decision of the hook falls otherwise: one for each thing it hangs on.
 */
export function otherwise(stage: HookStage, turn: Turn): Circumstance[] {
  const { decision, circumstance, call, effort, unread } = turn
  const leaves = leavesOfDecision(decision)
  if (outcomeOf(decision, new Map()) === undefined) {
    if (!isAddressCheck(decision)) unread.add('it decides by what cannot be computed backwards')
    return []
  }
  const next = (by: HookMover, changes: Partial<Circumstance>): Circumstance => ({
    ...circumstance,
    ...changes,
    by: [...circumstance.by, by],
  })
  const seen = new Set<string>()
  return [...leaves].flatMap(([source, slices]): Circumstance[] => {
    const { kind, account } = source
    const address = call.accounts[account]
    const name = `${kind}:${account}`
    if (seen.has(name)) return []
    seen.add(name)
    if (kind === 'clock' && isLater(circumstance)) return []
    effort.left -= EFFORT[kind]
    if (kind === 'clock') return afterOther(stage, turn, source, next)
    if (kind === 'instruction') return ofOtherAmount(stage, turn, source, next)
    if (kind === 'runtime') {
      unread.add('it decides by what else is in a transaction, or by hashes of slots')
      return []
    }
    if (address === undefined || kind === 'shape') return []
    if (kind === 'key') return account === SOURCE || account === OWNER ? byOthers(stage, turn, next) : []
    if (account === OWNER) return kind === 'lamports' ? withOtherCoins(turn, source, slices, next) : []
    return withOtherData(stage, turn, { source, slices, address }, next)
  })
}

/** Where the time alone is otherwise, the calendar has all other times (`hook-calendar.ts`). */
const isLater = ({ by }: Circumstance) => by.length > 0 && by.every((each) => each === 'time')

/** What a search takes, in hundreds of computations of a decision or so. */
const EFFORT: Readonly<Record<SourceKind, number>> = {
  clock: 10,
  instruction: 3,
  key: 1,
  owner: 1,
  lamports: 1,
  data: 1,
  length: 0,
  shape: 0,
  runtime: 0,
}

type Next = (by: HookMover, changes: Partial<Circumstance>) => Circumstance
type Slices = readonly { at: number; size: number }[]

function afterOther({ fork }: HookStage, turn: Turn, source: Source, next: Next): Circumstance[] {
  const { decision, circumstance, clock } = turn
  const seconds = flipTime(decision, source, { clock, epochs: fork.epochs })
  return seconds === undefined ? [] : [next('time', { afterSeconds: circumstance.afterSeconds + seconds })]
}

/** Few sell more at a time than a tenth of what the market holds. */
const LARGEST_PART = 10n

function ofOtherAmount({ vault }: HookStage, turn: Turn, source: Source, next: Next): Circumstance[] {
  const { decision, circumstance } = turn
  const instead = (amount: bigint): Instead => new Map([[source, withOtherAmount(source.bytes, amount)]])
  const amount = flipAmount(decision, { played: circumstance.amount, most: vault.amount / LARGEST_PART, instead })
  return amount === undefined || amount < 1n ? [] : [next('amount', { amount })]
}

/** Sellers that are made up to find one for which a decision falls otherwise. */
const SELLERS = 48

function byOthers(stage: HookStage, { decision }: Turn, next: Next): Circumstance[] {
  const { mint, people, fork } = stage
  const keys = [...leavesOfDecision(decision).keys()].filter(({ kind }) => kind === 'key')
  for (let turn = 0; turn < SELLERS; turn += 1) {
    const owner = people.wallet(`seller ${turn}`)
    const isByAccount = keys.some(({ account }) => account === SOURCE)
    const held = isByAccount ? associatedTokenAddress(owner, mint.address, mint.tokenProgram) : owner
    const instead = new Map(
      keys.flatMap((source): [Source, Uint8Array][] =>
        source.account === OWNER
          ? [[source, addressBytes(owner)]]
          : source.account === SOURCE
            ? [[source, addressBytes(held)]]
            : [],
      ),
    )
    const outcome = outcomeOf(decision, instead)
    if (outcome === undefined || outcome === decision.taken) continue
    return [next('seller', { seller: openAccount(fork, mint, { owner, lamports: people.lamports(`seller ${turn}`) }) })]
  }
  return []
}

function withOtherCoins({ decision }: Turn, source: Source, slices: Slices, next: Next): Circumstance[] {
  const bytes = flipBytes(decision, source, slices)
  const coins = bytes && viewOf(bytes).getBigUint64(0, true)
  return coins === undefined || coins > MOST_COINS || coins < LEAST_COINS ? [] : [next('coins', { coins })]
}

/** What wallets hold: fees for a trade, up to a thousand coins. */
const LEAST_COINS = 10_000_000n
const MOST_COINS = 1_000_000_000_000n

/** Puts other data into an account, coins, or the account there or away. */
function withOtherData(
  stage: HookStage,
  { decision, circumstance, mayWrite }: Turn,
  { source, slices, address }: { source: Source; slices: Slices; address: SolanaAddress },
  next: Next,
): Circumstance[] {
  const { kind, account: place } = source
  const held = circumstance.set.has(address) ? circumstance.set.get(address) : stage.fork.account(address)
  // What no code can write stays as it is.
  if (held?.owner === stage.program && !mayWrite) return []
  const setTo = (account: SolanaAccount | undefined, by: HookMover = 'data') =>
    next(by, { set: new Map([...circumstance.set, [address, account]]), account: address })
  if (kind === 'length' || kind === 'owner') {
    // The accounts of a transfer are what they are.
    if (place < FIRST_OF_HOOK) return []
    const isThere = held !== undefined && held.data.length > 0
    return [setTo(isThere ? undefined : { ...MADE, owner: stage.program })]
  }
  const bytes = flipBytes(decision, source, slices)
  if (bytes === undefined) return []
  if (kind === 'lamports')
    return held ? [setTo({ ...held, lamports: viewOf(bytes).getBigUint64(0, true) }, 'coins')] : []
  if (held === undefined || bytes.length !== held.data.length) return []
  if (place !== SOURCE && place !== VAULT) return [setTo({ ...held, data: bytes })]
  // What stands there while it is moved is not what stood there before.
  const seen = amountIn(source.bytes) ?? 0n
  const wanted = amountIn(bytes) ?? 0n
  if (seen === wanted) return []
  const before = (amountIn(held.data) ?? 0n) + wanted - seen
  return before < 0n || before >= MOST_AMOUNT ? [] : [setTo(withAmount(held, before), 'balance')]
}

const MOST_AMOUNT = 1n << 64n
/** An account as a program makes one: with something in it, and what keeps it there. */
const MADE = { lamports: 2_039_280n, executable: false, data: new Uint8Array(64).fill(1) }

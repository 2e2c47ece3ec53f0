import type { SolanaAccount } from '../../../solana/account.js'
import type { SolanaAddress } from '../../../solana/address.js'
import type { SolanaClock } from '../../../solana/cluster-clock.js'
import { type Followed, followProgram } from '../../../solana/sbf/follow-program.js'
import { type ReadCode, serialiseCall } from '../../../solana/sbf/program-input.js'
import type { SbfProgram } from '../../../solana/sbf/read-elf.js'
import type { Fork } from '../../../solana/svm/fork.js'
import type { Mint } from '../../../solana/token/mint.js'
import { amountIn, asInTransfer } from '../../../solana/token/token-account.js'
import type { InnerCall, TransactionResult } from '../../../solana/transaction-result.js'
import type { Circumstance } from './hook-circumstances.js'
import type { HookCondition } from './hook-facts.js'
import type { People } from './people.js'
import type { LegFacts } from './play-facts.js'
import { type Actor, give, type Holding, measure, transferOf } from './play-stage.js'

export interface HookStage {
  fork: Fork
  mint: Mint
  /** Of the token's hook. */
  program: SolanaAddress
  trader: Actor
  vault: Holding & { amount: bigint }
  people: People
  /** What people sell at a time. */
  plain: bigint
  /** Puts everything back as at the beginning, with nothing in the trader's account. */
  reset(): void
  /** Puts everything back, and buys: what the hook remembers of buyers stands. */
  buy(): void
}

/** A sale that was tried. */
export interface Sale {
  leg: LegFacts
  result: TransactionResult
  /** What went into the sale's two accounts before. */
  call: InnerCall | undefined
}

/** Sells in these circumstances, and undoes it. */
export function sell(stage: HookStage, circumstance: Circumstance): Sale {
  const { fork, mint, vault, program } = stage
  const { seller, amount } = circumstance
  place(stage, circumstance)
  const before = amountIn(fork.account(vault.account)?.data) ?? 0n
  const result = fork.simulate(seller.owner, [transferOf(fork, mint, seller, vault, amount)])
  const received = (amountIn(result.after(vault.account)) ?? before) - before
  return { leg: measure(result, amount, received), result, call: result.inner.find((each) => each.program === program) }
}

function place(stage: HookStage, { seller, amount, set, afterSeconds, coins }: Circumstance): void {
  const { fork, mint } = stage
  if (seller === stage.trader) stage.buy()
  else stage.reset()
  give(fork, mint, coins === undefined ? seller : { ...seller, lamports: coins }, amount)
  for (const [address, account] of set) fork.set(address, account)
  fork.moveTo(afterSeconds)
}

/** The program's own way through a sale, on the accounts as the token program hands them over. */
export function follow(
  stage: HookStage,
  { program, programs }: { program: SbfProgram; programs: ReadCode },
  circumstance: Circumstance,
  { leg, call }: Sale,
): { followed: Followed; call: InnerCall; clock: SolanaClock } {
  if (call === undefined) {
    const none = { instruction: 0, program: stage.program, data: new Uint8Array(), accounts: [], stackHeight: 2 }
    return {
      followed: { result: undefined, decisions: [], steps: 0, lostAt: 'it was not asked' },
      call: none,
      clock: stage.fork.clock,
    }
  }
  place(stage, circumstance)
  const { fork, mint, vault } = stage
  const { seller, amount } = circumstance
  const metas = transferOf(fork, mint, seller, vault, amount).accounts.slice(FIXED_ACCOUNTS)
  const asked = (address: SolanaAddress): SolanaAccount | undefined => {
    const account = fork.account(address)
    if (address === seller.account) return account && asInTransfer(account, -amount)
    return address === vault.account && account ? asInTransfer(account, leg.received) : account
  }
  const accounts = call.accounts.map((address) => ({
    address,
    account: asked(address),
    // The token program passes no signature on.
    isSigner: false,
    isWritable: metas.some((meta) => meta.address === address && meta.writable),
  }))
  const input = serialiseCall({ program: stage.program, accounts, data: call.data, clock: fork.clock, programs })
  return { followed: followProgram(program, input), call, clock: fork.clock }
}

/** Source, mint, destination and owner, which a hook cannot write to. */
const FIXED_ACCOUNTS = 4

/** The same person sells four times: what a hook counts, it has counted by then. */
export function repeatSales({ fork, mint, program, trader, vault, plain, buy }: HookStage): HookCondition[] {
  buy()
  const part = (amountIn(fork.account(trader.account)?.data) ?? 0n) / SALES
  if (part === 0n) return []
  for (let turn = 0n; turn < SALES; turn += 1n) {
    const result = fork.send(trader.owner, [transferOf(fork, mint, trader, vault, part)])
    const { reason } = measure(result, part, part)
    if (result.ok || turn === 0n || !reason.startsWith(program)) continue
    return [{ by: 'repetition', afterSeconds: 0, amount: plain, account: undefined, lossBps: FULL_BPS, reason }]
  }
  return []
}

const SALES = 4n
const FULL_BPS = 10_000

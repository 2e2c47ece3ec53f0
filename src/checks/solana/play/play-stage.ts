import type { SolanaAccount } from '../../../solana/account.js'
import type { SolanaAddress } from '../../../solana/address.js'
import type { AccountMeta, Instruction } from '../../../solana/instruction.js'
import { associatedTokenAddress } from '../../../solana/pda.js'
import { SYSTEM_PROGRAM, WRAPPED_SOL } from '../../../solana/programs.js'
import type { Fork } from '../../../solana/svm/fork.js'
import { hookAccounts } from '../../../solana/token/hook-accounts.js'
import type { Mint } from '../../../solana/token/mint.js'
import { amountIn, parseTokenAccount, withAmount, withOwner } from '../../../solana/token/token-account.js'
import { createAssociatedAccount, transferChecked } from '../../../solana/token/token-instructions.js'
import type { TransactionResult } from '../../../solana/transaction-result.js'
import { describeFailure } from './failure-words.js'
import type { LegFacts } from './play-facts.js'

/** Where tokens lie, and who signs for them. */
export interface Holding {
  account: SolanaAddress
  owner: SolanaAddress
}

/** A person with an account for the token, and that account as the token program made it. */
export interface Actor extends Holding {
  /** What the person holds: a hook sees it. */
  lamports: bigint
  /** What the account looks like when it is empty; `undefined` when none could be opened. */
  template: SolanaAccount | undefined
  /** Why none could be opened; empty otherwise. */
  reason: string
}

/**
 * Has an invented person open an account for the token, as a wallet does. What the token program
 * puts into it cannot be guessed.
 */
export function openAccount(
  fork: Fork,
  mint: Pick<Mint, 'address' | 'tokenProgram' | 'decimals'>,
  { owner, lamports }: Pick<Actor, 'owner' | 'lamports'>,
): Actor {
  const account = associatedTokenAddress(owner, mint.address, mint.tokenProgram)
  fork.invent(owner)
  fork.invent(account)
  fork.set(owner, wallet(lamports))
  const result = fork.send(owner, [createAssociatedAccount(mint, { payer: owner, owner, account })])
  const made = fork.account(account)
  const template = result.ok && parseTokenAccount(account, made) !== undefined ? made : undefined
  return {
    account,
    owner,
    lamports,
    template,
    reason: result.ok && template === undefined ? 'no account was made' : describeFailure(result),
  }
}

/**
 * Another person with an account like one that was opened: the token program tells accounts of one
 * token apart by their owner alone, so that it need not be asked again.
 */
export function openLike(
  fork: Fork,
  mint: Pick<Mint, 'address' | 'tokenProgram'>,
  { owner, lamports }: Pick<Actor, 'owner' | 'lamports'>,
  { template, reason }: Actor,
): Actor {
  const account = associatedTokenAddress(owner, mint.address, mint.tokenProgram)
  fork.invent(owner)
  fork.invent(account)
  return { account, owner, lamports, template: template && withOwner(template, owner), reason }
}

/**
 * Gives an actor this much of the token, and the coins for fees. Native coin as a token lies in the
 * balance, too.
 */
export function give(fork: Fork, mint: Pick<Mint, 'address'>, actor: Actor, amount: bigint): void {
  fork.set(actor.owner, wallet(actor.lamports))
  hand(fork, mint, actor, amount)
}

/** Gives an actor this much of the token, and leaves the coins as they are. */
export function hand(fork: Fork, mint: Pick<Mint, 'address'>, { account, template }: Actor, amount: bigint): void {
  if (template === undefined) return
  const lamports = mint.address === WRAPPED_SOL ? template.lamports + amount : template.lamports
  fork.set(account, withAmount({ ...template, lamports }, amount))
}

const wallet = (lamports: bigint): SolanaAccount => ({
  lamports,
  owner: SYSTEM_PROGRAM,
  executable: false,
  data: new Uint8Array(),
})

/** The accounts that the token's hook wants to see in this transfer; none without a hook. */
export function hookMetas(
  fork: Fork,
  mint: Mint,
  transfer: { from: SolanaAddress; to: SolanaAddress; authority: SolanaAddress; amount: bigint },
): AccountMeta[] {
  const program = mint.extensions.transferHook?.program
  if (program === undefined) return []
  return hookAccounts((address) => fork.account(address), program, { mint: mint.address, ...transfer })
}

/**
 * The instruction that moves tokens from one to the other, with everything that the token's hook
 * asks for.
 */
export function transferOf(
  fork: Fork,
  mint: Mint,
  from: Holding,
  to: Holding,
  amount: bigint,
  authority = from.owner,
): Instruction {
  const transfer = { from: from.account, to: to.account, authority, amount }
  return transferChecked(mint, { ...transfer, extra: hookMetas(fork, mint, transfer) })
}

/** Tries a transfer and undoes it. `before` runs in the same transaction first. */
export function tryTransfer(
  fork: Fork,
  mint: Mint,
  {
    payer,
    from,
    to,
    amount,
    before = [],
  }: {
    payer: SolanaAddress
    from: Holding
    to: Holding
    amount: bigint
    before?: readonly Instruction[]
  },
): { leg: LegFacts; result: TransactionResult } {
  const held = amountIn(fork.account(to.account)?.data) ?? 0n
  const result = fork.simulate(payer, [...before, transferOf(fork, mint, from, to, amount)])
  return { result, leg: measure(result, amount, (amountIn(result.after(to.account)) ?? held) - held) }
}

/** Facts of an attempt to send `amount`, of which `received` arrived. */
export function measure(
  result: Pick<TransactionResult, 'ok' | 'error' | 'logs' | 'units'>,
  amount: bigint,
  received: bigint,
): LegFacts {
  const arrived = result.ok && received > 0n ? received : 0n
  return {
    ok: result.ok,
    sent: result.ok ? amount : 0n,
    received: arrived,
    taxBps: result.ok ? taxBps(amount, arrived) : FULL_TAX_BPS,
    units: result.units,
    reason: describeFailure(result),
  }
}

/** A leg that could not even be tried. */
export const failedLeg = (reason: string): LegFacts => ({
  ok: false,
  sent: 0n,
  received: 0n,
  taxBps: FULL_TAX_BPS,
  units: 0n,
  reason,
})

const FULL_TAX_BPS = 10_000

/** What went missing, in basis points; more arriving than was sent is no negative tax. */
export function taxBps(sent: bigint, received: bigint): number {
  return sent <= 0n || received >= sent ? 0 : Number(((sent - received) * 10_000n) / sent)
}

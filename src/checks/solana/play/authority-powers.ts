import type { SolanaAddress } from '../../../solana/address.js'
import {
  type Authority,
  classifyAuthority,
  isOfFinalProgram,
  isReplaceableByWallet,
} from '../../../solana/authority.js'
import type { Instruction } from '../../../solana/instruction.js'
import { ATA_PROGRAM } from '../../../solana/programs.js'
import type { Fork } from '../../../solana/svm/fork.js'
import type { Mint } from '../../../solana/token/mint.js'
import { amountIn, parseTokenAccount } from '../../../solana/token/token-account.js'
import {
  type Authorised,
  burnChecked,
  freezeAccount,
  mintTo,
  pauseMint,
  setTransferFee,
  setTransferHook,
} from '../../../solana/token/token-instructions.js'
import { describeFailure } from './failure-words.js'
import type { PowerFacts, PowerId } from './play-facts.js'
import { type Actor, give, type Holding, transferOf, tryTransfer } from './play-stage.js'

export interface PowerStage {
  fork: Fork
  mint: Mint
  holder: Actor
  /** The account that a seizure pays. */
  stranger: Actor
  vault: Holding
  /** What the holder has. */
  amount: bigint
  /** Puts everything back as at the beginning, with `amount` in the holder's account. */
  reset(): void
}

/**
 * Uses every power that an account holds over the token, each on a fresh copy, and tells what it
 * did to a holder.
 */
export function provePowers(stage: PowerStage): PowerFacts[] {
  const { freezeAuthority, mintAuthority, extensions } = stage.mint
  const held: readonly (readonly [PowerId, SolanaAddress | undefined, Proof])[] = [
    ['freeze', freezeAuthority, proveFreeze],
    ['mint', mintAuthority, proveMint],
    ['seize', extensions.permanentDelegate?.delegate, proveSeizure],
    ['pause', extensions.pausable?.authority, provePause],
    ['raise-fee', extensions.transferFee?.authority, proveFee],
    ['replace-hook', extensions.transferHook?.authority, proveHook],
  ]
  return held.flatMap(([id, address, prove]) => {
    if (address === undefined) return []
    stage.reset()
    const read = (each: SolanaAddress) => stage.fork.account(each)
    const account = read(address)
    const authority = classifyAuthority(address, account, isReplaceableByWallet(read, account))
    const by = { authority: address, signers: authority.signers }
    const isFinal = isOfFinalProgram(read, account)
    return [{ id, holder: address, kind: authority.kind, isFinal, ...prove(stage, by, authority) }]
  })
}

/** What came of it. `proven` only when the effect was seen. */
type Outcome = Pick<PowerFacts, 'proven' | 'detail'>
type Proof = (stage: PowerStage, by: Authorised, authority: Authority) => Outcome

const unproven = (reason: string): Outcome => ({ proven: false, detail: `not proven: ${reason}` })

/**
 * Does something to the token, and in the same transaction has the holder sell: proven when the
 * first works and the second no longer does.
 */
function proveBlock(stage: PowerStage, action: Instruction, words: string): Outcome {
  const { fork, mint, holder, vault, amount } = stage
  const selling = { payer: holder.owner, from: holder, to: vault, amount }
  if (!tryTransfer(fork, mint, selling).result.ok) return unproven('the holder could not sell before, either')
  const { result } = tryTransfer(fork, mint, { ...selling, before: [action] })
  if (result.ok) return unproven('the holder could still sell')
  if (result.error?.instruction === 0) return unproven(describeFailure(result))
  return { proven: true, detail: `${words}; the next sale failed: ${describeFailure(result)}` }
}

const proveFreeze: Proof = (stage, by) =>
  proveBlock(stage, freezeAccount(stage.mint, stage.holder.account, by), "the holder's account was frozen")

const provePause: Proof = (stage, by) => proveBlock(stage, pauseMint(stage.mint, by), 'the token was paused')

/**
 * Any program that is no hook will do: it shows that the holder of this power decides what stands
 * between a holder and a sale.
 */
const proveHook: Proof = (stage, by) =>
  proveBlock(stage, setTransferHook(stage.mint, ATA_PROGRAM, by), 'another program was put in the place of the hook')

const proveMint: Proof = ({ fork, mint, holder }, by) => {
  const before = amountIn(fork.account(holder.account)?.data) ?? 0n
  const wanted = mint.supply > 0n && mint.supply < MAX_AMOUNT / 4n ? mint.supply : 1_000_000n
  const result = fork.simulate(holder.owner, [mintTo(mint, holder.account, wanted, by)])
  const after = amountIn(result.after(holder.account)) ?? before
  return after > before
    ? { proven: true, detail: wanted === mint.supply ? 'the supply was doubled' : `${wanted} base units were made` }
    : unproven(describeFailure(result))
}

const MAX_AMOUNT = 2n ** 64n - 1n

/** Half is taken, half is destroyed. */
const proveSeizure: Proof = ({ fork, mint, holder, stranger, amount }, by) => {
  const half = amount / 2n
  const from = { account: holder.account, owner: holder.owner }
  const take = { ...transferOf(fork, mint, from, stranger, half, by.authority) }
  const taken = fork.simulate(holder.owner, [take])
  const burnt = fork.simulate(holder.owner, [burnChecked(mint, holder.account, amount - half, by)])
  const gained = amountIn(taken.after(stranger.account)) ?? 0n
  const left = amountIn(burnt.after(holder.account)) ?? amount
  if (gained === 0n && left >= amount) return unproven(describeFailure(taken) || describeFailure(burnt))
  const deeds = [gained > 0n ? `took ${gained}` : '', left < amount ? `burnt ${amount - left}` : ''].filter(Boolean)
  return {
    proven: true,
    detail: `of ${amount} base units that a holder had, the delegate ${deeds.join(' and ')} without asking`,
  }
}

/** A new fee is in force two epochs after it was set; seven days are more than that. */
const proveFee: Proof = ({ fork, mint, holder, vault, amount }, by) => {
  const raised = fork.send(holder.owner, [setTransferFee(mint, MAX_FEE_BPS, MAX_AMOUNT, by)])
  if (!raised.ok) return unproven(describeFailure(raised))
  fork.moveTo(WEEK_SECONDS)
  const { leg } = tryTransfer(fork, mint, { payer: holder.owner, from: holder, to: vault, amount })
  return leg.ok && leg.received === 0n
    ? { proven: true, detail: 'the fee was set to 100 %; a week later a sale delivered nothing' }
    : unproven(leg.ok ? `a week later a sale still delivered ${leg.received} of ${amount}` : leg.reason)
}

const MAX_FEE_BPS = 10_000
const WEEK_SECONDS = 7 * 86_400

/**
 * Whether an account over the holder's tokens was given away in a transaction; used for the trace.
 */
export function delegateOf(account: SolanaAddress, data: Uint8Array | undefined, owner: SolanaAddress) {
  if (data === undefined) return undefined
  return parseTokenAccount(account, { lamports: 0n, owner, executable: false, data })?.delegate
}

/** Puts `amount` into the holder's account and nothing into the stranger's. */
export function deal(fork: Fork, mint: Mint, holder: Actor, stranger: Actor, amount: bigint): void {
  give(fork, mint, holder, amount)
  give(fork, mint, stranger, 0n)
}

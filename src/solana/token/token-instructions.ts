import { addressBytes, type SolanaAddress } from '../address.js'
import type { AccountMeta } from '../instruction.js'
import { type Instruction, packed, readonly, signer, writable, writableSigner } from '../instruction.js'
import { ATA_PROGRAM, SYSTEM_PROGRAM } from '../programs.js'
import type { Mint } from './mint.js'

/**
 * Instructions of the token programs, whose first bytes and accounts both share (spl-token and
 * spl-token-2022, `instruction.rs`).
 */

type MintRef = Pick<Mint, 'address' | 'tokenProgram' | 'decimals'>

/** Moves native coins between wallets: the system program's `Transfer`. */
export const transferCoins = (from: SolanaAddress, to: SolanaAddress, lamports: bigint): Instruction => ({
  program: SYSTEM_PROGRAM,
  accounts: [writableSigner(from), writable(to)],
  data: packed([32, 2], [64, lamports]),
})

/**
 * Moves tokens as every exchange does, with the mint named. `extra`: what the mint's hook wants to
 * see.
 */
export function transferChecked(
  mint: MintRef,
  {
    from,
    to,
    authority,
    amount,
    extra = [],
  }: {
    from: SolanaAddress
    to: SolanaAddress
    authority: SolanaAddress
    amount: bigint
    extra?: readonly AccountMeta[]
  },
): Instruction {
  return {
    program: mint.tokenProgram,
    accounts: [writable(from), readonly(mint.address), writable(to), signer(authority), ...extra],
    data: packed([8, 12], [64, amount], [8, mint.decimals]),
  }
}

/** Makes the account where wallets look for a token, unless it is there. */
export function createAssociatedAccount(
  { address: mint, tokenProgram }: MintRef,
  { payer, owner, account }: { payer: SolanaAddress; owner: SolanaAddress; account: SolanaAddress },
): Instruction {
  return {
    program: ATA_PROGRAM,
    accounts: [
      writableSigner(payer),
      writable(account),
      readonly(owner),
      readonly(mint),
      readonly(SYSTEM_PROGRAM),
      readonly(tokenProgram),
    ],
    data: Uint8Array.of(1),
  }
}

export interface Authorised {
  authority: SolanaAddress
  /** Members of a multisig that sign in its place. */
  signers?: readonly SolanaAddress[]
}

const authorised = ({ authority, signers = [] }: Authorised): AccountMeta[] =>
  signers.length === 0 ? [signer(authority)] : [readonly(authority), ...signers.map(signer)]

export const freezeAccount = (mint: MintRef, account: SolanaAddress, by: Authorised): Instruction => ({
  program: mint.tokenProgram,
  accounts: [writable(account), readonly(mint.address), ...authorised(by)],
  data: Uint8Array.of(10),
})

export const mintTo = (mint: MintRef, account: SolanaAddress, amount: bigint, by: Authorised): Instruction => ({
  program: mint.tokenProgram,
  accounts: [writable(mint.address), writable(account), ...authorised(by)],
  data: packed([8, 7], [64, amount]),
})

export const burnChecked = (mint: MintRef, account: SolanaAddress, amount: bigint, by: Authorised): Instruction => ({
  program: mint.tokenProgram,
  accounts: [writable(account), writable(mint.address), ...authorised(by)],
  data: packed([8, 15], [64, amount], [8, mint.decimals]),
})

export const setTransferFee = (mint: MintRef, bps: number, maximum: bigint, by: Authorised): Instruction => ({
  program: mint.tokenProgram,
  accounts: [writable(mint.address), ...authorised(by)],
  data: packed([8, 26], [8, 5], [16, bps], [64, maximum]),
})

export const setTransferHook = (mint: MintRef, program: SolanaAddress, by: Authorised): Instruction => ({
  program: mint.tokenProgram,
  accounts: [writable(mint.address), ...authorised(by)],
  data: packed([8, 36], [8, 1], addressBytes(program)),
})

export const pauseMint = (mint: MintRef, by: Authorised): Instruction => ({
  program: mint.tokenProgram,
  accounts: [writable(mint.address), ...authorised(by)],
  data: Uint8Array.of(44, 1),
})

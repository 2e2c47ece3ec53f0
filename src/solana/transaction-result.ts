import type { SolanaAddress } from './address.js'

/** What a transaction did. */
export interface TransactionResult {
  ok: boolean
  /** `undefined` when it went through. */
  error: TransactionFailure | undefined
  /** Compute units. */
  units: bigint
  /** What the payer was charged for it, besides what it did. */
  feeLamports: bigint
  logs: readonly string[]
  /** Calls of programs by programs, by place of the instruction that led to them. */
  inner: readonly InnerCall[]
  /**
   * The data of an account as the transaction left it; `undefined` when it failed or the account is
   * gone. Of a simulation only.
   */
  after(address: SolanaAddress): Uint8Array | undefined
  lamportsAfter(address: SolanaAddress): bigint | undefined
}

export interface TransactionFailure {
  /**
   * Place of the instruction among those that were asked for; `undefined` when none is to blame.
   */
  instruction: number | undefined
  /** The runtime's word (`Custom`, `ProgramFailedToComplete`, …). */
  name: string
  /** The program's own number, with `Custom`. */
  code: number | undefined
}

export interface InnerCall {
  /** Place of the outer instruction among those that were asked for. */
  instruction: number
  program: SolanaAddress
  data: Uint8Array
  accounts: readonly SolanaAddress[]
  /** 2 for a call by the instruction's own program. */
  stackHeight: number
}

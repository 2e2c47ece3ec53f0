import type { SolanaAddress } from '../../../solana/address.js'
import { TOKEN_PROGRAMS } from '../../../solana/programs.js'
import type { TransactionResult } from '../../../solana/transaction-result.js'

/** Errors of the token programs (spl-token-2022 `error.rs`), as a holder would say them. */
const TOKEN_ERRORS: ReadonlyMap<number, string> = new Map([
  [0x01, 'not enough tokens'],
  [0x03, 'the account belongs to another token'],
  [0x04, 'the owner does not match'],
  [0x11, 'the account is frozen'],
  [0x25, 'the token cannot be transferred'],
  [0x43, 'the token is paused'],
])

/** Why a transaction failed, in words; empty when it did not. */
export function describeFailure(result: Pick<TransactionResult, 'ok' | 'error' | 'logs'>): string {
  const { ok, error } = result
  if (ok || error === undefined) return ''
  // Logs are copied out of the machine when they are looked at.
  const program = failedProgram(result.logs)
  const code = error.code === undefined ? error.name : `0x${error.code.toString(16)}`
  const words = program && TOKEN_PROGRAMS.includes(program) && error.code !== undefined && TOKEN_ERRORS.get(error.code)
  if (words) return `${words} (${code})`
  return program === undefined ? `the transaction failed (${code})` : `${program} refused (${code})`
}

/** The first program that said it failed is the innermost: the others only pass it on. */
function failedProgram(logs: readonly string[]): SolanaAddress | undefined {
  for (const line of logs) {
    const [, program] = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) failed: /.exec(line) ?? []
    if (program !== undefined) return program as SolanaAddress
  }
  return undefined
}

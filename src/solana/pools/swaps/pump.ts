import { address, addressAt, addressBytes, type SolanaAddress } from '../../address.js'
import { findProgramAddress } from '../../pda.js'
import type { ReadAccount } from '../../token/hook-accounts.js'

/** Says what pump's two programs charge. */
export const PUMP_FEE_PROGRAM = address('pfeeUxB6jkeY1Hxd7CsFCAjcbHA9rWtchMGdZ6VojVZ')

const bytes = (words: string) => new TextEncoder().encode(words)

/**
 * Address of `program` by a word, and the keys behind it. Throws {@link RangeError} where there is
 * none, which keys of 32 bytes never meet.
 */
export function pumpAddress(program: SolanaAddress, word: string, ...keys: readonly SolanaAddress[]): SolanaAddress {
  const found = findProgramAddress(program, [bytes(word), ...keys.map(addressBytes)])
  if (found === undefined) throw new RangeError(`no address for ${word}`)
  return found
}

/**
 * One of the addresses that a program's configuration lists; `undefined` when there is no such
 * configuration.
 */
export function listedIn(read: ReadAccount, config: SolanaAddress, offset: number): SolanaAddress | undefined {
  const data = read(config)?.data
  return data === undefined || data.length < offset + 32 ? undefined : addressAt(data, offset)
}

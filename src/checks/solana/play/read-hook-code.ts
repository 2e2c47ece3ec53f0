import { PROGRAM_DATA_HEADER_BYTES, programDataAddress, readUpgradeability } from '../../../solana/account.js'
import type { SolanaAddress } from '../../../solana/address.js'
import { ATA_PROGRAM, MEMO_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../solana/programs.js'
import type { ReadCode } from '../../../solana/sbf/program-input.js'
import { readElf, SbfFormatError, type SbfProgram } from '../../../solana/sbf/read-elf.js'
import type { Fork } from '../../../solana/svm/fork.js'

/** Programs that all tokens rest on. */
const USUAL: readonly SolanaAddress[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM, ATA_PROGRAM, MEMO_PROGRAM]

/** The code of programs that the hook asks; one that can be replaced may say otherwise tomorrow. */
export function readAsked(
  { fork, program }: { fork: Fork; program: SolanaAddress },
  own: SbfProgram,
  unread: Set<string>,
): ReadCode {
  const read = new Map<SolanaAddress, SbfProgram | undefined>([[program, own]])
  return (address) => {
    if (read.has(address)) return read.get(address)
    const account = fork.account(address)
    const codeAddress = account && programDataAddress(account)
    const upgrade = account && readUpgradeability(account, codeAddress && fork.account(codeAddress))
    if (upgrade?.kind !== 'immutable' && !USUAL.includes(address))
      unread.add(`it asks ${address}, which can be replaced`)
    const code = account?.executable ? readProgram(fork, address, unread) : undefined
    read.set(address, code)
    return code
  }
}

/** The code of a program; what cannot be read of it is added to `unread`. */
export function readProgram(fork: Fork, address: SolanaAddress, unread: Set<string>): SbfProgram | undefined {
  const account = fork.account(address)
  const codeAddress = account && programDataAddress(account)
  const code = codeAddress ? fork.account(codeAddress)?.data.subarray(PROGRAM_DATA_HEADER_BYTES) : account?.data
  try {
    return readElf(code ?? new Uint8Array())
  } catch (error) {
    if (!(error instanceof SbfFormatError)) throw error
    unread.add(error.details ?? error.shortMessage)
    return undefined
  }
}

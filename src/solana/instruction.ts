import type { SolanaAddress } from './address.js'

export interface AccountMeta {
  address: SolanaAddress
  signer: boolean
  writable: boolean
}

export interface Instruction {
  program: SolanaAddress
  accounts: readonly AccountMeta[]
  data: Uint8Array
}

export const readonly = (address: SolanaAddress): AccountMeta => ({ address, signer: false, writable: false })
export const writable = (address: SolanaAddress): AccountMeta => ({ address, signer: false, writable: true })
export const signer = (address: SolanaAddress): AccountMeta => ({ address, signer: true, writable: false })
export const writableSigner = (address: SolanaAddress): AccountMeta => ({ address, signer: true, writable: true })

/** Fields one behind the other, little-endian: the form of nearly all instruction data. */
export function packed(
  ...fields: readonly (Uint8Array | readonly [bits: 8 | 16 | 32 | 64 | 128, value: bigint | number])[]
): Uint8Array {
  const parts = fields.map((field) =>
    field instanceof Uint8Array ? field : littleEndian(BigInt(field[1]), field[0] / 8),
  )
  return Uint8Array.from(Buffer.concat(parts))
}

function littleEndian(value: bigint, bytes: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn))
}

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

/** Bytes as they are, or a number of so many bits. */
type Field = Uint8Array | readonly [bits: 8 | 16 | 32 | 64 | 128, value: bigint | number]

/** Fields one behind the other, little-endian: the form of nearly all instruction data. */
export function packed(...fields: readonly Field[]): Uint8Array {
  let size = 0
  for (const field of fields) size += sizeOf(field)
  const bytes = new Uint8Array(size)
  let at = 0
  for (const field of fields) {
    if (field instanceof Uint8Array) bytes.set(field, at)
    else writeLittleEndian(bytes, at, field[0] / 8, field[1])
    at += sizeOf(field)
  }
  return bytes
}

const sizeOf = (field: Field) => (field instanceof Uint8Array ? field.length : field[0] / 8)

function writeLittleEndian(to: Uint8Array, at: number, size: number, value: bigint | number): void {
  let rest = BigInt(value)
  for (let word = 0; word < size; word += 4) {
    const low = Number(BigInt.asUintN(32, rest))
    const end = Math.min(word + 4, size)
    for (let i = word; i < end; i += 1) to[at + i] = low >>> (8 * (i - word))
    rest >>= 32n
  }
}

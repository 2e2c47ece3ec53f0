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
  const sizes = fields.map((field) => (field instanceof Uint8Array ? field.length : field[0] / 8))
  const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0))
  let at = 0
  for (const [i, field] of fields.entries()) {
    const size = sizes[i] ?? 0
    if (field instanceof Uint8Array) bytes.set(field, at)
    else writeLittleEndian(bytes.subarray(at, at + size), BigInt(field[1]))
    at += size
  }
  return bytes
}

function writeLittleEndian(to: Uint8Array, value: bigint): void {
  let rest = value
  for (let at = 0; at < to.length; at += 4) {
    const low = Number(BigInt.asUintN(32, rest))
    for (let i = at; i < Math.min(at + 4, to.length); i += 1) to[i] = low >>> (8 * (i - at))
    rest >>= 32n
  }
}

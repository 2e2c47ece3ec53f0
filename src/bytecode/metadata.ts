/**
 * Keys that the Solidity compiler writes into its trailer (Solidity documentation, "Contract
 * Metadata").
 */
const KEYS = ['ipfs', 'bzzr0', 'bzzr1', 'solc', 'experimental'].map((key) => [...Buffer.from(key)])

/** A CBOR map of one to five entries: 0xa1 to 0xa5. */
const isSmallMap = (byte: number | undefined) => byte !== undefined && byte >= 0xa1 && byte <= 0xa5

/**
 * Length of `code` without the compiler's metadata trailer. Its last two bytes give the length of a
 * CBOR map whose first key is known. A wording of data, not of control flow: a reader that follows
 * jumps must look at the whole code, because a trailer can be faked.
 */
export function lengthWithoutMetadata(code: Uint8Array): number {
  if (code.length < 4) return code.length
  const size = ((code.at(-2) ?? 0) << 8) | (code.at(-1) ?? 0)
  const start = code.length - 2 - size
  if (size < 4 || start < 0 || !isSmallMap(code[start])) return code.length
  // 0x60 + n is a CBOR text of n bytes: the key.
  const keyLength = (code[start + 1] ?? 0) - 0x60
  const known = KEYS.some((key) => key.length === keyLength && key.every((byte, i) => code[start + 2 + i] === byte))
  return known ? start : code.length
}

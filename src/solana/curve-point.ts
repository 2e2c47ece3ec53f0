/** Of the field that the curve is over. */
const PRIME = 2n ** 255n - 19n
/** Of the curve's equation, -x² + y² = 1 + d x² y² (RFC 8032, section 5.1). */
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n
const COORDINATE_BYTES = 32

/**
 * Whether these 32 bytes are a point of Ed25519's curve, as the runtime asks it of addresses: y in
 * them, taken modulo the prime, has an x. By a symbol of Jacobi instead of the root itself, which
 * takes five times as long.
 */
export function isPoint(bytes: Uint8Array): boolean {
  const digits = Buffer.from(bytes.subarray(0, COORDINATE_BYTES)).reverse()
  digits[0] = (digits[0] ?? 0) & 0x7f
  const y = BigInt(`0x${digits.toString('hex')}`) % PRIME
  const square = (y * y) % PRIME
  // x² is their quotient, and a square when their product is one.
  const product = ((square - 1n) * (D * square + 1n)) % PRIME
  return isSquare(product < 0n ? product + PRIME : product)
}

const CHUNK_BITS = 30

/** Whether a number below the prime is nil or a square modulo it: Jacobi's symbol is not -1. */
function isSquare(number: bigint): boolean {
  let [a, n] = [number, PRIME]
  let isTurned = false
  while (a !== 0n) {
    let low = Number(BigInt.asUintN(CHUNK_BITS, a))
    for (; low === 0; low = Number(BigInt.asUintN(CHUNK_BITS, a))) a >>= BigInt(CHUNK_BITS)
    const twos = 31 - Math.clz32(low & -low)
    a >>= BigInt(twos)
    const eighth = Number(BigInt.asUintN(3, n))
    if (twos % 2 === 1 && (eighth === 3 || eighth === 5)) isTurned = !isTurned
    if (a < n) {
      if ((Number(BigInt.asUintN(2, a)) & eighth & 3) === 3) isTurned = !isTurned
      ;[a, n] = [n, a]
    }
    a -= n
  }
  return n !== 1n || !isTurned
}

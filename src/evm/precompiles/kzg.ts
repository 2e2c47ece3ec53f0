import { bls12_381 } from '@noble/curves/bls12-381.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { hexToBytes } from '../../hex.js'
import { orInvalid, type Precompile, toBigint } from './precompile.js'

const { Fr, Fp12 } = bls12_381.fields
const G1 = bls12_381.G1.Point
const G2 = bls12_381.G2.Point

/**
 * The secret of the ceremony times the generator of G2: `g2_monomial[1]` of
 * `trusted_setup_4096.json` (Ethereum consensus specifications).
 */
export const CEREMONY_G2 =
  'b5bfd7dd8cdeb128843bc287230af38926187075cbfbefa81009a2ce615ac53d2914e5870cb452d2afaaab24f3499f72185cbfee53492714734429b7b38608e23926c911cceceac9a36851477ba4c60b087041de621000edc98edada20c1def2'

const INPUT_BYTES = 192
const VERSION = 0x01
/**
 * Field elements per blob and the order of the scalar field: what a successful check answers
 * (EIP-4844).
 */
const ANSWER = hexToBytes(
  '000000000000000000000000000000000000000000000000000000000000100073eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001',
)

/** 0x0a: whether a polynomial committed to has the value `y` at `z`. */
export const kzgPointEvaluation: Precompile = {
  microsPerGas: 0.5,
  gas: () => 50_000,
  run(input, tick) {
    if (input.length !== INPUT_BYTES) return undefined
    const commitment = input.subarray(96, 144)
    const hash = sha256(commitment)
    hash[0] = VERSION
    if (hash.some((byte, index) => byte !== input[index])) return undefined
    tick()
    const isProven = orInvalid(() =>
      verify(commitment, toBigint(input.subarray(32, 64)), toBigint(input.subarray(64, 96)), input.subarray(144)),
    )
    return isProven === true ? ANSWER.slice() : undefined
  },
}

/** e(C - y, -G2) * e(proof, (tau - z) G2) = 1 */
function verify(commitmentBytes: Uint8Array, z: bigint, y: bigint, proofBytes: Uint8Array): boolean {
  if (z >= Fr.ORDER || y >= Fr.ORDER) return false
  const commitment = decode(commitmentBytes)
  const proof = decode(proofBytes)
  const left = commitment.subtract(y === 0n ? G1.ZERO : G1.BASE.multiplyUnsafe(y))
  const right = G2.fromHex(CEREMONY_G2).subtract(z === 0n ? G2.ZERO : G2.BASE.multiplyUnsafe(z))
  const pairs = [
    { g1: left, g2: G2.BASE.negate() },
    { g1: proof, g2: right },
  ].filter(({ g1, g2 }) => !g1.is0() && !g2.is0())
  return pairs.length === 0 || Fp12.eql(bls12_381.pairingBatch(pairs), Fp12.ONE)
}

/** The point at infinity is a valid commitment. */
function decode(bytes: Uint8Array): InstanceType<typeof G1> {
  const point = G1.fromBytes(bytes)
  if (!point.is0()) point.assertValidity()
  return point
}

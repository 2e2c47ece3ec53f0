import { bn254 } from '@noble/curves/bn254.js'
import { flag, orInvalid, type Precompile, padded, toBigint, toBytes } from './precompile.js'

const { Fp, Fp2, Fp12 } = bn254.fields
const G1 = bn254.G1.Point
const G2 = bn254.G2.Point
type PointG1 = InstanceType<typeof G1>
type PointG2 = InstanceType<typeof G2>

const FIELD_ORDER = Fp.ORDER
const PAIR_BYTES = 192
const MICROS_PER_GAS = 0.4

interface Bn254Pricing {
  add: number
  mul: number
  pairing: number
  pair: number
}

/** EIP-196 and EIP-197 */
export const byzantiumBn254: Bn254Pricing = { add: 500, mul: 40_000, pairing: 100_000, pair: 80_000 }
/** EIP-1108 */
export const istanbulBn254: Bn254Pricing = { add: 150, mul: 6_000, pairing: 45_000, pair: 34_000 }

/** 0x06: sum of two points. */
export function createBn254Add({ add }: Bn254Pricing): Precompile {
  return {
    microsPerGas: MICROS_PER_GAS,
    gas: () => add,
    run: (input) =>
      orInvalid(() => {
        const bytes = padded(input, 0, 128)
        return encodeG1(decodeG1(bytes.subarray(0, 64)).add(decodeG1(bytes.subarray(64))))
      }),
  }
}

/** 0x07: a point times a scalar. */
export function createBn254Mul({ mul }: Bn254Pricing): Precompile {
  return {
    microsPerGas: MICROS_PER_GAS,
    gas: () => mul,
    run: (input) =>
      orInvalid(() => {
        const bytes = padded(input, 0, 96)
        const point = decodeG1(bytes.subarray(0, 64))
        const scalar = toBigint(bytes.subarray(64)) % G1.Fn.ORDER
        return encodeG1(scalar === 0n ? G1.ZERO : point.multiplyUnsafe(scalar))
      }),
  }
}

/** 0x08: whether the product of the pairings is one. */
export function createBn254Pairing({ pairing, pair }: Bn254Pricing): Precompile {
  return {
    microsPerGas: MICROS_PER_GAS,
    gas: (input) => pairing + pair * Math.floor(input.length / PAIR_BYTES),
    run(input, tick) {
      if (input.length % PAIR_BYTES !== 0) return undefined
      return orInvalid(() => {
        let product = Fp12.ONE
        for (let start = 0; start < input.length; start += PAIR_BYTES) {
          tick()
          const left = decodeG1(input.subarray(start, start + 64))
          const right = decodeG2(input.subarray(start + 64, start + PAIR_BYTES))
          if (left.is0() || right.is0()) continue
          product = Fp12.mul(product, bn254.pairing(left, right, false))
        }
        return flag(Fp12.eql(Fp12.finalExponentiate(product), Fp12.ONE))
      })
    },
  }
}

function coordinate(bytes: Uint8Array): bigint {
  const value = toBigint(bytes)
  if (value >= FIELD_ORDER) throw new RangeError('coordinate outside the field')
  return value
}

function decodeG1(bytes: Uint8Array): PointG1 {
  const x = coordinate(bytes.subarray(0, 32))
  const y = coordinate(bytes.subarray(32, 64))
  if (x === 0n && y === 0n) return G1.ZERO
  const point = G1.fromAffine({ x, y })
  point.assertValidity()
  return point
}

/** The imaginary part comes first (EIP-197). */
function decodeG2(bytes: Uint8Array): PointG2 {
  const [xi, xr, yi, yr] = [0, 32, 64, 96].map((start) => coordinate(bytes.subarray(start, start + 32))) as [
    bigint,
    bigint,
    bigint,
    bigint,
  ]
  if (xi === 0n && xr === 0n && yi === 0n && yr === 0n) return G2.ZERO
  const point = G2.fromAffine({ x: Fp2.fromBigTuple([xr, xi]), y: Fp2.fromBigTuple([yr, yi]) })
  point.assertValidity()
  return point
}

function encodeG1(point: PointG1): Uint8Array {
  const bytes = new Uint8Array(64)
  if (point.is0()) return bytes
  const { x, y } = point.toAffine()
  bytes.set(toBytes(x, 32))
  bytes.set(toBytes(y, 32), 32)
  return bytes
}

import { bls12_381 } from '@noble/curves/bls12-381.js'
import { G1_DISCOUNTS, G2_DISCOUNTS } from './bls12-381-discounts.js'
import { flag, orInvalid, type Precompile, toBigint, toBytes } from './precompile.js'

const { Fp, Fp2, Fp12 } = bls12_381.fields
const G1 = bls12_381.G1.Point
const G2 = bls12_381.G2.Point
type PointG1 = InstanceType<typeof G1>
type PointG2 = InstanceType<typeof G2>
type ElementFp2 = typeof Fp2.ONE

/** A field element is 48 bytes, right-aligned in 64. */
const FIELD_BYTES = 64
const G1_BYTES = 128
const G2_BYTES = 256
const SCALAR_BYTES = 32
const PAIR_BYTES = G1_BYTES + G2_BYTES
const MICROS_PER_GAS = 0.4

/** One of the two groups, and how its points are written. */
interface Group<P> {
  bytes: number
  zero: P
  decode(bytes: Uint8Array): P
  encode(point: P): Uint8Array
}

interface Point<P> {
  add(other: P): P
  multiplyUnsafe(scalar: bigint): P
  is0(): boolean
  isTorsionFree(): boolean
}

const FIRST: Group<PointG1> = { bytes: G1_BYTES, zero: G1.ZERO, decode: decodeG1, encode: encodeG1 }
const SECOND: Group<PointG2> = { bytes: G2_BYTES, zero: G2.ZERO, decode: decodeG2, encode: encodeG2 }

/** 0x0b. All of these: EIP-2537. */
export const blsG1Add: Precompile = addition(FIRST, 375)

/** 0x0c: sum of points times scalars. */
export const blsG1Msm: Precompile = sumOfProducts(FIRST, 12_000, G1_DISCOUNTS)

/** 0x0d */
export const blsG2Add: Precompile = addition(SECOND, 600)

/** 0x0e */
export const blsG2Msm: Precompile = sumOfProducts(SECOND, 22_500, G2_DISCOUNTS)

/** 0x0f: whether the product of the pairings is one. */
export const blsPairing: Precompile = {
  microsPerGas: MICROS_PER_GAS,
  gas: (input) => 37_700 + 32_600 * Math.floor(input.length / PAIR_BYTES),
  run: (input, tick) => {
    if (input.length === 0 || input.length % PAIR_BYTES !== 0) return undefined
    return orInvalid(() => {
      let product = Fp12.ONE
      for (let start = 0; start < input.length; start += PAIR_BYTES) {
        tick()
        const left = inSubgroup(decodeG1(input.subarray(start, start + G1_BYTES)))
        const right = inSubgroup(decodeG2(input.subarray(start + G1_BYTES, start + PAIR_BYTES)))
        if (left.is0() || right.is0()) continue
        product = Fp12.mul(product, bls12_381.pairing(left, right, false))
      }
      return flag(Fp12.eql(Fp12.finalExponentiate(product), Fp12.ONE))
    })
  },
}

/** 0x10 */
export const blsMapFpToG1: Precompile = {
  microsPerGas: MICROS_PER_GAS,
  gas: () => 5_500,
  run: (input) => (input.length !== FIELD_BYTES ? undefined : orInvalid(() => encodeG1(mapToG1(fieldElement(input))))),
}

/** 0x11 */
export const blsMapFp2ToG2: Precompile = {
  microsPerGas: MICROS_PER_GAS,
  gas: () => 23_800,
  run: (input) =>
    input.length !== 2 * FIELD_BYTES
      ? undefined
      : orInvalid(() => {
          const parts = [fieldElement(input.subarray(0, FIELD_BYTES)), fieldElement(input.subarray(FIELD_BYTES))]
          return encodeG2(mapToG2(parts))
        }),
}

/**
 * The library's types speak of affine coordinates and an array; what it takes and returns is this.
 */
const mapToG1 = bls12_381.G1.mapToCurve as unknown as (element: bigint) => PointG1
const mapToG2 = bls12_381.G2.mapToCurve as unknown as (element: bigint[]) => PointG2

function addition<P extends Point<P>>({ bytes, decode, encode }: Group<P>, gas: number): Precompile {
  return {
    microsPerGas: MICROS_PER_GAS,
    gas: () => gas,
    run(input) {
      if (input.length !== 2 * bytes) return undefined
      return orInvalid(() => encode(decode(input.subarray(0, bytes)).add(decode(input.subarray(bytes)))))
    },
  }
}

function sumOfProducts<P extends Point<P>>(
  { bytes, zero, decode, encode }: Group<P>,
  unit: number,
  discounts: readonly number[],
): Precompile {
  const termBytes = bytes + SCALAR_BYTES
  return {
    microsPerGas: MICROS_PER_GAS,
    gas: (input) => msmGas(Math.floor(input.length / termBytes), unit, discounts),
    run(input, tick) {
      if (input.length === 0 || input.length % termBytes !== 0) return undefined
      return orInvalid(() => {
        let sum = zero
        for (let start = 0; start < input.length; start += termBytes) {
          tick()
          const point = inSubgroup(decode(input.subarray(start, start + bytes)))
          const scalar = toBigint(input.subarray(start + bytes, start + termBytes)) % G1.Fn.ORDER
          if (scalar !== 0n) sum = sum.add(point.multiplyUnsafe(scalar))
        }
        return encode(sum)
      })
    },
  }
}

function msmGas(terms: number, unit: number, discounts: readonly number[]): number {
  if (terms === 0) return 0
  const discount = discounts[Math.min(terms, discounts.length) - 1] as number
  return Math.floor((terms * unit * discount) / 1_000)
}

function fieldElement(bytes: Uint8Array): bigint {
  const value = toBigint(bytes)
  if (value >= Fp.ORDER) throw new RangeError('coordinate outside the field')
  return value
}

function fieldElement2(bytes: Uint8Array): ElementFp2 {
  return Fp2.fromBigTuple([fieldElement(bytes.subarray(0, FIELD_BYTES)), fieldElement(bytes.subarray(FIELD_BYTES))])
}

/** A point on the curve, in the subgroup or not: addition accepts both. */
function decodeG1(bytes: Uint8Array): PointG1 {
  const x = fieldElement(bytes.subarray(0, FIELD_BYTES))
  const y = fieldElement(bytes.subarray(FIELD_BYTES, G1_BYTES))
  if (x === 0n && y === 0n) return G1.ZERO
  const { b } = G1.CURVE()
  if (!Fp.eql(Fp.sqr(y), Fp.add(Fp.mul(Fp.sqr(x), x), b))) throw new RangeError('point not on the curve')
  return G1.fromAffine({ x, y })
}

function decodeG2(bytes: Uint8Array): PointG2 {
  const x = fieldElement2(bytes.subarray(0, 2 * FIELD_BYTES))
  const y = fieldElement2(bytes.subarray(2 * FIELD_BYTES, G2_BYTES))
  if (Fp2.is0(x) && Fp2.is0(y)) return G2.ZERO
  const { b } = G2.CURVE()
  if (!Fp2.eql(Fp2.sqr(y), Fp2.add(Fp2.mul(Fp2.sqr(x), x), b))) throw new RangeError('point not on the curve')
  return G2.fromAffine({ x, y })
}

function inSubgroup<P extends { is0(): boolean; isTorsionFree(): boolean }>(point: P): P {
  if (!point.is0() && !point.isTorsionFree()) throw new RangeError('point not in the subgroup')
  return point
}

function encodeG1(point: PointG1): Uint8Array {
  if (point.is0()) return new Uint8Array(G1_BYTES)
  const { x, y } = point.toAffine()
  return concat([x, y])
}

function encodeG2(point: PointG2): Uint8Array {
  if (point.is0()) return new Uint8Array(G2_BYTES)
  const { x, y } = point.toAffine()
  return concat([x.c0, x.c1, y.c0, y.c1])
}

function concat(elements: bigint[]): Uint8Array {
  return new Uint8Array(Buffer.concat(elements.map((element) => toBytes(element, FIELD_BYTES))))
}

import { bls12_381 } from '@noble/curves/bls12-381.js'
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
const G1_TERM = G1_BYTES + SCALAR_BYTES
const G2_TERM = G2_BYTES + SCALAR_BYTES
const PAIR_BYTES = G1_BYTES + G2_BYTES
const MICROS_PER_GAS = 0.4

/** 0x0b. All of these: EIP-2537. */
export const blsG1Add: Precompile = {
  microsPerGas: MICROS_PER_GAS,
  gas: () => 375,
  run: (input) =>
    input.length !== 2 * G1_BYTES
      ? undefined
      : orInvalid(() => encodeG1(decodeG1(input.subarray(0, G1_BYTES)).add(decodeG1(input.subarray(G1_BYTES))))),
}

/** 0x0c: sum of points times scalars. */
export const blsG1Msm: Precompile = {
  microsPerGas: MICROS_PER_GAS,
  gas: (input) => msmGas(Math.floor(input.length / G1_TERM), 12_000, G1_DISCOUNTS),
  run: (input, tick) => {
    if (input.length === 0 || input.length % G1_TERM !== 0) return undefined
    return orInvalid(() => {
      let sum = G1.ZERO
      for (let start = 0; start < input.length; start += G1_TERM) {
        tick()
        const point = inSubgroup(decodeG1(input.subarray(start, start + G1_BYTES)))
        const scalar = toBigint(input.subarray(start + G1_BYTES, start + G1_TERM)) % G1.Fn.ORDER
        if (scalar !== 0n) sum = sum.add(point.multiplyUnsafe(scalar))
      }
      return encodeG1(sum)
    })
  },
}

/** 0x0d */
export const blsG2Add: Precompile = {
  microsPerGas: MICROS_PER_GAS,
  gas: () => 600,
  run: (input) =>
    input.length !== 2 * G2_BYTES
      ? undefined
      : orInvalid(() => encodeG2(decodeG2(input.subarray(0, G2_BYTES)).add(decodeG2(input.subarray(G2_BYTES))))),
}

/** 0x0e */
export const blsG2Msm: Precompile = {
  microsPerGas: MICROS_PER_GAS,
  gas: (input) => msmGas(Math.floor(input.length / G2_TERM), 22_500, G2_DISCOUNTS),
  run: (input, tick) => {
    if (input.length === 0 || input.length % G2_TERM !== 0) return undefined
    return orInvalid(() => {
      let sum = G2.ZERO
      for (let start = 0; start < input.length; start += G2_TERM) {
        tick()
        const point = inSubgroup(decodeG2(input.subarray(start, start + G2_BYTES)))
        const scalar = toBigint(input.subarray(start + G2_BYTES, start + G2_TERM)) % G1.Fn.ORDER
        if (scalar !== 0n) sum = sum.add(point.multiplyUnsafe(scalar))
      }
      return encodeG2(sum)
    })
  },
}

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

/** Thousandths of the unit price per term, by number of terms (EIP-2537). */
const G1_DISCOUNTS: readonly number[] =
  '1000 949 848 797 764 750 738 728 719 712 705 698 692 687 682 677 673 669 665 661 658 654 651 648 645 642 640 637 635 632 630 627 625 623 621 619 617 615 613 611 609 608 606 604 603 601 599 598 596 595 593 592 591 589 588 586 585 584 582 581 580 579 577 576 575 574 573 572 570 569 568 567 566 565 564 563 562 561 560 559 558 557 556 555 554 553 552 551 550 549 548 547 547 546 545 544 543 542 541 540 540 539 538 537 536 536 535 534 533 532 532 531 530 529 528 528 527 526 525 525 524 523 522 522 521 520 520 519'
    .split(' ')
    .map(Number)

const G2_DISCOUNTS: readonly number[] =
  '1000 1000 923 884 855 832 812 796 782 770 759 749 740 732 724 717 711 704 699 693 688 683 679 674 670 666 663 659 655 652 649 646 643 640 637 634 632 629 627 624 622 620 618 615 613 611 609 607 606 604 602 600 598 597 595 593 592 590 589 587 586 584 583 582 580 579 578 576 575 574 573 571 570 569 568 567 566 565 563 562 561 560 559 558 557 556 555 554 553 552 552 551 550 549 548 547 546 545 545 544 543 542 541 541 540 539 538 537 537 536 535 535 534 533 532 532 531 530 530 529 528 528 527 526 526 525 524 524'
    .split(' ')
    .map(Number)

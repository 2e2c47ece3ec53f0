/** Words as the stack has them: 256 bits, without a sign. */
export const toUnsigned = (value: bigint) => BigInt.asUintN(256, value)
export const toSigned = (value: bigint) => BigInt.asIntN(256, value)

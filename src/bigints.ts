/** `Math.min` and `Math.max` for integers of any size. */
export const smallerOf = (a: bigint, b: bigint) => (a < b ? a : b)
export const largerOf = (a: bigint, b: bigint) => (a > b ? a : b)

/** Numbers up to here are the zero address, precompiles and `0x…dEaD`. */
const LARGEST_SMALL = 0xffffn
/**
 * Where else tokens are sent that are to be lost. No key leads to a number that was written down.
 */
const KNOWN: ReadonlySet<bigint> = new Set([
  0xdead000000000000000042069420694206942069n,
  0xdeaddeaddeaddeaddeaddeaddeaddeaddeaddeadn,
  0xdeadbeefdeadbeefdeadbeefdeadbeefdeadbeefn,
  0xffffffffffffffffffffffffffffffffffffffffn,
])

/** Whether there is no key for the address: what is sent there is lost, and it calls nothing. */
export const isDeadAddress = (address: bigint): boolean => address <= LARGEST_SMALL || KNOWN.has(address)

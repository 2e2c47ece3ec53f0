import type { Hex } from '../hex.js'
import type { Chain } from './chain.js'
import { UNISWAP_V2_PAIR_HASH, UNISWAP_V3_POOL_HASH } from './exchanges.js'

/**
 * What our calls to an exchange were tried on: its own code, as a chain holds it or its authors
 * publish it, or only code that this project wrote from its interface.
 */
export type TestedOn = 'real code' | 'stand-in'

/**
 * Code whose routers and pools the tests of venues run, by what its pools are made of: the hash of
 * their creation code, or the contract that they are proxies of (Velodrome V2's).
 */
const REAL_CODE: ReadonlySet<Hex> = new Set([
  UNISWAP_V2_PAIR_HASH,
  UNISWAP_V3_POOL_HASH,
  '0x95885af5492195f0754be71ad1545fe81364e531',
])

/**
 * What calls to the exchange of this name were tried on. Uniswap V4's pool manager and Permit2 are
 * real, its router is not.
 */
export function testedOn({ v2, v3, v4, solidly, slipstream, algebra }: Chain, name: string): TestedOn {
  const makers = [
    ...[...v2, ...v3, ...algebra].map((each) => ({ name: each.name, pools: each.initCodeHash })),
    ...[...solidly, ...slipstream].map((each) => ({ name: each.name, pools: each.poolImplementation })),
    ...v4.map((each) => ({ name: each.name, pools: undefined })),
  ]
  const maker = makers.find((each) => each.name === name)
  // No exchange of the table: the counter of the wrapped coin.
  if (maker === undefined) return 'real code'
  return maker.pools !== undefined && REAL_CODE.has(maker.pools) ? 'real code' : 'stand-in'
}

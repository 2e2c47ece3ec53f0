import { bytesToHex } from '../../hex.js'
import type { BlockEnvironment } from '../block-environment.js'
import { UnsupportedExecutionError } from '../chain-extras.js'
import { type Precompile, toBytes } from './precompile.js'

const ARB_BLOCK_NUMBER = '0xa3b1b31d'
const ARB_CHAIN_ID = '0xd127f54a'
const GAS = 3
const SELECTOR_BYTES = 4

/**
 * 0x64 on Arbitrum: what contracts ask ArbSys, where NUMBER tells them L1's height (Arbitrum's
 * precompile reference). Its other functions move messages and money between the chains; a run that
 * meets one is void.
 */
export function createArbSys(block: () => BlockEnvironment): Precompile {
  return {
    microsPerGas: 0,
    gas: () => GAS,
    run(input) {
      const selector = bytesToHex(input.subarray(0, SELECTOR_BYTES))
      const { l2Number, chainId } = block()
      if (selector === ARB_CHAIN_ID) return toBytes(BigInt(chainId), 32)
      if (selector === ARB_BLOCK_NUMBER && l2Number !== undefined) return toBytes(l2Number, 32)
      throw new UnsupportedExecutionError(`ArbSys function ${selector}`)
    },
  }
}

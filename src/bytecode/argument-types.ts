import { contractInfo } from 'evmole'
import { bytesToHex, type Hex } from '../hex.js'
import { MAX_CODE_BYTES } from './candidate-selectors.js'

/**
 * Types of each function's arguments as evmole guesses them, by selector: `address,uint256[]`,
 * empty without arguments. For worker threads that can be killed: it has no budget of its own.
 * About one function in twenty has a wrong argument (evmole's own figure).
 */
export function findArgumentTypes(code: Uint8Array): Map<Hex, string> {
  if (code.length === 0 || code.length > MAX_CODE_BYTES) return new Map()
  try {
    const { functions = [] } = contractInfo(bytesToHex(code), { selectors: true, arguments: true })
    return new Map(functions.map(({ selector, arguments: types = '' }) => [`0x${selector}`, types]))
  } catch {
    // Hostile code may break it; the arguments are then tried blindly.
    return new Map()
  }
}

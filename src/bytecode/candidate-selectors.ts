import { contractInfo } from 'evmole'
import { bytesToHex } from '../hex.js'

/**
 * Code beyond this is no contract (EIP-170 allows 24 KB on Ethereum, some chains more) and not
 * worth the other finder's time.
 */
export const MAX_CODE_BYTES = 256 * 1_024

/**
 * Selectors found by evmole, which knows dispatchers that ours leaves open (the jump tables of
 * Vyper). For worker threads that can be killed: it has no budget of its own.
 */
export function findCandidateSelectors(code: Uint8Array): number[] {
  if (code.length === 0 || code.length > MAX_CODE_BYTES) return []
  try {
    const { functions = [] } = contractInfo(bytesToHex(code), { selectors: true })
    return functions.map(({ selector }) => Number.parseInt(selector, 16))
  } catch {
    // Hostile code may break it; our own walk does not depend on it.
    return []
  }
}

import { createCallTraceInspector } from '../../evm/inspectors/call-trace.js'
import { type Address, type Hex, ZERO_ADDRESS } from '../../hex.js'
import type { Fork } from '../../simulation/scenario.js'
import { framesOf } from './leads.js'

/** A selector that no contract has, to see where unknown calls go. */
const UNKNOWN_CALL: Hex = '0x7f9d3b11'
/** Proxy, beacon, and a library or two. */
const MAX_DELEGATES = 4

/** Whose code a contract runs when it is called in a way that it does not know itself. */
export function delegatesOf({ evm }: Fork, target: Address): Address[] {
  const found = new Set<Address>()
  const trace = createCallTraceInspector()
  evm.read({ from: ZERO_ADDRESS, to: target, data: UNKNOWN_CALL }, [trace])
  for (const { type, to } of framesOf(trace.finish())) {
    if (type === 'DELEGATECALL' && to !== undefined && to !== target) found.add(to)
  }
  return [...found].slice(0, MAX_DELEGATES)
}

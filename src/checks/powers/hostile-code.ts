import { type Address, hexToBytes, toPaddedHex } from '../../hex.js'
import { assemble } from '../../state/assemble.js'

/** `proxiableUUID()` (EIP-1822) and `implementation()` (EIP-897, EIP-1967): what upgrade functions ask of the new code. */
const PROXIABLE_UUID = '0x52d1902d'
const IMPLEMENTATION = '0x5c60da1b'
/** EIP-1967: keccak256("eip1967.proxy.implementation") - 1 */
const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'

const REVERT = '#fd'
const RETURNDATACOPY = '#3e'

/** A function that no honest contract has, and its answer: whoever gives it runs our code. */
export const MARK = '0xa55a9e11'
export const MARK_ANSWER = 0x4173736179n

/** Logic as a thief would install it: refuses everything, but passes for an implementation. */
export const HOSTILE_CODE = hexToBytes(
  assemble(`
    0x0 CALLDATALOAD 0xe0 SHR
    DUP1 ${PROXIABLE_UUID} EQ @uuid JUMPI
    DUP1 ${IMPLEMENTATION} EQ @self JUMPI
    ${MARK} EQ @mark JUMPI
    0x0 0x0 ${REVERT}
    uuid: ${IMPLEMENTATION_SLOT} 0x0 MSTORE 0x20 0x0 RETURN
    self: ADDRESS 0x0 MSTORE 0x20 0x0 RETURN
    mark: ${toPaddedHex(MARK_ANSWER, 5)} 0x0 MSTORE 0x20 0x0 RETURN`),
)

/** Code that calls `target` with whatever it is called with, and answers what it is answered: lets a contract act. */
export function forwarderTo(target: Address): Uint8Array {
  return hexToBytes(
    assemble(`
      CALLDATASIZE 0x0 0x0 CALLDATACOPY
      0x0 0x0 CALLDATASIZE 0x0 0x0 ${target} GAS CALL
      RETURNDATASIZE 0x0 0x0 ${RETURNDATACOPY}
      @done JUMPI
      RETURNDATASIZE 0x0 ${REVERT}
      done: RETURNDATASIZE 0x0 RETURN`),
  )
}

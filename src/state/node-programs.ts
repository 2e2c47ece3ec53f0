import { type Address, type Hex, toPaddedHex } from '../hex.js'
import { assemble } from './assemble.js'

/**
 * Programs that run on the node, put at some address by a code override. They turn dozens of calls
 * into two, and each answer begins with the block that it was computed on, so that no answer has to
 * be taken on trust. Stack comments have the top on the right.
 */

/** Where the dispatchers stand: an address without a known key or code. */
export const PROGRAM_ADDRESS: Address = '0x00000000000000000000000000000000a55a0010'

/** What each dispatcher's answer begins with; see {@link writeIdentity}. */
export const IDENTITY_BYTES = 0xc0

/**
 * ArbSys.arbBlockNumber(): the height of the L2, where NUMBER answers L1's (Arbitrum precompile
 * reference).
 */
export const ARB_SYS = '0x64'
export const ARB_BLOCK_NUMBER = toPaddedHex(0xa3b1b31dn << 224n, 32)

/**
 * Assembled once. The secret is a whole word of 32 bytes, so that it is pushed by the same opcode
 * whatever it is.
 */
function programWith(write: (secret: Hex) => string): (secret: Hex) => Hex {
  const program = assemble(write(PLACEHOLDER))
  return (secret) => program.replaceAll(PLACEHOLDER.slice(2), secret.slice(2)) as Hex
}

const PLACEHOLDER: Hex = `0x${'5ec7e7'.padEnd(64, '0f')}`

/**
 * Chain id, NUMBER, TIMESTAMP, the hash of NUMBER - 1 (so the parent's), Arbitrum's own height (0
 * elsewhere), and a secret which shows that this very program ran. The call to ArbSys has little
 * gas, because on BSC a failing precompile stands at that address.
 */
const writeIdentity = (secret: Hex) => `
  CHAINID 0x00 MSTORE
  NUMBER 0x20 MSTORE
  TIMESTAMP 0x40 MSTORE
  0x01 NUMBER SUB BLOCKHASH 0x60 MSTORE
  ${ARB_BLOCK_NUMBER} 0xa0 MSTORE
  0x20 0x80 0x04 0xa0 ${ARB_SYS} 0x2710 STATICCALL POP
  ${secret} 0xa0 MSTORE`

/**
 * Stands in for a contract whose slots are wanted: calldata is slot keys, the answer is their
 * values followed by `secret`. The secret is new in each request and stands in no calldata, so that
 * a contract which runs in spite of the override cannot give this answer.
 */
export const slotReader = programWith(
  (secret) => `
    0x00
    loop:                                    ; i
      DUP1 CALLDATASIZE EQ @end JUMPI
      DUP1 CALLDATALOAD SLOAD DUP2 MSTORE
      0x20 ADD
      @loop JUMP
    end:
      ${secret} CALLDATASIZE MSTORE
      0x20 CALLDATASIZE ADD 0x00 RETURN`,
)

/**
 * Asks many slot readers. Calldata: for each contract its address, the length of its keys in bytes,
 * and the keys. Answer: identity, then for each contract its values and the reader's secret. Where
 * the reader did not run, something else stands in the secret's place; the gas of each call is
 * bounded by its number of slots, so that a contract that runs instead cannot burn what the others
 * need.
 */
export const slotDispatcher = programWith(
  (secret) => `
    ${writeIdentity(secret)}
    ${toWord(IDENTITY_BYTES)} 0x00
    loop:                                    ; out in
      DUP1 CALLDATASIZE EQ @end JUMPI
      DUP1 0x20 ADD CALLDATALOAD             ; out in length
      DUP1 DUP3 0x40 ADD DUP5 CALLDATACOPY   ; keys to memory at out
      DUP1 0x20 ADD DUP4                     ; out in length returnSize out
      DUP3 DUP2 DUP6 CALLDATALOAD            ; out in length returnSize out length out address
      DUP3 0xc8 MUL 0x2710 ADD               ; gas: 6,400 a slot and 10,000
      STATICCALL POP                         ; out in length
      DUP1 SWAP3 ADD 0x20 ADD                ; length in out'
      SWAP2 ADD 0x40 ADD                     ; out' in'
      @loop JUMP
    end:
      POP 0x00 RETURN`,
)

/**
 * Reads accounts. Calldata: a word for each, the address with bit 255 set where the code is wanted.
 * Answer: identity, then for each balance, code hash, length of the code that follows, and that
 * code, unpadded.
 */
export const accountDispatcher = programWith(
  (secret) => `
    ${writeIdentity(secret)}
    ${toWord(IDENTITY_BYTES)} 0x00
    loop:                                    ; out in
      DUP1 CALLDATASIZE EQ @end JUMPI
      DUP1 CALLDATALOAD                      ; out in word
      DUP1 BALANCE DUP4 MSTORE
      DUP1 EXTCODEHASH DUP4 0x20 ADD MSTORE
      DUP1 EXTCODESIZE DUP2 0xff SHR MUL     ; out in word size
      DUP1 DUP5 0x40 ADD MSTORE
      DUP1 0x00 DUP6 0x60 ADD DUP5 EXTCODECOPY
      SWAP1 POP SWAP2                        ; size in out
      DUP3 ADD 0x60 ADD SWAP2 POP            ; out' in
      0x20 ADD
      @loop JUMP
    end:
      POP 0x00 RETURN`,
)

/**
 * Reads block hashes. Calldata: a block number in each word. Answer: identity, then a hash for
 * each; zero where the chain gives none.
 */
export const blockHashDispatcher = programWith(
  (secret) => `
    ${writeIdentity(secret)}
    ${toWord(IDENTITY_BYTES)} 0x00
    loop:                                    ; out in
      DUP1 CALLDATASIZE EQ @end JUMPI
      DUP1 CALLDATALOAD BLOCKHASH DUP3 MSTORE
      0x20 ADD SWAP1 0x20 ADD SWAP1
      @loop JUMP
    end:
      POP 0x00 RETURN`,
)

function toWord(value: number): string {
  return `0x${value.toString(16)}`
}

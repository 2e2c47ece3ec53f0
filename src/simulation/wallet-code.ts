import { type Address, type Hex, hexToBytes, toPaddedHex } from '../hex.js'
import { assemble } from '../state/assemble.js'

/**
 * An ordinary smart wallet, as far as trading goes: it takes coins, and makes the call that it is
 * told to make.
 */
export const WALLET_CODE: Uint8Array = hexToBytes(
  assemble(`
    CALLDATASIZE ISZERO @done JUMPI
    0x40 CALLDATASIZE SUB
    DUP1 0x40 0x0 CALLDATACOPY
    0x0 0x0 DUP3 0x0 0x20 CALLDATALOAD 0x0 CALLDATALOAD GAS CALL
    RETURNDATASIZE 0x0 0x0 #3e
    ISZERO @fail JUMPI
    RETURNDATASIZE 0x0 RETURN
    fail: RETURNDATASIZE 0x0 #fd
    done: STOP
  `),
)

/** What the wallet is told: what to call, how many wei to send along, and with which data. */
export const walletCall = (to: Address, value: bigint, data: Hex): Hex =>
  `${toPaddedHex(BigInt(to), 32)}${toPaddedHex(value, 32).slice(2)}${data.slice(2)}`

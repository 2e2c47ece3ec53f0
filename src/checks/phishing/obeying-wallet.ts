import { type Address, type Hex, hexToBytes } from '../../hex.js'
import { assemble } from '../../state/assemble.js'

/**
 * Functions by which a module has a wallet act: `execTransactionFromModule` and
 * `execTransactionFromModuleReturnData` of Safes (github.com/safe-global/safe-smart-account), and
 * `executeFromExecutor` of ERC-7579.
 */
export const MODULE_CALLS: readonly Hex[] = ['0x468721a7', '0x5229073f', '0xd691c964']

/**
 * Runtime code of a wallet that has enabled this module and does what it asks, and nothing for any
 * other. It has no owners, so that a module which asks whether its caller is one, or whether they
 * signed, refuses as it should.
 */
export const obeyingWallet = (module: Address): Uint8Array =>
  hexToBytes(
    assemble(`
      CALLDATASIZE @asked JUMPI STOP         ; coins are welcome
    asked:
      0x0 CALLDATALOAD 0xe0 SHR
      DUP1 0x2d9ad53d EQ @yes JUMPI          ; isModuleEnabled
      DUP1 0x112d3a7d EQ @yes JUMPI          ; isModuleInstalled
      DUP1 0x01ffc9a7 EQ @yes JUMPI          ; supportsInterface
      DUP1 0xe75235b8 EQ @yes JUMPI          ; getThreshold
      CALLER ${module} EQ ISZERO @no JUMPI
      DUP1 0x468721a7 EQ @execute JUMPI
      DUP1 0x5229073f EQ @execute JUMPI
      DUP1 0xd691c964 EQ @packed JUMPI
    no:
      0x0 0x0 REVERT
    yes:
      0x1 0x0 MSTORE 0x20 0x0 RETURN
    execute:                                 ; (address to, uint256 value, bytes, uint8 operation)
      0x44 CALLDATALOAD 0x4 ADD
      DUP1 CALLDATALOAD
      DUP1 DUP3 0x20 ADD 0x0 CALLDATACOPY
      0x64 CALLDATALOAD @delegated JUMPI
      0x0 0x0 DUP3 0x0 0x24 CALLDATALOAD 0x4 CALLDATALOAD GAS CALL
      @answer JUMP
    delegated:
      0x0 0x0 DUP3 0x0 0x4 CALLDATALOAD GAS DELEGATECALL
    answer:                                  ; (bool) or (bool, bytes), without bytes
      0x0 MSTORE 0x40 0x20 MSTORE 0x0 0x40 MSTORE 0x60 0x0 RETURN
    packed:                                  ; (bytes32 mode, bytes of address, value and data)
      0x24 CALLDATALOAD 0x4 ADD
      DUP1 CALLDATALOAD 0x34 SWAP1 SUB
      DUP1 DUP3 0x54 ADD 0x0 CALLDATACOPY
      0x0 0x0 DUP3 0x0
      DUP6 0x34 ADD CALLDATALOAD
      DUP7 0x20 ADD CALLDATALOAD 0x60 SHR
      GAS CALL ISZERO @no JUMPI
      0x20 0x0 MSTORE 0x0 0x20 MSTORE 0x40 0x0 RETURN  ; bytes[] without an entry
    `),
  )

import solc from 'solc'
import { opcodeByName } from '../../src/instructions/opcodes.js'

/**
 * Loops as the Solidity compiler writes them, one per kind of work. They run until the gas is gone,
 * so that time per gas is what differs between engines.
 */
const SOURCE = `
pragma solidity ^0.8.30;
contract Arithmetic { fallback() external { uint256 x = 5;
  for (uint256 i = 0; i < type(uint256).max; ++i) {
    x = (mulmod(x, 0xd1b71758e219652bd3c36113404ea4a9, 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f) / 7)
      ^ 0x000123456789abcdef0123456789abcdef01234567;
  } assembly { sstore(0, x) } } }
contract Counting { fallback() external { uint256 x;
  for (uint256 i = 0; i < type(uint256).max; ++i) { if (i % 3 == 1) x += i; else x += 2; } assembly { sstore(0, x) } } }
contract Keccak { fallback() external { bytes32 h;
  for (uint256 i = 0; i < type(uint256).max; ++i) { assembly { mstore(0, h) mstore(32, i) h := keccak256(0, 64) } }
  assembly { sstore(0, h) } } }
contract Memory { fallback() external { uint256[] memory a = new uint256[](1024);
  for (uint256 i = 0; i < type(uint256).max; ++i) { unchecked { a[i % 1024] += i; } } assembly { sstore(0, mload(a)) } } }
contract Storage { mapping(uint256 => uint256) s; fallback() external {
  for (uint256 i = 0; i < type(uint256).max; ++i) { unchecked { s[i % 16] += i; } } } }
contract Calls { fallback() external {
  for (uint256 i = 0; i < type(uint256).max; ++i) { assembly { pop(staticcall(gas(), 0xc0de2, 0, 4, 0, 32)) } } } }
`

/** Runtime code by the contract's name. */
export const loops: Record<string, Uint8Array> = compile()

/** Returns 42. */
export const CALLEE = Uint8Array.from(
  ['PUSH1', 0x2a, 'PUSH1', 0, 'MSTORE', 'PUSH1', 32, 'PUSH1', 0, 'RETURN'].map((part) =>
    typeof part === 'number' ? part : opcodeByName(part),
  ),
)

function compile(): Record<string, Uint8Array> {
  const input = {
    language: 'Solidity',
    sources: { 'loops.sol': { content: SOURCE } },
    settings: {
      evmVersion: 'prague',
      optimizer: { enabled: true, runs: 200 },
      outputSelection: { '*': { '*': ['evm.deployedBytecode.object'] } },
    },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as {
    errors?: { severity: string; formattedMessage: string }[]
    contracts: Record<string, Record<string, { evm: { deployedBytecode: { object: string } } }>>
  }
  const error = output.errors?.find(({ severity }) => severity === 'error')
  if (error !== undefined) throw new Error(error.formattedMessage)
  return Object.fromEntries(
    Object.entries(output.contracts['loops.sol'] ?? {}).map(([name, { evm }]) => [
      name.toLowerCase(),
      Uint8Array.from(Buffer.from(evm.deployedBytecode.object, 'hex')),
    ]),
  )
}

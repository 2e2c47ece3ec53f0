import { opcodeByName } from '../../src/evm/opcodes.js'

/** Endless loops, one per kind of work: they run until the gas is gone, so that time per gas is what differs between engines. */
export const loops: Record<string, Uint8Array> = {
  // x = ((x * k) mod p) / 7 xor c, as pool arithmetic does
  arithmetic: assemble(
    `PUSH1:05 JUMPDEST PUSH32:${'fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f'} PUSH16:d1b71758e219652bd3c36113404ea4a9
     DUP3 MULMOD SWAP1 POP PUSH1:07 SWAP1 DIV PUSH20:0123456789abcdef0123456789abcdef01234567 XOR PUSH1:02 JUMP`,
  ),
  // counters, comparisons and branches, as loops over arrays do
  counting: assemble(
    'PUSH1:00 JUMPDEST PUSH1:01 ADD DUP1 PUSH4:7fffffff LT ISZERO PUSH1:11 JUMPI JUMPDEST PUSH1:02 JUMP',
  ),
  keccak: assemble(
    'PUSH1:00 JUMPDEST DUP1 PUSH1:00 MSTORE PUSH1:40 PUSH1:00 KECCAK256 PUSH1:20 MSTORE PUSH1:01 ADD PUSH1:02 JUMP',
  ),
  memory: assemble(
    'PUSH1:00 JUMPDEST DUP1 PUSH2:03ff AND PUSH1:05 SHL DUP1 MLOAD PUSH1:01 ADD SWAP1 MSTORE PUSH1:01 ADD PUSH1:02 JUMP',
  ),
  storage: assemble(
    'PUSH1:00 JUMPDEST DUP1 PUSH1:0f AND DUP1 SLOAD PUSH1:01 ADD SWAP1 SSTORE PUSH1:01 ADD PUSH1:02 JUMP',
  ),
  // a read-only call to an account whose code returns 32 bytes
  calls: assemble(
    'JUMPDEST PUSH1:20 PUSH1:00 PUSH1:04 PUSH1:00 PUSH20:00000000000000000000000000000000000c0de2 GAS STATICCALL POP PUSH1:00 JUMP',
  ),
}

export const CALLEE = assemble('PUSH1:2a PUSH1:00 MSTORE PUSH1:20 PUSH1:00 RETURN')

function assemble(source: string): Uint8Array {
  const bytes = source
    .trim()
    .split(/\s+/)
    .flatMap((word) => {
      const [name = '', data = ''] = word.split(':')
      return [opcodeByName(name), ...Buffer.from(data, 'hex')]
    })
  return Uint8Array.from(bytes)
}

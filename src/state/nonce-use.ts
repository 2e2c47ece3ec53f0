/**
 * Whether an account with this code can notice its own nonce: by creating contracts at addresses
 * that depend on it (CREATE), or by running code that we do not see here (DELEGATECALL, CALLCODE,
 * an EIP-7702 delegate). Bytes inside PUSH data never run, because jumps into them are invalid.
 */
export function canUseNonce(code: Uint8Array): boolean {
  const known = verdicts.get(code) ?? findNonceUse(code)
  verdicts.set(code, known)
  return known
}

/** Code is never changed in place, and the same few contracts are part of every job. */
const verdicts = new WeakMap<Uint8Array, boolean>()

function findNonceUse(code: Uint8Array): boolean {
  if (code.length === 0 || code[0] === EIP_3541_PREFIX) return true
  for (let pc = 0; pc < code.length; pc += 1) {
    const opcode = code[pc] ?? 0
    if (opcode === CREATE || opcode === DELEGATECALL || opcode === CALLCODE) return true
    if (opcode >= PUSH1 && opcode <= PUSH32) pc += opcode - PUSH1 + 1
  }
  return false
}

const CREATE = 0xf0
const CALLCODE = 0xf2
const DELEGATECALL = 0xf4
const PUSH1 = 0x60
const PUSH32 = 0x7f
/** Designators and other code that is no EVM code. */
const EIP_3541_PREFIX = 0xef

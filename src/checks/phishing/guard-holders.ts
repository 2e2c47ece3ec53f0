import { createTaintInspector, type TaintedBranch } from '../../evm/inspectors/taint.js'
import { ADDRESS_MASK, type Address, toPaddedHex } from '../../hex.js'
import { branch } from '../../simulation/fork-verbs.js'
import type { Fork } from '../../simulation/scenario.js'
import type { Attempt } from './phishing-play.js'

/** Comparisons that ask whether the caller is a certain address. */
const EQUALITIES = new Set(['EQ', 'SUB', 'XOR'])
/** Smaller numbers are no accounts. */
const LEAST_ADDRESS = 1n << 64n
/** Contracts have an owner, an operator, perhaps a guardian. */
const MAX_HOLDERS = 3

/** The accounts that a call compared its sender with. */
export interface Guards {
  /** Accounts that the code treats otherwise than others. */
  holders: Address[]
  /**
   * Places where something computed from the sender had to equal a value that is no account: who
   * that is, only he knows.
   */
  obfuscated: { codeAddress: Address; pc: number }[]
}

/** Reads who decides over a call. `ignored` are accounts that the call itself named. */
export function findGuards(fork: Fork, { from, to, data, value = 0n }: Attempt, ignored: ReadonlySet<Address>): Guards {
  const taint = createTaintInspector()
  branch(fork, () => {
    if (value > 0n) fork.evm.setBalance(from, value)
    fork.evm.read({ from, to, data, value }, [taint])
  })
  const { branches } = taint.finish()
  const holders = [...new Set(branches.flatMap((branch) => holderIn(branch) ?? []))]
  return {
    holders: holders.filter((holder) => holder !== from && !ignored.has(holder)).slice(0, MAX_HOLDERS),
    obfuscated: branches
      .filter(isObfuscated)
      .map(({ codeAddress, pc }) => ({ codeAddress, pc }))
      .slice(0, MAX_HOLDERS),
  }
}

function isObfuscated({ sources, comparison }: TaintedBranch): boolean {
  if (comparison === undefined || !EQUALITIES.has(comparison.operator)) return false
  const isOfSender = sources.includes('CALLER') || sources.includes('ORIGIN')
  return isOfSender && comparison.other > ADDRESS_MASK && comparison.value > ADDRESS_MASK
}

/** Bytes before a branch in which the comparison that decides it stands. */
const REACH = 48
const [EQ, SUB, XOR, OR, BYTE, PUSH1, PUSH32] = [0x14, 0x03, 0x18, 0x17, 0x1a, 0x60, 0x7f]

/**
 * The code with the last comparison before `pc` answering as if both sides were equal: OR of two
 * hashes is true as EQ of equal ones is, and BYTE beyond the word is zero as their difference is.
 * `undefined` where no comparison stands there.
 */
export function assumeEqual(code: Uint8Array, pc: number): Uint8Array | undefined {
  let found: number | undefined
  for (let at = 0; at < pc && at < code.length; ) {
    const opcode = code[at] ?? 0
    if (at >= pc - REACH && (opcode === EQ || opcode === SUB || opcode === XOR)) found = at
    at += opcode >= PUSH1 && opcode <= PUSH32 ? opcode - PUSH1 + 2 : 1
  }
  return found === undefined ? undefined : withEqualSides(code, found)
}

/** The code with the comparison at `pc` answering as if both sides were equal. */
export function withEqualSides(code: Uint8Array, pc: number): Uint8Array {
  const changed = code.slice()
  changed[pc] = code[pc] === EQ ? OR : BYTE
  return changed
}

function holderIn({ sources, comparison }: TaintedBranch): Address | undefined {
  if (comparison === undefined || !EQUALITIES.has(comparison.operator)) return undefined
  if (!sources.includes('CALLER') && !sources.includes('ORIGIN')) return undefined
  const { other } = comparison
  return other >= LEAST_ADDRESS && other <= ADDRESS_MASK ? toPaddedHex(other, 20) : undefined
}

import type { Taint, Term } from './terms.js'

/** What one instruction does to the world, with the terms it does it with. */
export type Effect =
  | ReadEffect
  | WriteEffect
  | TransientEffect
  | CallEffect
  | CreateEffect
  | DestructEffect
  | LogEffect
  | ReturnEffect

export interface ReadEffect {
  kind: 'read'
  pc: number
  key: Term
}

/** A write of `width` bits from bit `shift` on: what is packed beside them stays. */
export interface WriteEffect {
  kind: 'write'
  pc: number
  key: Term
  shift: number
  width: number
  value: Term
}

/** A word that lasts as long as the transaction (EIP-1153). */
export interface TransientEffect {
  kind: 'transient'
  pc: number
  key: Term
  value: Term
}

export interface CallEffect {
  kind: 'call'
  pc: number
  op: 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL'
  target: Term
  /** Native coin sent; zero where the opcode sends none. */
  value: Term
  gas: Term
  /** First four bytes of the call data. A constant where the callee's function is fixed. */
  selector: Term
  /** Words after the selector, as far as they are known; at most {@link MAX_CALL_ARGUMENTS}. */
  args: readonly Term[]
  /** Everything that flows into the call data. */
  inputTaint: Taint
  inputSize: Term
}

export interface CreateEffect {
  kind: 'create'
  pc: number
  op: 'CREATE' | 'CREATE2'
  codeTaint: Taint
  value: Term
  /**
   * The creation code in words of 32 bytes, as far as it is known; a last word may reach beyond it.
   */
  words: readonly Term[]
  /** Length of the creation code in bytes. */
  size: Term
}

export interface DestructEffect {
  kind: 'destruct'
  pc: number
  beneficiary: Term
}

export interface LogEffect {
  kind: 'log'
  pc: number
  topics: readonly Term[]
  data: readonly Term[]
}

export interface ReturnEffect {
  kind: 'return'
  pc: number
  words: readonly Term[]
}

/** permit has seven; the rest is dynamic data. */
export const MAX_CALL_ARGUMENTS = 8

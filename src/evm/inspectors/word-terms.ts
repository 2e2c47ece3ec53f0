import type { Address } from '../../hex.js'
import type { Term } from './term.js'

/** Terms of words of storage, by account and slot. */
export class WordTerms {
  readonly #terms = new Map<string, Term>()

  get(address: Address, slot: bigint): Term | undefined {
    return this.#terms.get(keyOf(address, slot))
  }

  set(address: Address, slot: bigint, term: Term): void {
    this.#terms.set(keyOf(address, slot), term)
  }

  clear(): void {
    this.#terms.clear()
  }
}

/** Large numbers are ten times as fast to write in hexadecimal. */
const keyOf = (address: Address, slot: bigint) => `${address} ${slot.toString(16)}`

import type { AskedCall, BranchesKept, Decision, Stored } from './decision.js'

/** A trade takes some hundreds of branches; loops repeat the same ones. */
const MAX_BRANCHES = 2_000
/**
 * A helper that refuses the sender and the receiver is one branch, which answers for each of them.
 */
const MAX_OCCURRENCES = 4
/** Words of storage that one trade writes. */
const MAX_STORES = 1_000
/** Calls that are kept; a batch of transfers makes some dozens. */
const MAX_CALLS = 256
/** What one sell makes, several times over. */
const MAX_TERMS = 200_000

/** What is kept of followed transactions, within bounds; `isTruncated` where there was more. */
export class DecisionLog {
  readonly branches: Decision[] = []
  readonly calls: AskedCall[] = []
  isTruncated = false
  readonly #kept = new Map<string, BranchesKept>()
  readonly #stores = new Map<string, Stored>()
  #termsLeft = MAX_TERMS

  get stores(): Stored[] {
    return [...this.#stores.values()]
  }

  countTerm(): void {
    this.#termsLeft -= 1
    if (this.#termsLeft < 0) this.isTruncated = true
  }

  /** Of a code that runs in an account's name. */
  branchesOf(code: string): BranchesKept {
    const known = this.#kept.get(code)
    if (known !== undefined) return known
    const made: BranchesKept = new Map()
    this.#kept.set(code, made)
    return made
  }

  /** `kept` is that of its code: a key of text for each branch costs more than following it. */
  addBranch(decision: Decision, kept: BranchesKept): void {
    const key = 2 * decision.pc + (decision.condition.value === 0n ? 0 : 1)
    const times = kept.get(key) ?? 0
    if (times >= MAX_OCCURRENCES) return
    if (this.branches.length >= MAX_BRANCHES) {
      this.isTruncated = true
      return
    }
    kept.set(key, times + 1)
    this.branches.push(decision)
  }

  addCall(call: AskedCall): void {
    if (this.calls.length < MAX_CALLS) this.calls.push(call)
  }

  /** Returns what is kept of that word: an elder value where there is no room for a new word. */
  addStore(word: Stored): Stored | undefined {
    const key = `${word.address} ${word.slot}`
    if (this.#stores.size >= MAX_STORES && !this.#stores.has(key)) this.isTruncated = true
    else this.#stores.set(key, word)
    return this.#stores.get(key)
  }
}

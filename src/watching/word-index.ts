import type { Code, Word } from '../checks/dependencies/trade-dependencies.js'
import { toPaddedHex } from '../hex.js'
import { accountsIn, type VerdictDependencies } from '../reports/dependencies.js'
import type { TokenAddress } from '../solana/token-address.js'
import type { BlockChanges } from './read-block-changes.js'

/** A change of something that the verdict on a token stands on. */
export interface TokenChange {
  token: TokenAddress
  /** Absent where code changed. */
  word: Word | undefined
  code: Code | undefined
  /** What the word holds now. */
  value: bigint | undefined
  transaction: string | undefined
}

/**
 * The words and codes that the verdicts on the watched tokens of one chain stand on, so that what a
 * block changed is compared with all of them in one go.
 */
export interface WordIndex {
  /** Puts a token in place of what was known of it; without dependencies it is forgotten. */
  set(token: TokenAddress, dependencies: VerdictDependencies | undefined): void
  /** What of a block's changes concerns watched tokens. */
  find(changes: BlockChanges): TokenChange[]
  /** Words to ask for, in turn, where a node does not tell what a block changed. */
  takeWords(from: number, count: number): Word[]
  /** Words in all. */
  readonly size: number
  /** Who may change them. */
  accounts(): WatchedAccounts
}

export interface WatchedAccounts {
  /** Hold a watched word or code. */
  places: ReadonlySet<TokenAddress>
  /** Are named by `guards`: may call what is privileged. */
  holders: ReadonlySet<TokenAddress>
}

export function createWordIndex(): WordIndex {
  const tokens = new Map<TokenAddress, VerdictDependencies>()
  const words = new Map<TokenAddress, Map<bigint, Map<TokenAddress, Word>>>()
  const codes = new Map<TokenAddress, Map<TokenAddress, Code>>()
  let order: Word[] | undefined
  let accounts: WatchedAccounts | undefined

  const forget = (token: TokenAddress) => {
    const known = tokens.get(token)
    if (!known) return
    for (const { address, slot } of known.words) {
      const slots = words.get(address)
      slots?.get(slot)?.delete(token)
      if (slots?.get(slot)?.size === 0) slots.delete(slot)
      if (slots?.size === 0) words.delete(address)
    }
    for (const { address } of known.codes) {
      codes.get(address)?.delete(token)
      if (codes.get(address)?.size === 0) codes.delete(address)
    }
    tokens.delete(token)
    ;[order, accounts] = [undefined, undefined]
  }

  const inOrder = () => {
    order ??= [...words.values()].flatMap((slots) =>
      [...slots.values()].flatMap((uses) => [...uses.values()].slice(0, 1)),
    )
    return order
  }

  return {
    set(token, dependencies) {
      forget(token)
      if (!dependencies) return
      tokens.set(token, dependencies)
      ;[order, accounts] = [undefined, undefined]
      for (const word of dependencies.words) {
        const slots = at(words, word.address, () => new Map<bigint, Map<TokenAddress, Word>>())
        at(slots, word.slot, () => new Map<TokenAddress, Word>()).set(token, word)
      }
      for (const code of dependencies.codes)
        at(codes, code.address, () => new Map<TokenAddress, Code>()).set(token, code)
    },
    find(changes) {
      const found: TokenChange[] = []
      for (const [address, slots] of changes.words) {
        const watched = words.get(address)
        if (!watched) continue
        for (const [slot, { value, transaction }] of slots)
          for (const [token, word] of watched.get(slot) ?? [])
            if (word.value !== value) found.push({ token, word, code: undefined, value, transaction })
      }
      for (const [address, transaction] of changes.codes)
        for (const [token, code] of codes.get(address) ?? [])
          found.push({ token, word: undefined, code, value: undefined, transaction })
      return found
    },
    takeWords(from, count) {
      const order = inOrder()
      const start = order.length === 0 ? 0 : from % order.length
      return [...order.slice(start, start + count), ...order.slice(0, Math.max(0, start + count - order.length))].slice(
        0,
        order.length,
      )
    },
    get size() {
      return inOrder().length
    },
    accounts() {
      accounts ??= {
        places: new Set([...words.keys(), ...codes.keys()]),
        holders: new Set(
          [...tokens.values()].flatMap(({ words }) => words.filter(({ role }) => role === 'guards').flatMap(holders)),
        ),
      }
      return accounts
    },
  }
}

const holders = ({ value }: Word): TokenAddress[] => accountsIn(value).map((account) => toPaddedHex(account, 20))

function at<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

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
 * block changed is compared with all of them in one go. No question costs what all tokens cost, but
 * the one for all words.
 */
export interface WordIndex {
  /** Puts a token in place of what was known of it; without dependencies it is forgotten. */
  set(token: TokenAddress, dependencies: VerdictDependencies | undefined): void
  /** What of a block's changes concerns watched tokens. */
  find(changes: BlockChanges): TokenChange[]
  wordsOf(token: TokenAddress): readonly Word[]
  /**
   * Words to ask for, where a node does not tell what a block changed: the next ones of all, in
   * turn. Fewer at the end of a turn.
   */
  takeWords(count: number): Word[]
  /** Each word that a verdict stands on, once. */
  allWords(): Word[]
  /** Who may change them. */
  readonly accounts: WatchedAccounts
}

/** So that asking costs the same however many there are. */
interface Accounts {
  has(account: TokenAddress): boolean
  readonly size: number
}

export interface WatchedAccounts {
  /** Hold a watched word or code. */
  places: Accounts
  /** Are named by `guards`: may call what is privileged. */
  holders: Accounts
}

interface WatchedWord extends Word {
  token: TokenAddress
}

/** Nearly every word is one token's: a map for each would be most of what the index takes. */
type Uses = WatchedWord | Map<TokenAddress, WatchedWord>

interface Watched {
  words: readonly WatchedWord[]
  codes: readonly Code[]
}

export function createWordIndex(): WordIndex {
  const tokens = new Map<TokenAddress, Watched>()
  const words = new Map<TokenAddress, Map<bigint, Uses>>()
  const codes = new Map<TokenAddress, Map<TokenAddress, Code>>()
  /** For how many words each is a holder. */
  const holders = new Map<TokenAddress, number>()

  const forget = (token: TokenAddress) => {
    const known = tokens.get(token)
    if (!known) return
    tokens.delete(token)
    for (const word of known.words) {
      const slots = words.get(word.address)
      if (slots) removeUse(slots, word)
      if (slots?.size === 0) words.delete(word.address)
      for (const holder of holdersOf(word)) addTo(holders, holder, -1)
    }
    for (const { address } of known.codes) {
      codes.get(address)?.delete(token)
      if (codes.get(address)?.size === 0) codes.delete(address)
    }
  }

  /** Stays right while tokens come and go: what comes is last in a map, what goes is passed. */
  function* inTurn(): Generator<Word> {
    for (const slots of words.values())
      for (const uses of slots.values()) {
        const [word] = usesIn(uses)
        if (word) yield word
      }
  }
  let turn = inTurn()
  const take = (count: number): Word[] => {
    const taken: Word[] = []
    while (taken.length < count) {
      const { value, done } = turn.next()
      if (done) {
        turn = inTurn()
        break
      }
      taken.push(value)
    }
    return taken
  }

  return {
    set(token, dependencies) {
      forget(token)
      if (!dependencies) return
      const watched = toWatched(token, dependencies)
      tokens.set(token, watched)
      for (const word of watched.words) {
        addUse(
          at(words, word.address, () => new Map<bigint, Uses>()),
          word,
        )
        for (const holder of holdersOf(word)) addTo(holders, holder, 1)
      }
      for (const code of watched.codes) at(codes, code.address, () => new Map<TokenAddress, Code>()).set(token, code)
    },
    find(changes) {
      const found: TokenChange[] = []
      for (const [address, slots] of changes.words) {
        const watched = words.get(address)
        if (!watched) continue
        for (const [slot, { value, transaction }] of slots)
          for (const word of usesIn(watched.get(slot)))
            if (word.value !== value) found.push({ token: word.token, word, code: undefined, value, transaction })
      }
      for (const [address, transaction] of changes.codes)
        for (const [token, code] of codes.get(address) ?? [])
          found.push({ token, word: undefined, code, value: undefined, transaction })
      return found
    },
    wordsOf: (token) => tokens.get(token)?.words ?? [],
    takeWords(count) {
      const taken = take(count)
      // A turn that ended just there begins again.
      return taken.length > 0 ? taken : take(count)
    },
    allWords: () => [...inTurn()],
    accounts: {
      places: {
        has: (account) => words.has(account) || codes.has(account),
        get size() {
          return words.size + codes.size
        },
      },
      holders,
    },
  }
}

/** Slots and switches are small numbers, of which one object each is enough. */
const SMALL = Array.from({ length: 256 }, (_, n) => BigInt(n))
const shared = (value: bigint): bigint => (value < 256n ? SMALL[Number(value)] : undefined) ?? value

/** Each address once: those of a store's rows are texts of their own, however often they repeat. */
function toWatched(token: TokenAddress, dependencies: VerdictDependencies): Watched {
  const known = new Map<TokenAddress, TokenAddress>([[token, token]])
  const words = dependencies.words.map(({ address, slot, value, role }) => ({
    ...{ token, address: at(known, address, () => address), slot: shared(slot), value: shared(value), role },
  }))
  return { words, codes: dependencies.codes }
}

const usesIn = (uses: Uses | undefined): Iterable<WatchedWord> =>
  uses === undefined ? [] : uses instanceof Map ? uses.values() : [uses]

function addUse(slots: Map<bigint, Uses>, word: WatchedWord): void {
  const known = slots.get(word.slot)
  if (known instanceof Map) known.set(word.token, word)
  else if (known === undefined || known.token === word.token) slots.set(word.slot, word)
  else
    slots.set(
      word.slot,
      new Map([
        [known.token, known],
        [word.token, word],
      ]),
    )
}

function removeUse(slots: Map<bigint, Uses>, { slot, token }: WatchedWord): void {
  const known = slots.get(slot)
  if (known instanceof Map) known.delete(token)
  if (known instanceof Map ? known.size === 0 : known?.token === token) slots.delete(slot)
}

const holdersOf = ({ role, value }: Word): TokenAddress[] =>
  role === 'guards' ? accountsIn(value).map((account) => toPaddedHex(account, 20)) : []

function addTo(counts: Map<TokenAddress, number>, key: TokenAddress, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}

function at<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

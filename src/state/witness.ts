import { BaseError } from '../errors.js'
import { type Address, bytesToHex, EMPTY_CODE_HASH, type Hex, hexToBytes, toPaddedHex } from '../hex.js'
import { keccak256 } from '../keccak.js'
import { bytesToQuantity, decodeRlp, encodeRlp, quantityBytes } from '../rlp.js'
import { createBlockState, showAll } from './block-state.js'
import { createSnapshot, setStorage } from './known-state.js'
import type { Account, StateReader } from './state-reader.js'
import type { PinnedBlock, StateSource } from './state-source.js'
import { createTrie, EMPTY_TRIE_ROOT, MissingNodeError, type Trie } from './trie.js'

/** Nodes of tries and codes, by whose hashes the state below one root is proven so far. */
export interface WitnessParts {
  stateRoot: Hex
  /** RLP of trie nodes, of the account trie and of storage tries, in any order. */
  nodes: readonly Hex[]
  codes: readonly Hex[]
  blockHashes: ReadonlyMap<bigint, Hex>
}

/**
 * State as a witness proves it. What is proven to be absent is empty or zero; where the witness
 * says nothing, each of these throws {@link UnknownStateError}, because zero would be a guess.
 */
export interface Witness extends Required<StateReader> {
  account(address: Address): Account
  code(codeHash: Hex): Uint8Array
  storage(address: Address, slot: bigint): bigint
  blockHash(number: bigint): Hex
  /** The state root once `changes` are made. */
  rootAfter(changes: Iterable<AccountChange>): Hex
}

/** What became of an account. */
export interface AccountChange {
  address: Address
  /** `undefined`: it is gone. */
  account: Account | undefined
  /** Storage that was there before is gone. */
  isFresh: boolean
  slots: ReadonlyMap<bigint, bigint>
}

export function createWitness({ stateRoot, nodes, codes, blockHashes }: WitnessParts): Witness {
  const held = new Map(nodes.map(hexToBytes).map((node) => [keccak256(node), node]))
  const codeOf = new Map(codes.map(hexToBytes).map((code) => [keccak256(code), code]))
  const accounts = createTrie(held, stateRoot)
  const leaves = new Map<Address, Leaf>()
  const storages = new Map<Hex, Trie>()

  const leafOf = (address: Address): Leaf => {
    const known = leaves.get(address) ?? readLeaf(accounts, address)
    leaves.set(address, known)
    return known
  }
  const storageOf = (root: Hex): Trie => {
    const known = storages.get(root) ?? createTrie(held, root)
    storages.set(root, known)
    return known
  }
  const storageRootAfter = ({ address, isFresh, slots }: AccountChange, before: Hex): Hex => {
    const trie = createTrie(held, isFresh ? EMPTY_TRIE_ROOT : before)
    return orUnknown(`the neighbours of a slot of ${address}`, () => {
      const entries = [...slots]
      for (const [slot, value] of entries) if (value !== 0n) trie.put(slotKey(slot), encodeRlp(quantityBytes(value)))
      for (const [slot, value] of entries) if (value === 0n) trie.delete(slotKey(slot))
      return trie.root()
    })
  }
  return {
    account: (address) => leafOf(address).account,
    code: (codeHash) =>
      codeHash === EMPTY_CODE_HASH ? NO_CODE : (codeOf.get(codeHash) ?? unknown(`code ${codeHash}`)),
    storage(address, slot) {
      const { storageRoot } = leafOf(address)
      const what = `slot ${toPaddedHex(slot, 32)} of ${address}`
      const leaf = orUnknown(what, () => storageOf(storageRoot).get(slotKey(slot)))
      return leaf === undefined ? 0n : bytesToQuantity(decodeRlp(leaf) as Uint8Array)
    },
    blockHash: (number) => blockHashes.get(number) ?? unknown(`block ${number}`),
    hasStorage: (address) => leafOf(address).storageRoot !== EMPTY_TRIE_ROOT,
    rootAfter(changes) {
      const after = createTrie(held, stateRoot)
      const all = [...changes]
      return orUnknown('the neighbours of an account', () => {
        // First what is put: a deletion needs a neighbour that a later entry may make needless.
        for (const change of all) {
          if (change.account === undefined) continue
          const root = storageRootAfter(change, leafOf(change.address).storageRoot)
          after.put(accountKey(change.address), encodeAccount(change.account, root))
        }
        for (const { address, account } of all) if (account === undefined) after.delete(accountKey(address))
        return after.root()
      })
    },
  }
}

/** A witness behind the questions of {@link StateSource}: what it does not hold fails to load. */
export function createWitnessSource(witness: Witness, block: PinnedBlock): StateSource {
  const state = createBlockState()
  return {
    ...showAll(state),
    block,
    suspect: 'chain',
    async load(misses) {
      const known = createSnapshot()
      for (const miss of misses) {
        if (miss.kind === 'blockHash') known.blockHashes.set(miss.number, witness.blockHash(miss.number))
        else if (miss.kind === 'storage')
          setStorage(known, miss.address, miss.slot, witness.storage(miss.address, miss.slot))
        else {
          const account = witness.account(miss.address)
          known.code.set(account.codeHash, witness.code(account.codeHash))
          known.accounts.set(miss.address, account)
        }
      }
      state.add(known)
    },
  }
}

interface Leaf {
  account: Account
  storageRoot: Hex
}

const NO_CODE = new Uint8Array(0)
const NO_LEAF: Leaf = {
  account: { nonce: 0n, balance: 0n, codeHash: EMPTY_CODE_HASH },
  storageRoot: EMPTY_TRIE_ROOT,
}

const accountKey = (address: Address) => hexToBytes(keccak256(hexToBytes(address)))
const slotKey = (slot: bigint) => hexToBytes(keccak256(hexToBytes(toPaddedHex(slot, 32))))

function readLeaf(accounts: Trie, address: Address): Leaf {
  const leaf = orUnknown(`account ${address}`, () => accounts.get(accountKey(address)))
  if (leaf === undefined) return NO_LEAF
  const [nonce, balance, storageRoot, codeHash] = decodeRlp(leaf) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array]
  const account = { nonce: bytesToQuantity(nonce), balance: bytesToQuantity(balance), codeHash: bytesToHex(codeHash) }
  return { account, storageRoot: bytesToHex(storageRoot) }
}

const encodeAccount = ({ nonce, balance, codeHash }: Account, storageRoot: Hex) =>
  encodeRlp([quantityBytes(nonce), quantityBytes(balance), hexToBytes(storageRoot), hexToBytes(codeHash)])

function orUnknown<T>(what: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof MissingNodeError) return unknown(what)
    throw error
  }
}

function unknown(what: string): never {
  throw new UnknownStateError(what)
}

/** The witness proves nothing about it, neither a value nor that there is none. */
export class UnknownStateError extends BaseError {
  override readonly name = 'UnknownStateError'
  /** An account, a slot of one, a code by its hash, or a block. */
  readonly what: string
  constructor(what: string) {
    super(`the witness does not hold ${what}`, { docs: 'docs/real-chain.md' })
    this.what = what
  }
}

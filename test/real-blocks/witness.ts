import { createMPT, type MerklePatriciaTrie } from '@ethereumjs/mpt'
import { RLP } from '@ethereumjs/rlp'
import { MapDB } from '@ethereumjs/util'
import { keccakHex } from '../../src/evm/keccak-words.js'
import { type Address, bytesToHex, EMPTY_CODE_HASH, type Hex, hexToBytes, toPaddedHex } from '../../src/hex.js'
import type { Account } from '../../src/state/state-reader.js'

/**
 * Nodes of tries and codes, by whose hashes the state below one root is proven, as far as they go.
 */
export interface WitnessParts {
  stateRoot: Hex
  nodes: readonly Hex[]
  codes: readonly Hex[]
  blockHashes: Readonly<Record<string, Hex>>
}

/**
 * State as a witness proves it. What is proven to be absent is empty or zero; what the witness says
 * nothing about rejects with {@link UnknownStateError}, because zero would be a guess.
 */
export interface Witness {
  account(address: Address): Promise<Account>
  code(address: Address): Promise<Uint8Array>
  storage(address: Address, slot: bigint): Promise<bigint>
  blockHash(number: bigint): Promise<Hex>
}

export async function createWitness({ stateRoot, nodes, codes, blockHashes }: WitnessParts): Promise<Witness> {
  const db = new MapDB<string, string>()
  for (const node of nodes) db._database.set(keccakHex(hexToBytes(node)).slice(2), node.slice(2))
  const codeOf = new Map(codes.map((code) => [keccakHex(hexToBytes(code)), hexToBytes(code)]))
  const openTrie = (root: Hex) => createMPT({ db, root: hexToBytes(root), useKeyHashing: true })
  const accounts = await openTrie(stateRoot)
  const storages = new Map<Hex, Promise<MerklePatriciaTrie>>()

  async function readAccount(address: Address): Promise<Account & { storageRoot: Hex }> {
    const leaf = await readLeaf(accounts, hexToBytes(address), `account ${address}`)
    if (leaf === null) return NOBODY
    const [nonce, balance, storageRoot, codeHash] = RLP.decode(leaf) as Uint8Array[]
    return {
      nonce: toBigInt(nonce),
      balance: toBigInt(balance),
      storageRoot: bytesToHex(storageRoot ?? new Uint8Array()),
      codeHash: bytesToHex(codeHash ?? new Uint8Array()),
    }
  }

  return {
    async account(address) {
      const { nonce, balance, codeHash } = await readAccount(address)
      return { nonce, balance, codeHash }
    },
    async code(address) {
      const { codeHash } = await readAccount(address)
      if (codeHash === EMPTY_CODE_HASH) return new Uint8Array()
      return codeOf.get(codeHash) ?? unknown(`code of ${address}`)
    },
    async storage(address, slot) {
      const { storageRoot } = await readAccount(address)
      if (storageRoot === EMPTY_TRIE_ROOT) return 0n
      const known = storages.get(storageRoot) ?? openTrie(storageRoot)
      storages.set(storageRoot, known)
      const key = toPaddedHex(slot, 32)
      const leaf = await readLeaf(await known, hexToBytes(key), `slot ${key} of ${address}`)
      return leaf === null ? 0n : toBigInt(RLP.decode(leaf) as Uint8Array)
    },
    async blockHash(number) {
      return blockHashes[String(number)] ?? blockHashes[`0x${number.toString(16)}`] ?? unknown(`block ${number}`)
    },
  }
}

const EMPTY_TRIE_ROOT: Hex = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
const NOBODY = { nonce: 0n, balance: 0n, storageRoot: EMPTY_TRIE_ROOT, codeHash: EMPTY_CODE_HASH }

const toBigInt = (bytes: Uint8Array | undefined) => BigInt(`0x0${Buffer.from(bytes ?? []).toString('hex')}`)

/** The value at a key; `null` where the nodes on its path prove that there is none. */
async function readLeaf(trie: MerklePatriciaTrie, key: Uint8Array, what: string): Promise<Uint8Array | null> {
  try {
    return await trie.get(key, true)
  } catch (error) {
    // The library has no class for this.
    if (error instanceof Error && error.message.startsWith('Missing node in DB')) return unknown(what)
    throw error
  }
}

function unknown(what: string): never {
  throw new UnknownStateError(what)
}

/** The witness proves nothing about it, neither a value nor that there is none. */
export class UnknownStateError extends Error {
  override readonly name = 'UnknownStateError'
  /** An account, a slot of one, its code or a block. */
  readonly what: string
  constructor(what: string) {
    super(`the witness does not hold ${what}`)
    this.what = what
  }
}

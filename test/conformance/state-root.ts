import { createMPT } from '@ethereumjs/mpt'
import { RLP } from '@ethereumjs/rlp'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { isEmpty } from '../../src/evm/account-entry.js'
import type { Log } from '../../src/evm/inspector.js'
import type { World } from '../../src/evm/world.js'
import { type Address, bytesToHex, type Hex, hexToBytes } from '../../src/hex.js'

/** An account as the test files write it. */
export interface Allocation {
  balance?: Hex
  nonce?: Hex | string
  code?: Hex
  storage?: Record<Hex, Hex>
}

const EMPTY_ROOT = hexToBytes('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421')

/** The state root after a run: what was there before, with everything the run has changed. */
export async function stateRoot(before: Record<Address, Allocation>, world: World): Promise<Hex> {
  const accounts = await createMPT({ useKeyHashing: true })
  const changed = new Set<Address>()
  for (const entry of world.entries()) {
    const old = before[entry.address]
    if (!entry.known && entry.slots.size === 0 && old === undefined) continue
    changed.add(entry.address)
    const account = entry.known ? entry : toAccount(old)
    // EIP-161: what is empty goes when it is touched; the transaction number 1 is the only one
    // here.
    if (isEmpty(account) && (old === undefined || entry.touchedIn === 1 || entry.destroyedIn === 1)) continue
    const storage = new Map<bigint, bigint>()
    if (!entry.freshStorage)
      for (const [key, value] of Object.entries(old?.storage ?? {})) storage.set(BigInt(key), BigInt(value))
    for (const [key, slot] of entry.slots) if (slot.known) storage.set(BigInt(key), BigInt(slot.value))
    const { balance, nonce, codeHash } = account
    await put(accounts, entry.address, balance, nonce, storage, hexToBytes(codeHash))
  }
  for (const [address, old] of Object.entries(before) as [Address, Allocation][]) {
    if (changed.has(address)) continue
    const storage = new Map(Object.entries(old.storage ?? {}).map(([key, value]) => [BigInt(key), BigInt(value)]))
    const { balance, nonce, codeHash } = toAccount(old)
    await put(accounts, address, balance, nonce, storage, hexToBytes(codeHash))
  }
  return bytesToHex(accounts.root())
}

export function logsHash(logs: readonly Log[]): Hex {
  const list = logs.map(({ address, topics, data }) => [hexToBytes(address), topics.map(hexToBytes), hexToBytes(data)])
  return bytesToHex(keccak_256(RLP.encode(list)))
}

function toAccount(old: Allocation | undefined) {
  return {
    balance: BigInt(old?.balance ?? 0),
    nonce: BigInt(old?.nonce ?? 0),
    codeHash: bytesToHex(keccak_256(hexToBytes(old?.code ?? '0x'))),
  }
}

type Trie = Awaited<ReturnType<typeof createMPT>>

async function put(
  accounts: Trie,
  address: Address,
  balance: bigint,
  nonce: bigint,
  storage: Map<bigint, bigint>,
  codeHash: Uint8Array,
): Promise<void> {
  await accounts.put(
    hexToBytes(address),
    RLP.encode([number(nonce), number(balance), await storageRoot(storage), codeHash]),
  )
}

async function storageRoot(storage: Map<bigint, bigint>): Promise<Uint8Array> {
  const filled = [...storage].filter(([, value]) => value !== 0n)
  if (filled.length === 0) return EMPTY_ROOT
  const trie = await createMPT({ useKeyHashing: true })
  for (const [key, value] of filled) {
    await trie.put(hexToBytes(`0x${key.toString(16).padStart(64, '0')}`), RLP.encode(number(value)))
  }
  return trie.root()
}

/** RLP writes numbers without leading zeros. */
function number(value: bigint): Uint8Array {
  if (value === 0n) return new Uint8Array(0)
  const digits = value.toString(16)
  return hexToBytes(`0x${digits.length % 2 === 0 ? digits : `0${digits}`}`)
}

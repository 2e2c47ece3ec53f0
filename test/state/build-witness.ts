import { createMPT } from '@ethereumjs/mpt'
import { MapDB } from '@ethereumjs/util'
import { type Address, bytesToHex, type Hex, hexToBytes, toPaddedHex } from '../../src/hex.js'
import { keccak256 } from '../../src/keccak.js'
import { encodeRlp, quantityBytes } from '../../src/rlp.js'
import type { MemoryAccount } from '../../src/state/memory-state-source.js'
import type { WitnessParts } from '../../src/state/witness.js'

/** The whole of a small world as a witness: each account and slot is held or proven absent. */
export async function buildWitness(accounts: Record<Address, MemoryAccount>): Promise<WitnessParts> {
  const db = new MapDB<string, string>()
  const state = await createMPT({ db, useKeyHashing: true })
  for (const [address, { balance = 0n, nonce = 0n, code = new Uint8Array(0), storage = {} }] of Object.entries(
    accounts,
  )) {
    const tree = await createMPT({ db, useKeyHashing: true })
    const slots = storage instanceof Map ? [...storage] : Object.entries(storage)
    for (const [slot, value] of slots)
      await tree.put(hexToBytes(toPaddedHex(BigInt(slot), 32)), encodeRlp(quantityBytes(value as bigint)))
    const fields = [quantityBytes(nonce), quantityBytes(balance), tree.root(), hexToBytes(keccak256(code))]
    await state.put(hexToBytes(address), encodeRlp(fields))
  }
  return {
    stateRoot: bytesToHex(state.root()),
    nodes: [...db._database.values()].map((node): Hex => `0x${node}`),
    codes: Object.values(accounts).flatMap(({ code }) => (code ? [bytesToHex(code)] : [])),
    blockHashes: new Map(),
  }
}

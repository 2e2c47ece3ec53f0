import { bytesToHex, type Hex, hexToBytes, toPaddedHex } from '../hex.js'
import { toWord, type Word } from '../instructions/word.js'
import type { AccountEntry } from './account-entry.js'
import type { BlockEnvironment } from './block-environment.js'
import { keccak256 } from './keccak-words.js'
import { type RuleSet, ruleSets } from './rules.js'
import type { World } from './world.js'

/** EIP-4788: the roots of the beacon chain, by the time of the block that tells its parent's. */
const BEACON_ROOTS = 0x000f3df6d732807ef1319fb7b8bb8522d0beac02n
const BEACON_RING = 8_191n
/** EIP-2935: the hashes of blocks, by their number. */
const BLOCK_HASHES = 0x0000f90827f1c53a10cb7a02335b175320002935n
const HASH_RING = 8_191n

/**
 * What a block that never existed is known by. `secret` must be unguessable for authors of
 * contracts: who can compute these values can tell the block from a real one.
 */
export function madeUpHash(secret: Hex, what: 'block' | 'beacon root', number: bigint): Hex {
  const text = new TextEncoder().encode(`${what} ${number}`)
  return bytesToHex(keccak256(new Uint8Array([...hexToBytes(secret), ...text])))
}

export interface SystemWrites {
  /** Called before code at `target` runs. */
  before(target: AccountEntry): void
}

/**
 * What the chain itself writes at the start of each block (EIP-4788, EIP-2935), for the block that
 * is played: written when the contract that keeps it is called, since few ask. `blockHash` is that
 * of the parent.
 */
export function createSystemWrites(
  world: World,
  ruleSet: RuleSet,
  secret: Hex,
  blockOf: () => BlockEnvironment,
  blockHash: (number: Word) => Word,
): SystemWrites {
  const since = (fork: RuleSet) => ruleSets.indexOf(ruleSet) >= ruleSets.indexOf(fork)
  const write = (target: AccountEntry, slot: bigint, value: bigint) =>
    world.writeSlot(world.readSlot(target, toWord(slot)), toWord(value))
  return {
    before(target) {
      if (target.word === BEACON_ROOTS && since('cancun')) {
        const { timestamp } = blockOf()
        write(target, timestamp % BEACON_RING, timestamp)
        write(target, (timestamp % BEACON_RING) + BEACON_RING, BigInt(madeUpHash(secret, 'beacon root', timestamp)))
      }
      if (target.word === BLOCK_HASHES && since('prague')) {
        const parent = blockOf().number - 1n
        write(target, parent % HASH_RING, BigInt(toPaddedHex(BigInt(blockHash(toWord(parent))), 32)))
      }
    },
  }
}

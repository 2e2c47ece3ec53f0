import { findArgumentTypes } from '../../bytecode/argument-types.js'
import { findCandidateSelectors } from '../../bytecode/candidate-selectors.js'
import { type ContractFacts, readFacts } from '../../bytecode/facts.js'
import { readForwarder } from '../../bytecode/forwarder.js'
import { type Delegation, PROXY_SLOTS, readDesignator, readProxy } from '../../bytecode/proxy.js'
import { callData, readAddress } from '../../dex/read-contract.js'
import { type Address, EMPTY_CODE_HASH, type Hex, ZERO_ADDRESS } from '../../hex.js'
import { keccak256 } from '../../keccak.js'
import { createCountedLru } from '../../scheduling/lru.js'
import type { Fork } from '../../simulation/scenario.js'
import { createPoolTest } from '../bytecode/read-subject.js'
import { createValueReader, type Subject } from '../bytecode/subject.js'

/** A code that runs in the storage of `account`: the token, or a contract that it asks. */
export interface TokenCode {
  account: Address
  facts: ContractFacts
  /** Types of each function's arguments, by selector. */
  types: ReadonlyMap<Hex, string>
  subject: Subject
  /** Words of storage that were looked at to tell what the code can do now, with their values. */
  asked: ReadonlyMap<bigint, bigint>
}

/** Proxy, logic, and the logic's own library. */
const MAX_CODES = 4
/** Words of one code that are kept; contracts with many roles have some dozen. */
const MAX_ASKED = 200
/**
 * Facts of the codes seen last in this thread: the rounds of one sweep need them again, and clones
 * share them.
 */
const MAX_CACHED = 24

interface ReadCode {
  facts: ContractFacts
  types: ReadonlyMap<Hex, string>
}

const cache = createCountedLru<string, ReadCode>(MAX_CACHED)

/**
 * Facts of the code at `address`; bounded by steps alone, so that each round of a sweep sees the
 * same.
 */
export function readCode(code: Uint8Array): ReadCode {
  return cache.getOrMake(keccak256(code), () => ({
    facts: readFacts(code, { candidates: findCandidateSelectors(code) }),
    types: findArgumentTypes(code),
  }))
}

/** The account's own code first, then all that it delegates to. */
export function readContracts(fork: Fork, account: Address): TokenCode[] {
  const found: TokenCode[] = []
  const open = [account]
  const seen = new Set<Address>([ZERO_ADDRESS])
  for (let address = open.shift(); address !== undefined && found.length < MAX_CODES; address = open.shift()) {
    if (seen.has(address)) continue
    seen.add(address)
    const bytes = fork.evm.code(address)
    const designator = readDesignator(bytes)
    if (designator !== undefined) open.push(designator)
    if (bytes.length === 0 || designator !== undefined) continue
    const { facts, types } = readCode(bytes)
    const asked = new Map<bigint, bigint>()
    const storage = (slot: bigint) => {
      const value = fork.evm.storage(account, slot)
      if (asked.size < MAX_ASKED && !asked.has(slot)) asked.set(slot, value)
      return value
    }
    const subject = createSubject(fork, address, facts, { account, storage })
    found.push({ account, facts, types, subject, asked })
    for (const { target } of subject.delegations) if (target !== undefined) open.push(target)
  }
  return found
}

interface Account {
  account: Address
  storage(slot: bigint): bigint
}

function createSubject(fork: Fork, address: Address, facts: ContractFacts, { account, storage }: Account): Subject {
  const { evm, chain } = fork
  return {
    chain,
    timestamp: evm.block.timestamp,
    number: evm.block.number,
    address,
    balance: evm.account(account).balance,
    facts,
    delegations: readProxy(facts, storage).map((delegation) => askBeacon(fork, delegation)),
    implementations: [],
    value: createValueReader(facts, storage),
    word: storage,
    hasCode: (of) => evm.account(of).codeHash !== EMPTY_CODE_HASH,
    isPool: createPoolTest(chain, account),
    forwarderAt: (of) => (evm.code(of).length > 0 ? readForwarder(readCode(evm.code(of)).facts) : undefined),
  }
}

/** `implementation()` */
const IMPLEMENTATION = '0x5c60da1b'

function askBeacon(fork: Fork, delegation: Delegation): Delegation {
  const { beacon, target } = delegation
  if (target !== undefined || beacon === undefined || beacon === ZERO_ADDRESS) return delegation
  const answer = readAddress(fork, beacon, callData(IMPLEMENTATION, []))
  return answer === undefined ? delegation : { ...delegation, target: answer }
}

/** The address in EIP-1967's (or ZeppelinOS') slot for a proxy's admin. */
export function readProxyAdmin({ evm }: Fork, token: Address): Address | undefined {
  for (const slot of [PROXY_SLOTS.admin, PROXY_SLOTS.zeppelinAdmin]) {
    const word = evm.storage(token, slot)
    if (word !== 0n && word < 1n << 160n) return `0x${word.toString(16).padStart(40, '0')}`
  }
  return undefined
}

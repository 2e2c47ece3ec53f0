import { evaluateTerm, slotsOf } from '../../bytecode/evaluate.js'
import type { ContractFacts } from '../../bytecode/facts.js'
import { readForwarder } from '../../bytecode/forwarder.js'
import { readHolder, readPrivilege } from '../../bytecode/privilege.js'
import { type Delegation, PROXY_SLOTS, readBeaconAnswer, readDesignator, readProxy } from '../../bytecode/proxy.js'
import { isCount, isForwardedSender, readTokenFacts } from '../../bytecode/token-facts.js'
import type { Chain } from '../../chains/chain.js'
import { poolsOf } from '../../dex/pools-of.js'
import { type Address, EMPTY_CODE_HASH, toPaddedHex, ZERO_ADDRESS } from '../../hex.js'
import type { StateMiss, StateReader } from '../../state/state-reader.js'
import { type Book, findBook } from './own-book.js'
import { createValueReader, type Subject } from './subject.js'

/**
 * State as the reading of code asks for it: what was not asked for is unknown, whatever the source
 * knows, so that a report does not depend on other analyses.
 */
export interface CodeState extends Pick<StateReader, 'account' | 'code' | 'storage'> {
  /** Its time in seconds since 1970, and what code is told of its height. */
  block: { timestamp: bigint; number?: bigint }
  /** Asks for values. Throws where they must be fetched first: the reading is then repeated. */
  load(misses: readonly StateMiss[]): void
}

export interface ReadSubjectOptions {
  state: CodeState
  chain: Chain
  /** Facts of a code, cached by the caller. */
  analyse(code: Uint8Array): ContractFacts
}

/** Proxy, beacon or diamond, logic, and the logic's own libraries. */
const MAX_DEPTH = 3
/**
 * Code that begins so can be no EVM program since EIP-3541: WASM (Stylus), programs inside the
 * node, future formats.
 */
const RESERVED_BYTE = 0xef
/** Foreign codes looked at per contract; a diamond has more facets than one report can hold. */
const MAX_TARGETS = 8
/** Storage words read per contract, in one batch: owners, switches, limits and fees. */
const MAX_SLOTS = 96
/** Rounds of reading slots that earlier slots point at. */
const MAX_SLOT_ROUNDS = 2

/** Where compilers put owners and other privileged addresses. */
export const FIRST_VARIABLES: readonly bigint[] = Array.from({ length: 16 }, (_, slot) => BigInt(slot))

/**
 * Slots asked for together with the account, so that most contracts need no second round trip: the
 * standards' own, and where compilers put the first variables.
 */
const FIRST_SLOTS: readonly bigint[] = [
  ...Object.values(PROXY_SLOTS),
  // ERC-7201 "openzeppelin.storage.Ownable"
  0x9016d09d72d40fdae2fd8ceac6b6234c7706214fd39c1cd1e609a0528c199300n,
  ...FIRST_VARIABLES,
]

/** State that reading the code of `address` begins with. */
export function subjectSeeds(address: Address): StateMiss[] {
  return [{ kind: 'account', address }, ...FIRST_SLOTS.map((slot): StateMiss => ({ kind: 'storage', address, slot }))]
}

export interface SubjectTree {
  /** The target first, then everything it delegates to. */
  subjects: readonly Subject[]
  /** Targets that could not be read or were beyond the depth: something stays unseen. */
  unread: readonly string[]
}

/**
 * Reads a contract and all code that runs in its place, all at the source's block and in the
 * target's storage.
 */
export function readSubject(address: Address, options: ReadSubjectOptions): SubjectTree | undefined {
  const { state } = options
  state.load(subjectSeeds(address))
  const unread: string[] = []
  const root = readCode(address, address, 0, new Set(), unread, options)
  if (root === undefined) return undefined
  const subjects: Subject[] = []
  const collect = (subject: Subject) => {
    subjects.push(subject)
    for (const implementation of subject.implementations) collect(implementation)
  }
  collect(root)
  return { subjects, unread }
}

/** `address` holds the code, `account` the storage. */
function readCode(
  address: Address,
  account: Address,
  depth: number,
  visited: Set<Address>,
  unread: string[],
  options: ReadSubjectOptions,
): Subject | undefined {
  const { state, analyse, chain } = options
  visited.add(address)
  const code = readStoredCode(state, address)
  if (code === undefined || code.length === 0) return undefined
  const designator = readDesignator(code)
  if (designator === undefined && code[0] === RESERVED_BYTE) unread.push('code that is not EVM code')
  // The designator is no program: everything that is asked of it is answered by the delegate.
  const facts = analyse(designator === undefined ? code : new Uint8Array())
  const storage = (slot: bigint) => state.storage(account, slot)
  loadSlots(facts, account, state)
  loadHolders(facts, storage, state)
  const delegations: Delegation[] =
    designator === undefined
      ? resolveBeacons(readProxy(facts, storage), options)
      : [
          {
            kind: 'designator',
            pc: 0,
            selector: undefined,
            slot: undefined,
            target: designator,
            beacon: undefined,
            where: undefined,
          },
        ]
  const targets = [...new Set(delegations.flatMap(({ target }) => (target && target !== ZERO_ADDRESS ? [target] : [])))]
  const next = targets.filter((target) => !visited.has(target))
  if (next.length > MAX_TARGETS || (depth >= MAX_DEPTH && next.length > 0)) unread.push('delegates beyond the bound')
  const implementations: Subject[] = []
  if (depth < MAX_DEPTH && next.length > 0) {
    state.load(next.slice(0, MAX_TARGETS).map((target) => ({ kind: 'account', address: target })))
    for (const target of next.slice(0, MAX_TARGETS)) {
      if (visited.has(target)) continue
      const found = readCode(target, account, depth + 1, visited, unread, options)
      if (found !== undefined) implementations.push(found)
    }
  }
  const book = depth === 0 ? readBook(facts, storage, options) : undefined
  return {
    chain,
    timestamp: state.block.timestamp,
    ...(state.block.number !== undefined && { number: state.block.number }),
    address,
    balance: state.account(account)?.balance ?? 0n,
    facts,
    delegations,
    implementations,
    ...(book && { book }),
    value: createValueReader(facts, storage),
    word: storage,
    hasCode: (of) => {
      const known = state.account(of)
      return known === undefined ? undefined : known.codeHash !== EMPTY_CODE_HASH
    },
    isPool: createPoolTest(chain, account),
    forwarderAt: (of) => {
      const code = readStoredCode(state, of)
      return code !== undefined && code.length > 0 ? readForwarder(analyse(code)) : undefined
    },
  }
}

/** Tells the pools of a token; they are worked out when one is asked for. */
export function createPoolTest(chain: Chain, token: Address): Subject['isPool'] {
  let pools: ReadonlySet<Address> | undefined
  return (address) => {
    pools ??= poolsOf(chain, token)
    return pools.has(address)
  }
}

export function readStoredCode(state: Pick<StateReader, 'account' | 'code'>, address: Address): Uint8Array | undefined {
  const account = state.account(address)
  return account === undefined ? undefined : state.code(account.codeHash)
}

/**
 * Fetches the words that conditions and guards look at, so that they can be judged by what they are
 * now.
 */
function loadSlots(facts: ContractFacts, account: Address, state: CodeState): void {
  const terms = facts.functions.flatMap((fn) => [
    ...fn.guards.map(({ holder }) => holder),
    ...fn.conditions.map(({ term }) => term),
    ...fn.effects.flatMap((effect) => (effect.kind === 'call' ? [effect.target] : [])),
  ])
  // What fees are is asked last, where room is left.
  for (const { amount } of readTokenFacts(facts).balanceChanges) if (amount) terms.push(amount)
  for (let round = 0; round < MAX_SLOT_ROUNDS; round += 1) {
    const missing = slotsOf(terms, MAX_SLOTS).filter((slot) => state.storage(account, slot) === undefined)
    if (missing.length === 0) return
    state.load(missing.map((slot) => ({ kind: 'storage', address: account, slot })))
  }
}

/**
 * Fetches who names the senders of calls (ERC-2771), for an account without code is no forwarder,
 * and whose own transfers are counted, for a pool is no person. Most tokens have neither, and ask
 * for nothing.
 */
function loadHolders(facts: ContractFacts, storage: (slot: bigint) => bigint | undefined, state: CodeState): void {
  const { balanceChanges, transfers } = readTokenFacts(facts)
  const forwarded = balanceChanges.filter(({ account }) => isForwardedSender(account))
  const counted = transfers.flatMap((fn) => fn.effects.flatMap((effect) => (isCount(effect) ? [{ fn, effect }] : [])))
  const guards = [...forwarded, ...counted].flatMap(({ fn, effect }) => fn.guardsOf(effect.node))
  const holders = guards.flatMap((guard) => readHolder(facts, readPrivilege(guard), storage) ?? [])
  const unknown = [...new Set(holders)].filter((holder) => state.account(holder) === undefined)
  if (unknown.length === 0) return
  state.load(unknown.slice(0, MAX_TARGETS).map((address) => ({ kind: 'account', address })))
}

/** Reads the contract that the balances of a token are in; most keep their own, and ask nothing. */
function readBook(
  facts: ContractFacts,
  storage: (slot: bigint) => bigint | undefined,
  { state, analyse }: ReadSubjectOptions,
): Book | undefined {
  const target = findBook(facts)
  const value = target && evaluateTerm(facts.store, target, storage)
  if (value === undefined || value === 0n || value >= 1n << 160n) return undefined
  const address: Address = toPaddedHex(value, 20)
  state.load([{ kind: 'account', address }])
  const code = readStoredCode(state, address)
  if (code === undefined || code.length === 0) return undefined
  const found = analyse(code)
  loadSlots(found, address, state)
  return { address, facts: found, value: createValueReader(found, (slot) => state.storage(address, slot)) }
}

/**
 * Asks beacons, by reading their code for what `implementation()` returns and their storage for its
 * value.
 */
function resolveBeacons(delegations: Delegation[], { state, analyse }: ReadSubjectOptions): Delegation[] {
  const beacons = [
    ...new Set(delegations.flatMap(({ beacon }) => (beacon && beacon !== ZERO_ADDRESS ? [beacon] : []))),
  ].slice(0, MAX_TARGETS)
  if (beacons.length === 0) return delegations
  state.load(beacons.map((address) => ({ kind: 'account', address })))
  const answers = new Map<Address, Address>()
  for (const beacon of beacons) {
    const code = readStoredCode(state, beacon)
    if (code === undefined || code.length === 0) continue
    const facts = analyse(code)
    const terms = readBeaconAnswer(facts)
    const missing = slotsOf(terms, MAX_SLOTS).filter((slot) => state.storage(beacon, slot) === undefined)
    if (missing.length > 0) state.load(missing.map((slot) => ({ kind: 'storage', address: beacon, slot })))
    for (const term of terms) {
      const value = evaluateTerm(facts.store, term, (slot) => state.storage(beacon, slot))
      if (value !== undefined && value !== 0n && value < 1n << 160n) answers.set(beacon, toPaddedHex(value, 20))
    }
  }
  return delegations.map((delegation) => {
    const target = delegation.beacon && answers.get(delegation.beacon)
    return target === undefined ? delegation : { ...delegation, target }
  })
}

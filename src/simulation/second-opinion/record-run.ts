import type { Chain } from '../../chains/chain.js'
import { type AccountEntry, isEmpty } from '../../evm/account-entry.js'
import type { Engine } from '../../evm/create-evm.js'
import type { Inspector } from '../../evm/inspector.js'
import type { World } from '../../evm/world.js'
import { type Address, bytesToHex, EMPTY_CODE_HASH, toPaddedHex, toQuantity } from '../../hex.js'
import { opcodeByName } from '../../instructions/opcodes.js'
import type { StateOverrides } from '../../rpc/methods.js'
import type { StateMiss, StateReader } from '../../state/state-reader.js'
import type { StateSnapshot } from '../../state/state-source.js'
import type { RecordedTransaction } from './recorded-run.js'

/** The trade itself comes first; what is left out are searches that repeat its steps. */
const MAX_TRANSACTIONS = 8
/** A trade touches some thirty accounts. With more, telling a node of them is a burden for it. */
const MAX_ACCOUNTS = 128
const MAX_SLOTS = 1_024

/** Notes what is read of the pinned block, but for what is known to be there without asking. */
export function recordReads(state: StateReader): { state: StateReader; reads: StateMiss[] } {
  const reads: StateMiss[] = []
  // The engine asks for each value once, so that nothing is noted twice.
  const noted = <Value>(value: Value | undefined, read: StateMiss): Value | undefined => {
    if (value !== undefined) reads.push(read)
    return value
  }
  return {
    reads,
    state: {
      ...state,
      account: (address) => noted(state.account(address), { kind: 'account', address }),
      storage: (address, slot) => noted(state.storage(address, slot), { kind: 'storage', address, slot }),
      blockHash: (number) => noted(state.blockHash(number), { kind: 'blockHash', number }),
    },
  }
}

/**
 * From now on the engine notes its first transactions, in the list that is given back. What
 * happens is the same. Left out is what a node cannot be told: creations, what follows from values
 * of blocks that the run makes up, and state that is gone.
 */
export function recordTransactions(
  { evm, world }: Engine,
  chain: Chain,
  snapshot: StateSnapshot,
): readonly RecordedTransaction[] {
  const transactions: RecordedTransaction[] = []
  const plain = evm.transact
  evm.transact = (tx, inspectors = []) => {
    const isRoom = transactions.length < MAX_TRANSACTIONS && tx.to !== undefined
    const changes = isRoom ? changesOf(world, snapshot) : undefined
    if (changes === undefined) return plain(tx, inspectors)
    const madeUp = watchMadeUpValues(chain)
    const environment = evm.block
    const result = plain(tx, [...inspectors, madeUp])
    if (!madeUp.finish()) transactions.push({ tx, environment, changes, result })
    return result
  }
  return transactions
}

/** EIP-4788, EIP-2935, and ArbSys: they answer with values of blocks. */
const TELL_OF_BLOCKS: readonly Address[] = [
  '0x000f3df6d732807ef1319fb7b8bb8522d0beac02',
  '0x0000f90827f1c53a10cb7a02335b175320002935',
  toPaddedHex(0x64n, 20),
]

/**
 * Whether code asked for a value of a block that never was. NUMBER is one where it is that of
 * another chain, which overrides do not speak of.
 */
function watchMadeUpValues({ numberSource }: Chain): Inspector<boolean> {
  let wasAsked = false
  return {
    opcodes: ['BLOCKHASH', ...(numberSource === 'l1' ? ['NUMBER'] : [])].map(opcodeByName),
    onStep() {
      wasAsked = true
    },
    onCall({ to }) {
      if (TELL_OF_BLOCKS.includes(to)) wasAsked = true
    },
    finish: () => wasAsked,
  }
}

/** What the run has made of the block's state so far; nothing where it cannot be told. */
function changesOf(world: World, snapshot: StateSnapshot): StateOverrides | undefined {
  const changes: StateOverrides = {}
  let [accounts, slots] = [0, 0]
  for (const entry of world.entries()) {
    const change = changeOf(entry, world, snapshot)
    if (change === 'untold') return undefined
    if (Object.keys(change).length === 0) continue
    changes[entry.address] = change
    accounts += 1
    slots += Object.keys(change.stateDiff ?? {}).length
    if (accounts > MAX_ACCOUNTS || slots > MAX_SLOTS) return undefined
  }
  return changes
}

const NOTHING = { balance: 0n, nonce: 0n, codeHash: EMPTY_CODE_HASH }

function changeOf(entry: AccountEntry, world: World, snapshot: StateSnapshot): StateOverrides[Address] | 'untold' {
  const before = snapshot.accounts.get(entry.address) ?? NOTHING
  // An override adds to what a contract stored before it was destroyed.
  if (entry.freshStorage && !isEmpty({ ...before, balance: 0n })) return 'untold'
  const stored = snapshot.storage.get(entry.address)
  const stateDiff: NonNullable<StateOverrides[Address]['stateDiff']> = {}
  for (const [word, { known, value }] of entry.slots) {
    const [key, now] = [BigInt(word), BigInt(value)]
    if (known && now !== (stored?.get(key) ?? 0n)) stateDiff[toPaddedHex(key, 32)] = toPaddedHex(now, 32)
  }
  const { known, balance, nonce, codeHash } = entry
  return {
    ...(known && balance !== before.balance && { balance: toQuantity(balance) }),
    ...(known && nonce !== before.nonce && { nonce: toQuantity(nonce) }),
    ...(known && codeHash !== before.codeHash && { code: bytesToHex(world.code(entry).bytes) }),
    ...(Object.keys(stateDiff).length > 0 && { stateDiff }),
  }
}

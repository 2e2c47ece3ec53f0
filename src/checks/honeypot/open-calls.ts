import type { TradeContext } from '../../dex/legs.js'
import { callData } from '../../dex/read-contract.js'
import { createStorageAccessInspector } from '../../evm/inspectors/storage-access.js'
import type { Slot } from '../../evm/inspectors/term.js'
import { type Address, bytesToHex, type Hex } from '../../hex.js'
import type { SeededRandom } from '../../simulation/random.js'
import { createStranger, createTrader, send, type Trader } from '../../simulation/trader.js'
import { onBranch } from '../on-branch.js'
import type { Moved } from './crowd.js'
import { findMotions, type Trade } from './motions.js'
import { pass } from './pass.js'

/** Functions of one contract, and contracts, that are called as a stranger. */
const MAX_FUNCTIONS = 48
const MAX_CONTRACTS = 3
/** Calls of the same function in a row that are followed. */
const MOST_CALLS = 64
/** Between two calls: longer than such functions make their callers wait. */
const DAY_MS = 24 * 3_600_000
const PUSH4 = 0x63
const GAS = 500_000n

/**
 * Words of a contract that any address moves by calling one of its functions, day after day,
 * without arguments, about some account, or with zeros. Each contract is looked at once.
 */
export function createOpenCalls(
  context: TradeContext,
  random: SeededRandom,
  slots: readonly Slot[],
): (contract: Address) => Moved[] {
  const known = new Map<Address, Moved[]>()
  return (contract) => {
    const before = known.get(contract)
    if (before) return before
    if (known.size >= MAX_CONTRACTS) return []
    const found = onBranch(context, () => findOpenCalls(context, random, contract, slots))
    known.set(contract, found)
    return found
  }
}

function findOpenCalls(
  context: TradeContext,
  random: SeededRandom,
  contract: Address,
  slots: readonly Slot[],
): Moved[] {
  const { evm } = context.fork
  const caller = createTrader(context.fork, random, 'caller', 0n)
  // About an account that is on no chain: what is stored of it is known, and no node is asked.
  const someone = BigInt(createStranger(context.fork, random, 'someone'))
  const own = slots.filter(({ address }) => address === contract)
  return readSelectors(evm.code(contract)).flatMap((selector) =>
    onBranch(context, () => {
      const calls = (first: bigint) => call(context, caller, contract, callData(selector, [first, 0n]))
      const tried = calls(someone)
      const [first, earlier] = tried.success ? [someone, tried] : [0n, calls(0n)]
      if (!own.some(({ slot }) => earlier.storage.writes.get(contract)?.has(slot))) return []
      const later = calls(first)
      return findMotions(earlier, later, own, { isOpen: () => true, isOwn: () => false }).map((motion) => ({
        ...motion,
        after: (calls: number) => (calls <= MOST_CALLS ? motion.after(calls) : undefined),
        by: 'open-call' as const,
      }))
    }),
  )
}

interface OpenCall extends Trade {
  success: boolean
}

function call({ fork }: TradeContext, caller: Trader, to: Address, data: Hex): OpenCall {
  pass(fork, DAY_MS)
  const storage = createStorageAccessInspector()
  const { timestamp, number } = fork.evm.block
  const thrifty = { ...caller, gasLimit: GAS, isThrifty: true as const }
  const { result } = send(fork, thrifty, { to, data }, () => [storage])
  return { storage: storage.finish(), stores: [], timestamp, number, success: result.status === 'success' }
}

/** Four bytes that are pushed, as dispatchers do; others do nothing. */
export function readSelectors(code: Uint8Array): Hex[] {
  const found = new Set<Hex>()
  for (let i = 0; i + 4 < code.length && found.size < MAX_FUNCTIONS; i += 1) {
    const opcode = code[i] ?? 0
    if (opcode === PUSH4) found.add(bytesToHex(code.subarray(i + 1, i + 5)))
    if (opcode >= 0x60 && opcode <= 0x7f) i += opcode - 0x5f
  }
  return [...found]
}

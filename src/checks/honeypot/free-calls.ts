import { type TradeContext, transfer } from '../../dex/legs.js'
import { balanceOf, callData } from '../../dex/read-contract.js'
import { createStorageAccessInspector, type StorageAccess } from '../../evm/inspectors/storage-access.js'
import type { Address, Hex } from '../../hex.js'
import type { SeededRandom } from '../../simulation/random.js'
import { createTrader, send } from '../../simulation/trader.js'
import { onBranch } from '../on-branch.js'
import { DIVERGENCE_BPS, lossOf } from './findings.js'
import type { ProbeFacts, SellFacts } from './honeypot-facts.js'
import { readSelectors } from './open-calls.js'
import { pass } from './pass.js'
import { playSell } from './play-window.js'

/** Contracts of which a wallet tries what it can call. */
const MAX_CONTRACTS = 3
const CALL_GAS = 500_000n

/**
 * The tokens are given to another wallet, which sells them. Where it cannot, it first calls what
 * any wallet can for itself, free of charge: a log book that it signs.
 */
export function sellGift(
  context: TradeContext,
  random: SeededRandom,
  { amount, usual }: { amount: bigint; usual: SellFacts },
): ProbeFacts | undefined {
  const { fork, market } = context
  const heir = createTrader(fork, random, 'heir', 0n)
  if (!transfer(context, heir.address, amount).success) return undefined
  pass(fork, 0)
  const received = balanceOf(fork, market.pool.token, heir.address) ?? 0n
  if (received === 0n) return undefined
  const own = { ...context, trader: heir }
  const sold = onBranch(own, () => playSell(own, received))
  const gift = { name: 'gift', sold } as const
  return sold.success ? gift : (sellAfterCall(own, received, { sold, usual, seller: HEIR }) ?? gift)
}

const HEIR = 'A wallet that was given tokens by another one'

/**
 * A sale that was refused, told as one that the seller can open by a call of its own. `undefined`
 * where it cannot.
 */
export function sellAfterCall(
  context: TradeContext,
  held: bigint,
  { sold, usual, seller }: { sold: SellFacts; usual: SellFacts; seller: string },
): ProbeFacts | undefined {
  const call = findFreeCall(context, held, lossOf(usual) + DIVERGENCE_BPS)
  if (call === undefined) return undefined
  const meaning = `${seller} has to call a free function before it can sell (${call.selector} of ${call.to})`
  return { name: 'after-own-call', sold, meaning }
}

interface FreeCall {
  to: Address
  selector: Hex
}

/** A call of the seller's own that writes what the refused sale read, and after which it sells. */
function findFreeCall(seller: TradeContext, held: bigint, mostLoss: number): FreeCall | undefined {
  const { fork, trader } = seller
  const refused = createStorageAccessInspector()
  onBranch(seller, () => playSell({ ...seller, watch: () => [refused] }, held))
  const { reads } = refused.finish()
  for (const to of contractsIn(seller, reads))
    for (const selector of readSelectors(fork.evm.code(to))) {
      const isEnough = onBranch(seller, () => {
        const storage = createStorageAccessInspector()
        const data = callData(selector, [BigInt(trader.address), 0n])
        const thrifty = { ...trader, gasLimit: CALL_GAS, isThrifty: true as const }
        const { result } = send(fork, thrifty, { to, data }, () => [storage])
        const words = storage.finish().writes.get(to)
        const isRead = [...(words?.keys() ?? [])].some((slot) => reads.get(to)?.has(slot) === true)
        if (result.status !== 'success' || !isRead) return false
        pass(fork, 0)
        const sold = playSell(seller, held)
        return sold.success && lossOf(sold) < mostLoss
      })
      if (isEnough) return { to, selector }
    }
  return undefined
}

/** The token, and what it asks. */
function contractsIn({ fork, market }: TradeContext, reads: StorageAccess['reads']): Address[] {
  const { address: pool, token } = market.pool
  const others = [...reads.keys()].filter(
    (each) => each !== pool && each !== token && each !== fork.chain.wrappedNative,
  )
  return [token, ...others.filter((each) => fork.evm.code(each).length > 0)].slice(0, MAX_CONTRACTS)
}

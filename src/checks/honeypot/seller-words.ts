import { maxUint256 } from 'viem'
import { encodeCall } from '../../dex/encode-call.js'
import type { TradeContext } from '../../dex/legs.js'
import { balanceOf, erc20Abi, readWord } from '../../dex/read-contract.js'
import type { MappingEntry, Slot, Term } from '../../evm/inspectors/term.js'
import { ADDRESS_MASK, type Address, toPaddedHex } from '../../hex.js'
import { solveLeaf } from '../../simulation/solve-leaf.js'
import { send } from '../../simulation/trader.js'
import { keyOf } from '../conditions/conditions.js'
import { onBranch } from '../on-branch.js'
import type { Circumstance, Sale } from './circumstance.js'

/**
 * A word that the seller himself moves by what wallets do every day. `approval`: what he allowed
 * another spender than the exchange, of this token or of another. `means`: what he owns of another
 * token.
 */
export type SellerWord = { kind: 'approval'; spender: Address } | { kind: 'means' }

/** `undefined` for all words that are neither, the token's own notes of the seller included. */
export function readSellerWord(context: TradeContext, leaf: Slot): SellerWord | undefined {
  const { fork, trader, market } = context
  const keys = keysOf(leaf.entry)
  if (!keys.includes(BigInt(trader.address))) return undefined
  const isTold = (read: () => bigint | undefined) => read() === leaf.value && tellsMore(context, leaf, read)
  for (const key of keys) {
    if (key === BigInt(trader.address) || key > ADDRESS_MASK) continue
    const spender = toPaddedHex(key, 20)
    if (leaf.address === market.pool.token && spender === market.venue.spender) continue
    const args = [trader.address, spender] as const
    if (isTold(() => readWord(fork, leaf.address, erc20Abi, 'allowance', args))) return { kind: 'approval', spender }
  }
  const isOther = leaf.address !== market.pool.token
  return isOther && isTold(() => balanceOf(fork, leaf.address, trader.address)) ? { kind: 'means' } : undefined
}

/** Mappings of mappings of mappings. */
const MAX_KEYS = 3

function keysOf(entry: MappingEntry | undefined): bigint[] {
  const found: bigint[] = []
  for (let at = entry; at !== undefined && found.length < MAX_KEYS; at = at.within) found.push(at.key)
  return found
}

/** Whether the answer grows by one where the word does. */
function tellsMore({ fork }: TradeContext, { address, slot, value }: Slot, read: () => bigint | undefined): boolean {
  return onBranch({ fork }, () => {
    fork.evm.setStorage(address, slot, value + 1n)
    return read() === value + 1n
  })
}

/** A value of the word that turns the formula, and what the seller does for it. */
export interface SellerDeed {
  value: bigint
  circumstance: Circumstance
}

/** Empty where the word is none that the seller moves, or no such value turns the formula. */
export function deedsForWord(context: TradeContext, leaf: Slot, formula: Term): SellerDeed[] {
  const word = readSellerWord(context, leaf)
  if (word === undefined) return []
  const solved = solveLeaf(formula, (each) => keyOf(each) === keyOf(leaf), leaf.value)
  if (word.kind === 'means')
    return solved.filter((value) => value > leaf.value).map((value) => ({ value, circumstance: owns(leaf, value) }))
  return solved.map((value) => ({ value, circumstance: allows(leaf.address, word.spender, value) }))
}

const owns = ({ address, slot }: Slot, value: bigint): Circumstance => ({
  name: 'other-means',
  key: `${address} ${slot} ${value}`,
  enter(sale: Sale) {
    sale.context.fork.evm.setStorage(address, slot, value)
    return sale
  },
})

const allows = (token: Address, spender: Address, amount: bigint): Circumstance => ({
  name: 'other-approval',
  key: `${token} allows ${spender} ${amount}`,
  enter: (sale) => (allow(sale.context, token, spender, amount) ? sale : undefined),
})

function allow({ fork, trader }: TradeContext, token: Address, spender: Address, amount: bigint): boolean {
  const data = encodeCall({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })
  return send(fork, trader, { to: token, data }).result.status === 'success'
}

/** Uniswap's Permit2, which most wallets let spend some token: the same on all chains. */
const PERMIT2: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3'
/** Exchanges besides that one wallet uses. */
const MAX_SPENDERS = 4

/** Lets others spend the token as well, as wallets do that looked for the best price. */
export function allowOthers(context: TradeContext): void {
  const { fork, market } = context
  const routers = fork.chain.v2.map(({ router }) => router)
  const others = [PERMIT2, ...routers].filter((each) => each !== market.venue.spender)
  for (const spender of others.slice(0, MAX_SPENDERS)) allow(context, market.pool.token, spender, maxUint256)
}

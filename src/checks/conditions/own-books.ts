import type { TradeContext } from '../../dex/legs.js'
import { balanceOf } from '../../dex/read-contract.js'
import type { Slot } from '../../evm/inspectors/term.js'
import type { Address } from '../../hex.js'
import { readBalanceWords, type Words } from './balance-words.js'
import { isCodeOfToken } from './code-of-token.js'

/**
 * Words of the token's side that are neither the exchange's nor what the token notes of the
 * exchange or of the seller.
 */
export function isOwnBook(context: TradeContext): (leaf: Slot) => boolean {
  const isOurs = isCodeOfToken(context)
  const { market, trader } = context
  const { pool, via, venue } = market
  const parties = [pool.address, via?.address, venue.spender, venue.router, trader.address]
  const keys = new Set(parties.flatMap((each) => (each === undefined ? [] : [BigInt(each)])))
  const balances = [pool.address, trader.address].map((each) => balanceWordsOf(context, each))
  const isBalance = ({ address, slot }: Slot) => balances.some((words) => words.get(address)?.has(slot))
  return (leaf) => isOurs(leaf.address) && !(leaf.entry && keys.has(leaf.entry.key)) && !isBalance(leaf)
}

/**
 * Words that are the account's balance, wherever the token keeps it: read for it, and of its value.
 * A word that is read along with it and is another value may be anything.
 */
function balanceWordsOf(context: TradeContext, account: Address): Words {
  const balance = balanceOf(context.fork, context.market.pool.token, account)
  if (!balance) return new Map()
  return new Map(
    [...readBalanceWords(context, account)].map(([address, words]) => [
      address,
      new Map([...words].filter(([, value]) => value === balance)),
    ]),
  )
}

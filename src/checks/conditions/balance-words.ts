import { encodeCall } from '../../dex/encode-call.js'
import type { TradeContext } from '../../dex/legs.js'
import { erc20Abi } from '../../dex/read-contract.js'
import type { Inspector } from '../../evm/inspector.js'
import { createStorageAccessInspector } from '../../evm/inspectors/storage-access.js'
import type { Address } from '../../hex.js'
import type { Fork } from '../../simulation/scenario.js'

/** Words that a token answers from, with their values: by the contract that holds them. */
export type Words = ReadonlyMap<Address, ReadonlyMap<bigint, bigint>>

/** What the account's balance is told from and, of the trader, what he allowed the exchange. */
export function readLedger(context: TradeContext, account: Address): Words {
  const storage = createStorageAccessInspector()
  readBalance(context.fork, context.market.pool.token, account, [storage])
  if (account === context.trader.address) readAllowance(context, storage)
  return storage.finish().reads
}

export function readBalanceWords(context: TradeContext, account: Address): Words {
  return readBalanceWordsOf(context.fork, context.market.pool.token, account)
}

/** The same of any token, with more inspectors. */
export function readBalanceWordsOf(
  fork: Fork,
  token: Address,
  account: Address,
  watch: readonly Inspector[] = [],
): Words {
  const storage = createStorageAccessInspector()
  readBalance(fork, token, account, [storage, ...watch])
  return storage.finish().reads
}

/** What the trader allowed the exchange is told from. */
export function readAllowanceWords(context: TradeContext): Words {
  const storage = createStorageAccessInspector()
  readAllowance(context, storage)
  return storage.finish().reads
}

function readBalance(fork: Fork, token: Address, account: Address, watch: readonly Inspector[]): void {
  const data = encodeCall({ abi: erc20Abi, functionName: 'balanceOf', args: [account] })
  fork.evm.read({ to: token, data }, watch)
}

function readAllowance({ fork, trader, market: { pool, venue } }: TradeContext, storage: Inspector): void {
  if (!venue.spender) return
  const data = encodeCall({ abi: erc20Abi, functionName: 'allowance', args: [trader.address, venue.spender] })
  fork.evm.read({ to: pool.token, data }, [storage])
}

export const holds = (words: Words, address: Address, slot: bigint): boolean => words.get(address)?.has(slot) === true

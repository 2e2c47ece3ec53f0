import { encodeCall } from '../../dex/encode-call.js'
import type { TradeContext } from '../../dex/legs.js'
import { erc20Abi } from '../../dex/read-contract.js'
import { createStorageAccessInspector } from '../../evm/inspectors/storage-access.js'
import type { Address } from '../../hex.js'

/** Words that a token answers from, with their values: by the contract that holds them. */
export type Words = ReadonlyMap<Address, ReadonlyMap<bigint, bigint>>

/** What the account's balance is told from and, of the trader, what he allowed the exchange. */
export function readLedger({ fork, trader, market: { pool, venue } }: TradeContext, account: Address): Words {
  const storage = createStorageAccessInspector()
  const data = encodeCall({ abi: erc20Abi, functionName: 'balanceOf', args: [account] })
  fork.evm.read({ to: pool.token, data }, [storage])
  if (account === trader.address && venue.spender) {
    const allowance = encodeCall({ abi: erc20Abi, functionName: 'allowance', args: [account, venue.spender] })
    fork.evm.read({ to: pool.token, data: allowance }, [storage])
  }
  return storage.finish().reads
}

export const holds = (words: Words, address: Address, slot: bigint): boolean => words.get(address)?.has(slot) === true

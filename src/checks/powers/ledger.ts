import { balanceOf, erc20Abi, readWord, readWords } from '../../dex/read-contract.js'
import { createStorageAccessInspector } from '../../evm/inspectors/storage-access.js'
import type { Address, Hex } from '../../hex.js'
import { MARK, MARK_ANSWER } from './hostile-code.js'
import type { Stage } from './stage.js'

/** The token's books, as far as buyers care. What the token refuses to tell is `undefined`. */
export interface Ledger {
  buyer: bigint | undefined
  bystander: bigint | undefined
  pool: bigint | undefined
  /** The account that acts; absent where none does yet. */
  holder: bigint | undefined
  fresh: bigint | undefined
  router: bigint | undefined
  hostile: bigint | undefined
  token: bigint | undefined
  supply: bigint | undefined
  /** What the holder, and the account not met before, may take of the buyer and of the pool. */
  allowances: readonly (bigint | undefined)[]
}

type Staged = Pick<Stage, 'fork' | 'token' | 'buyer' | 'bystander' | 'market' | 'fresh' | 'hostile'>

/** Reads the books on the fork as it is. */
export function readLedger(stage: Staged, holder: Address | undefined): Ledger {
  const { fork, token, buyer, bystander, market, fresh, hostile } = stage
  const of = (address: Address | undefined) => (address === undefined ? undefined : balanceOf(fork, token, address))
  const allowed = (from: Address, to: Address) => readWord(fork, token, erc20Abi, 'allowance', [from, to])
  const takers = holder === undefined ? [fresh] : [holder, fresh]
  return {
    buyer: of(buyer.context.trader.address),
    bystander: of(bystander.context.trader.address),
    pool: of(market.pool.address),
    holder: of(holder),
    fresh: of(fresh),
    router: of(market.venue.spender),
    hostile: of(hostile),
    token: of(token),
    supply: readWord(fork, token, erc20Abi, 'totalSupply', []),
    allowances: takers.flatMap((taker) => [
      allowed(buyer.context.trader.address, taker),
      allowed(market.pool.address, taker),
    ]),
  }
}

/** Words that the token answers from, with their values. */
export function wordsOf({ evm }: Stage['fork'], token: Address, data: Hex): [slot: bigint, value: bigint][] {
  const access = createStorageAccessInspector()
  evm.read({ to: token, data }, [access])
  return [...(access.finish().reads.get(token) ?? [])]
}

/** Whether the token runs code that we put in its place. */
export function runsHostileCode({ fork, token }: Pick<Stage, 'fork' | 'token'>): boolean {
  return readWords(fork, token, MARK)?.[0] === MARK_ANSWER
}

import { RENT, type SolanaChain } from '../../src/devnet/solana/cluster.js'
import { addressFor, placeToken, type TokenOrder, wallet } from '../../src/devnet/solana/scene.js'
import { mintAccount, tokenAccount } from '../../src/devnet/solana/token-data.js'
import { viewOf } from '../../src/solana/account.js'
import { addressBytes, type SolanaAddress } from '../../src/solana/address.js'
import { packed } from '../../src/solana/instruction.js'
import { associatedTokenAddress } from '../../src/solana/pda.js'
import { PUMP_CURVE } from '../../src/solana/pools/layouts.js'
import { CREATION_ACCOUNTS } from '../../src/solana/pools/new-pools.js'
import type { VenueId } from '../../src/solana/pools/pool.js'
import { layoutOf } from '../../src/solana/pools/sample-pool.conformance.js'
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL } from '../../src/solana/programs.js'

/** A token that was put on sale, and the transaction that did it. */
export interface Launch {
  mint: SolanaAddress
  pool: SolanaAddress
  signature: string
}

export interface LaunchOrder {
  /** Where its holders and powers are to be as the scene has them. */
  token?: TokenOrder
  payer?: SolanaAddress
  /** Raydium's CPMM without. */
  venue?: VenueId
  /** The program that the pool belongs to: the exchange's own without. */
  program?: SolanaAddress
  /** Holds coins before it is a pool. */
  isFunded?: boolean
  /** Base units in the pool of each side. */
  amounts?: { token: bigint; quote: bigint }
}

export const creationAccountOf = (exchange: string): SolanaAddress =>
  CREATION_ACCOUNTS.find(({ name }) => name === exchange)?.address ?? SYSTEM_PROGRAM

const TOKENS = 600_000_000_000_000n
const COINS = 500_000_000_000n
/** What pools have whose shortest length is not theirs. */
const BYTES: Partial<Record<VenueId, number>> = { 'raydium-cpmm': 637, 'raydium-clmm': 1_544 }

/** A pool as its exchange leaves it behind, in a transaction of the shape of its own. */
export function launchInPool(chain: SolanaChain, name: string, order: LaunchOrder = {}): Launch {
  const { venue = 'raydium-cpmm', amounts = { token: TOKENS, quote: COINS } } = order
  const layout = layoutOf(venue)
  const { payer = addressFor(`maker of ${name}`), program: poolOwner = layout.program } = order
  const distribution = { pool: 0, wallets: 20, walletCount: 19, burnt: 20 }
  const { mint } = placeToken(chain, name, { distribution, ...order.token })
  const at = (words: string) => addressFor(`${words} of ${name}`, 'program')
  const [pool, lp, vault, quoteVault] = [at('pool'), at('lp'), at('vault'), at('quote vault')]
  const owner = layout.vaultOwner === 'pool' ? pool : layout.vaultOwner
  const [account, wrapped] = [mint, WRAPPED_SOL].map((each) => chain.get(each) ?? mintAccount({ supply: 0n }))
  if (account === undefined || wrapped === undefined) throw new Error('the scene has no native coin')
  chain.set(payer, wallet())
  chain.set(vault, tokenAccount({ mint, mintAccount: account, owner, amount: amounts.token }))
  const native = { mint: WRAPPED_SOL, mintAccount: wrapped, owner, amount: amounts.quote, nativeReserve: RENT }
  chain.set(quoteVault, tokenAccount(native))
  const data = new Uint8Array(BYTES[venue] ?? layout.minBytes)
  for (const side of [0, 1] as const) {
    data.set(addressBytes(side === 0 ? mint : WRAPPED_SOL), layout.mints[side])
    data.set(addressBytes(side === 0 ? vault : quoteVault), layout.vaults[side])
  }
  if (venue === 'raydium-cpmm') {
    // All shares were burnt.
    chain.set(lp, mintAccount({ supply: 0n, decimals: 9, mintAuthority: owner }))
    data.set(addressBytes(lp), 136)
    viewOf(data).setBigUint64(333, 1_000_000_000n, true)
  }
  chain.set(pool, { lamports: RENT, owner: poolOwner, executable: false, data })
  const made = [...(order.isFunded ? [] : [pool]), lp, vault, quoteVault]
  const named = [payer, pool, lp, vault, quoteVault, mint, WRAPPED_SOL, TOKEN_PROGRAM, poolOwner]
  const leading = CREATION_ACCOUNTS.find((each) => each.name === layout.name)
  return { mint, pool, signature: chain.record([...named, ...(leading ? [leading.address] : [])], false, made) }
}

/** A curve as pump.fun leaves it behind when a token is made. */
export function launchOnPump(chain: SolanaChain, name: string, payer = addressFor(`maker of ${name}`)): Launch {
  const { mint } = placeToken(chain, name, { distribution: { pool: 0, wallets: 20, walletCount: 19, burnt: 20 } })
  const pool = PUMP_CURVE.addressOf(mint) ?? SYSTEM_PROGRAM
  const vault = associatedTokenAddress(pool, mint, TOKEN_PROGRAM)
  const account = chain.get(mint) ?? mintAccount({ supply: 0n })
  chain.set(payer, wallet())
  chain.set(vault, tokenAccount({ mint, mintAccount: account, owner: pool, amount: TOKENS }))
  const reserves = [TOKENS, 40_000_000_000n, TOKENS, 10_000_000_000n, 10n ** 15n].map((each) => [64, each] as const)
  const data = packed(new Uint8Array(8), ...reserves, [8, 0], addressBytes(payer))
  chain.set(pool, { lamports: RENT + 10_000_000_000n, owner: PUMP_CURVE.program, executable: false, data })
  const made = [mint, pool, vault]
  const named = [payer, ...made, creationAccountOf('pump.fun'), TOKEN_PROGRAM, PUMP_CURVE.program]
  return { mint, pool, signature: chain.record(named, false, made) }
}

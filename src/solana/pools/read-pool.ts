import type { SolanaAccount } from '../account.js'
import { addressAt, type SolanaAddress } from '../address.js'
import { associatedTokenAddress } from '../pda.js'
import { WRAPPED_SOL } from '../programs.js'
import { LAYOUT_OF_PROGRAM, PUMP_CURVE } from './layouts.js'
import type { Pool } from './pool.js'

/**
 * Reads a pool of a known exchange; `undefined` when the account is none. Any address may make an
 * account that looks like one: see {@link holdsReserves}.
 */
export function readPool(
  address: SolanaAddress,
  account: SolanaAccount | undefined,
  unixTime: bigint,
): Pool | undefined {
  const layout = account && LAYOUT_OF_PROGRAM.get(account.owner)
  if (account === undefined || layout === undefined) return undefined
  const { data } = account
  const isLong = data.length >= layout.minBytes && (layout.exactBytes ?? data.length) === data.length
  if (!isLong || account.executable) return undefined
  return {
    venue: layout.id,
    address,
    program: layout.program,
    mints: [addressAt(data, layout.mints[0]), addressAt(data, layout.mints[1])],
    vaults: [addressAt(data, layout.vaults[0]), addressAt(data, layout.vaults[1])],
    vaultOwner: layout.vaultOwner === 'pool' ? address : layout.vaultOwner,
    status: layout.status(data, unixTime),
    liquidity: layout.liquidity(data),
  }
}

/** What the launch curve at this account is priced in; `undefined` when it is none. */
export function readCurveQuote(account: SolanaAccount | undefined): SolanaAddress | undefined {
  const isCurve = account?.owner === PUMP_CURVE.program && account.data.length >= PUMP_CURVE.minBytes
  return isCurve ? PUMP_CURVE.quoteOf(account.data) : undefined
}

/** A mint and the program that its tokens belong to. */
export interface TokenOf {
  mint: SolanaAddress
  tokenProgram: SolanaAddress
}

/** Reads the launch curve of a mint, whose account stands at `address`. */
export function readCurve(
  address: SolanaAddress,
  account: SolanaAccount | undefined,
  { mint, tokenProgram }: TokenOf,
  quote: TokenOf,
): Pool | undefined {
  if (account === undefined || readCurveQuote(account) !== quote.mint) return undefined
  return {
    venue: PUMP_CURVE.id,
    address,
    program: PUMP_CURVE.program,
    mints: [mint, quote.mint],
    vaults: [
      associatedTokenAddress(address, mint, tokenProgram),
      // Coins lie on the curve's own account.
      quote.mint === WRAPPED_SOL ? address : associatedTokenAddress(address, quote.mint, quote.tokenProgram),
    ],
    vaultOwner: address,
    status: PUMP_CURVE.isComplete(account.data) ? 'complete' : 'open',
    liquidity: { kind: 'curve' },
  }
}

/** The pool's side that holds `mint`: 0 or 1; `undefined` when it does not trade it. */
export function sideOf(pool: Pool, mint: SolanaAddress): 0 | 1 | undefined {
  const side = pool.mints.indexOf(mint)
  return side === 0 || side === 1 ? side : undefined
}

/**
 * Whether the token account at `vault` is the pool's vault of `mint`: what makes an account that
 * looks like a pool one.
 */
export function holdsReserves(pool: Pool, mint: SolanaAddress, vault: SolanaAddress): boolean {
  const side = sideOf(pool, mint)
  return side !== undefined && pool.vaults[side] === vault
}

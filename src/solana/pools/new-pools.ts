import { type SolanaAccount, viewOf } from '../account.js'
import { address, type SolanaAddress } from '../address.js'
import { findProgramAddress } from '../pda.js'
import { TOKEN_PROGRAMS } from '../programs.js'
import type { MadeAccounts, MayMatter } from '../rpc/transaction-methods.js'
import { parseTokenAccount } from '../token/token-account.js'
import { DAMM_V2_PROGRAM, isPoolProgram, LAYOUT_OF_VAULT_OWNER, PUMP_CURVE } from './layouts.js'
import type { Pool } from './pool.js'
import { readCurve, readCurveQuote, readPool } from './read-pool.js'

/** An account that transactions name which make a pool, and swaps do not. */
export interface CreationAccount {
  /** Of which exchange. */
  name: string
  address: SolanaAddress
}

const bytes = (words: string) => new TextEncoder().encode(words)
const MINT_AUTHORITY_SEED = bytes('mint-authority')
/**
 * One for each fee that a curve may choose for the pool after it, and one for fees of its own
 * (`DAMM_V2_MIGRATION_FEE_ADDRESS` of `@meteora-ag/dynamic-bonding-curve-sdk`). Swaps do not name
 * them (`SwapCtx` of damm-v2).
 */
const CURVE_CONFIGS = 7
const FIRST_CURVE_CONFIG = 20_000

/**
 * What leads to new pools: the signer of each mint that pump.fun makes (an address of its program),
 * the wallet that opens a PumpSwap pool when a curve has sold out, where Raydium's two programs are
 * paid for a pool, what Orca's pools are configured by, and the configurations with which Meteora's
 * curves open a pool of DAMM v2 when they have sold out. Sources: pump's, Raydium's and Meteora's
 * published programs, Orca's and Meteora's published clients.
 */
export const CREATION_ACCOUNTS: readonly CreationAccount[] = [
  { name: 'pump.fun', address: pumpMintAuthority() },
  { name: 'PumpSwap', address: address('39azUYFWPz3VHgKCf3VChUwbpURdCHRxjWVowf5jUJjg') },
  { name: 'Raydium AMM v4', address: address('7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5') },
  { name: 'Raydium CPMM', address: address('DNXgeM9EiiaAbaWvwjHj9fQQLAX5ZsfHyvmYUNRAdNC8') },
  { name: 'Orca Whirlpool', address: address('2LecshUwdy9xi7meFgHtFJQNSKk4KdTrcpvaB56dP2NQ') },
  ...Array.from({ length: CURVE_CONFIGS }, (_, i) => ({ name: 'Meteora DAMM v2', address: dammV2Config(i) })),
]

function pumpMintAuthority(): SolanaAddress {
  const found = findProgramAddress(PUMP_CURVE.program, [MINT_AUTHORITY_SEED])
  if (found === undefined) throw new RangeError('no address for the mint authority of pump.fun')
  return found
}

/** `["config", index]` of the program, the index as 8 bytes. */
function dammV2Config(index: number): SolanaAddress {
  const number = new Uint8Array(8)
  viewOf(number).setBigUint64(0, BigInt(FIRST_CURVE_CONFIG + index), true)
  const found = findProgramAddress(DAMM_V2_PROGRAM, [bytes('config'), number])
  if (found === undefined) throw new RangeError('no address for a configuration of DAMM v2')
  return found
}

/** Reads an account by its address; `undefined` where there is none. */
type Read = (address: SolanaAddress) => SolanaAccount | undefined

/** Accounts of one transaction that are looked at: a pool, its mints, what else belongs to it. */
const MAX_CANDIDATES = 40

/**
 * What of a transaction may be a pool: nothing where it names no exchange. A pool to whose address
 * coins were sent beforehand is not made by it: it owns a vault that is, or is named beside a vault
 * of its exchange's.
 */
export function candidatesOf({ named, made, opened }: MadeAccounts): readonly SolanaAddress[] {
  if (!named.some(isPoolProgram)) return []
  const beside = opened.filter(({ owner }) => named.includes(owner)).flatMap(({ owner, mint }) => [owner, mint])
  const isShared = opened.some(({ owner }) => LAYOUT_OF_VAULT_OWNER.has(owner))
  return [...new Set([...made, ...beside, ...(isShared ? named : [])])].slice(0, MAX_CANDIDATES)
}

/**
 * Whether this transaction made the pool: any address may open a further account for an old one.
 */
export const isNew = ({ address, vaults }: Pool, { made, opened }: MadeAccounts): boolean =>
  made.includes(address) || opened.some(({ address }) => vaults.includes(address))

/**
 * Whether a transaction may have made a pool, by what costs little to look at: an exchange is
 * named, and it opened a token account for an exchange, or for what did not sign.
 */
export const mayMakePool: MayMatter = ({ named, signers, owners }) =>
  named.some((each) => isPoolProgram(each as SolanaAddress)) &&
  owners.some(
    (owner) => LAYOUT_OF_VAULT_OWNER.has(owner as SolanaAddress) || (named.includes(owner) && !signers.includes(owner)),
  )

/**
 * The pools among what a transaction made. The accounts themselves say so: whatever a transaction
 * names or logs, only an exchange's program can make an account of its own.
 */
export function poolsAmong(made: readonly SolanaAddress[], read: Read, unixTime: bigint): Pool[] {
  return made.flatMap((at) => {
    const account = read(at)
    if (account?.owner === PUMP_CURVE.program) return curveAt(at, made, read)
    const pool = readPool(at, account, unixTime)
    return pool === undefined ? [] : [pool]
  })
}

/** The curve of one of the mints that were made with it. */
function curveAt(at: SolanaAddress, made: readonly SolanaAddress[], read: Read): Pool[] {
  const isMint = (each: SolanaAddress) => TOKEN_PROGRAMS.includes(read(each)?.owner ?? '')
  const mint = made.find((each) => isMint(each) && PUMP_CURVE.addressOf(each) === at)
  const tokenProgram = mint && read(mint)?.owner
  const quote = readCurveQuote(read(at))
  if (mint === undefined || tokenProgram === undefined || quote === undefined) return []
  // What the other side's program is matters to its vault alone, which a curve of coins has not.
  const curve = readCurve(at, read(at), { mint, tokenProgram }, { mint: quote, tokenProgram })
  return curve === undefined ? [] : [curve]
}

/**
 * Whether the vaults hold what the pool's account says that they do. Other accounts of an exchange,
 * such as lists of its prices, are long enough to be read as a pool of nonsense.
 */
export function hasVaults(pool: Pool, read: Read): boolean {
  const [first, second] = pool.vaults.map((vault) => parseTokenAccount(vault, read(vault)))
  const isVault = (holding: typeof first, side: 0 | 1) =>
    holding?.mint === pool.mints[side] && holding.owner === pool.vaultOwner
  return isVault(first, 0) && (pool.liquidity.kind === 'curve' || isVault(second, 1))
}

/** Whether both sides of the pool hold something. */
export const isSupplied = (pool: Pool, read: Read): boolean =>
  pool.liquidity.kind === 'curve' ||
  pool.vaults.every((vault) => (parseTokenAccount(vault, read(vault))?.amount ?? 0n) > 0n)

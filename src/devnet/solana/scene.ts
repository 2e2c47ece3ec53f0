import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE_ROOT } from '../../package-root.js'
import type { SolanaAccount } from '../../solana/account.js'
import { addressAt, addressBytes, type SolanaAddress } from '../../solana/address.js'
import { packed } from '../../solana/instruction.js'
import { isOnCurve, programAddress } from '../../solana/pda.js'
import { EXAMPLE_AMM_PROGRAM } from '../../solana/pools/layouts.js'
import { INCINERATOR, SYSTEM_PROGRAM, WRAPPED_SOL } from '../../solana/programs.js'
import { extraAccountsAddress } from '../../solana/token/hook-accounts.js'
import { DevnetError } from '../node.js'
import { RENT, type SolanaChain } from './cluster.js'
import { type MintOrder, mintAccount, tokenAccount } from './token-data.js'

/**
 * A made-up address that always is the same for the same words: a wallet's, or one that is off the
 * curve.
 */
export function addressFor(words: string, kind: 'wallet' | 'program' = 'wallet'): SolanaAddress {
  for (let turn = 0; ; turn += 1) {
    const address = addressAt(createHash('sha256').update(`assay ${words} ${turn}`).digest())
    if (isOnCurve(address) === (kind === 'wallet')) return address
  }
}

/** Code of a program of `contracts/solana`, as `scripts/compile-solana-programs.ts` left it. */
export function readProgram(name: string): Uint8Array {
  const path = join(PACKAGE_ROOT, 'contracts/solana/programs.json')
  const programs: Record<string, string> = JSON.parse(readFileSync(path, 'utf8'))
  const code = programs[name]
  if (code === undefined) throw new DevnetError(`No compiled Solana program ${name}`)
  return new Uint8Array(Buffer.from(code, 'base64'))
}

/** Where the tokens of an example lie. Shares of the supply are in percent. */
export interface Distribution {
  /** In the pool of the example exchange; without one, it is not traded. */
  pool?: number
  /** Twenty wallets share this, unless told otherwise. */
  wallets?: number
  walletCount?: number
  /** Of these wallets, so many are frozen. */
  frozenWallets?: number
  burnt?: number
}

export interface PoolOrder {
  isOpen?: boolean
  opensInSeconds?: number
  /** Coins in the pool, in lamports. */
  quote?: bigint
  /** Share of the liquidity that one wallet still holds, in percent; the rest is burnt. */
  heldLiquidity?: number
  feeBps?: number
}

export interface TokenOrder extends Omit<MintOrder, 'supply'> {
  supply?: bigint
  /** The mint's address; made up from the name otherwise. */
  address?: SolanaAddress
  distribution?: Distribution
  pool?: PoolOrder
}

/** A token that was placed. */
export interface PlacedToken {
  mint: SolanaAddress
  /** The pool's vault of the token; `undefined` without a pool. */
  vault: SolanaAddress | undefined
  pool: SolanaAddress | undefined
}

const DEFAULT_SUPPLY = 1_000_000_000_000_000n
/** Half of what trades, as most launches have it. The rest is burnt. */
const DEFAULT_DISTRIBUTION: Required<Distribution> = {
  pool: 60,
  wallets: 20,
  walletCount: 19,
  frozenWallets: 0,
  burnt: 20,
}
const DEFAULT_QUOTE = 500_000_000_000n

/** Puts a mint, its holders and its pool onto the cluster. */
export function placeToken(chain: SolanaChain, name: string, order: TokenOrder): PlacedToken {
  const { supply = DEFAULT_SUPPLY, address: mint = addressFor(`mint ${name}`), ...rest } = order
  const account = mintAccount({ ...rest, supply })
  chain.set(mint, account)
  const shares = { ...DEFAULT_DISTRIBUTION, ...order.distribution }
  const part = (percent: number) => (supply * BigInt(percent)) / 100n
  const put = (owner: SolanaAddress, amount: bigint, frozen = false) => {
    const holder = addressFor(`account of ${owner} for ${mint}`, 'program')
    chain.set(holder, tokenAccount({ mint, mintAccount: account, owner, amount, frozen }))
    return holder
  }
  for (let i = 0; i < shares.walletCount; i += 1) {
    const owner = addressFor(`holder ${i} of ${name}`)
    chain.set(owner, wallet())
    put(owner, part(shares.wallets) / BigInt(shares.walletCount), i < shares.frozenWallets)
  }
  if (shares.burnt > 0) put(INCINERATOR, part(shares.burnt))
  if (shares.pool === 0) return { mint, vault: undefined, pool: undefined }
  return { mint, ...placePool(chain, { mint, account, amount: part(shares.pool), ...order.pool }) }
}

/** What a person holds. */
export const wallet = (lamports = 5_000_000_000n): SolanaAccount => ({
  lamports,
  owner: SYSTEM_PROGRAM,
  executable: false,
  data: new Uint8Array(),
})

const POOL_SEED = new TextEncoder().encode('pool')

/** The pool's address with the bump that its program signs with. */
function poolAddress(mint: SolanaAddress): { address: SolanaAddress; bump: number } {
  for (let bump = 255; bump > 0; bump -= 1) {
    const address = programAddress(EXAMPLE_AMM_PROGRAM, [POOL_SEED, addressBytes(mint), Uint8Array.of(bump)])
    if (address !== undefined) return { address, bump }
  }
  throw new DevnetError('no address for a pool')
}

interface PlacedPool extends PoolOrder {
  mint: SolanaAddress
  account: SolanaAccount
  amount: bigint
}

function placePool(chain: SolanaChain, order: PlacedPool): { vault: SolanaAddress; pool: SolanaAddress } {
  const { mint, account, amount, quote = DEFAULT_QUOTE, isOpen = true, opensInSeconds = -86_400 } = order
  const { heldLiquidity = 0, feeBps = 25 } = order
  const { address: pool, bump } = poolAddress(mint)
  const vault = addressFor(`vault of ${mint}`, 'program')
  const quoteVault = addressFor(`quote vault of ${mint}`, 'program')
  const lpMint = addressFor(`lp of ${mint}`, 'program')
  const wrapped = chain.get(WRAPPED_SOL) ?? placeWrappedSol(chain)
  chain.set(vault, tokenAccount({ mint, mintAccount: account, owner: pool, amount }))
  chain.set(
    quoteVault,
    tokenAccount({ mint: WRAPPED_SOL, mintAccount: wrapped, owner: pool, amount: quote, nativeReserve: RENT }),
  )
  const lpSupply = (LP_ISSUED * BigInt(heldLiquidity)) / 100n
  const lp = mintAccount({ supply: lpSupply, decimals: 9, mintAuthority: pool })
  chain.set(lpMint, lp)
  if (lpSupply > 0n) {
    const owner = addressFor(`liquidity provider of ${mint}`)
    const data = tokenAccount({ mint: lpMint, mintAccount: lp, owner, amount: lpSupply })
    chain.set(addressFor(`lp account of ${mint}`, 'program'), data)
  }
  const opensAt = chain.clock.unixTime + BigInt(opensInSeconds)
  const data = packed(
    new TextEncoder().encode('assayamm'),
    ...[mint, WRAPPED_SOL, vault, quoteVault, lpMint].map(addressBytes),
    [64, LP_ISSUED],
    [16, feeBps],
    [8, isOpen ? 1 : 0],
    [8, bump],
    [32, 0],
    [64, opensAt],
  )
  chain.set(pool, { lamports: RENT, owner: EXAMPLE_AMM_PROGRAM, executable: false, data })
  return { vault, pool }
}

const LP_ISSUED = 1_000_000_000_000n

/** Native coin as a token, which a cluster has from its beginning. */
export function placeWrappedSol(chain: SolanaChain): SolanaAccount {
  const account = mintAccount({ supply: 0n, decimals: 9 })
  chain.set(WRAPPED_SOL, account)
  return account
}

/** Who can use a hook's program, and what it wants to see. */
export interface HookOrder {
  /** Of `contracts/solana/hook.c`. */
  behaviour: string
  /** May replace the code. */
  upgradeAuthority?: SolanaAddress
  /** Entries of the list of extra accounts, 35 bytes each; no list at all when absent. */
  entries?: (hook: SolanaAddress) => readonly Uint8Array[]
}

/**
 * Puts a hook's program onto the cluster and gives its address. Its list of accounts follows with
 * {@link placeHookList}.
 */
export function placeHook(chain: SolanaChain, name: string, { behaviour, upgradeAuthority }: HookOrder): SolanaAddress {
  const hook = addressFor(`hook of ${name}`, 'program')
  chain.deploy(hook, readProgram(`hook-${behaviour}`), upgradeAuthority)
  return hook
}

/** Writes the list of accounts that a hook wants to see. */
export function placeHookList(
  chain: SolanaChain,
  hook: SolanaAddress,
  mint: SolanaAddress,
  entries: readonly Uint8Array[],
): void {
  const list = extraAccountsAddress(hook, mint)
  if (list === undefined) throw new DevnetError('no address for the list of a hook')
  const body = packed([32, entries.length], ...entries)
  const data = packed(EXECUTE, [32, body.length], body)
  chain.set(list, { lamports: RENT, owner: hook, executable: false, data })
}

const EXECUTE = Uint8Array.of(105, 37, 101, 197, 75, 251, 102, 26)

const padded = (bytes: Uint8Array) => packed(bytes, new Uint8Array(32 - bytes.length))

/** Entries of a hook's list (spl-tlv-account-resolution). */
export const hookEntry = {
  literal: (address: SolanaAddress, isWritable = false) =>
    packed([8, 0], addressBytes(address), [8, 0], [8, isWritable ? 1 : 0]),
  ownPda: (seeds: Uint8Array) => packed([8, 1], padded(seeds), [16, 0]),
  foreignPda: (programIndex: number, seeds: Uint8Array) => packed([8, 128 + programIndex], padded(seeds), [16, 0]),
  keyInData: (account: number, offset: number) => packed([8, 2], padded(Uint8Array.of(2, account, offset)), [16, 0]),
  keyInInstruction: (offset: number) => packed([8, 2], padded(Uint8Array.of(1, offset)), [16, 0]),
}

/** Seeds of entries. */
export const seed = {
  literal: (words: string) => packed([8, 1], [8, words.length], new TextEncoder().encode(words)),
  instruction: (offset: number, length: number) => Uint8Array.of(2, offset, length),
  key: (account: number) => Uint8Array.of(3, account),
  data: (account: number, offset: number, length: number) => Uint8Array.of(4, account, offset, length),
}

/** Data that a program owns. */
export function placeData(chain: SolanaChain, name: string, owner: SolanaAddress, data: Uint8Array): SolanaAddress {
  const address = addressFor(`data ${name}`, 'program')
  chain.set(address, { lamports: RENT, owner, executable: false, data })
  return address
}

/** A multisig of the token programs: two of three persons, unless told otherwise. */
export function placeMultisig(
  chain: SolanaChain,
  name: string,
  tokenProgram: SolanaAddress,
  { required, members }: { required: number; members: readonly SolanaAddress[] } = {
    required: 2,
    members: [0, 1, 2].map((i) => addressFor(`member ${i} of ${name}`)),
  },
): SolanaAddress {
  const address = addressFor(`multisig ${name}`, 'program')
  const free = new Uint8Array(32 * (MULTISIG_PLACES - members.length))
  const data = packed(Uint8Array.of(required, members.length, 1), ...members.map(addressBytes), free)
  chain.set(address, { lamports: RENT, owner: tokenProgram, executable: false, data })
  return address
}

const MULTISIG_PLACES = 11

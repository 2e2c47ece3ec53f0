import { type SolanaAddress as Address, address } from './address.js'

/**
 * Well-known addresses of the cluster. Sources: the programs' own documentation; the same on every
 * cluster unless said otherwise.
 */
export const SYSTEM_PROGRAM = address('11111111111111111111111111111111')
export const TOKEN_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
export const TOKEN_2022_PROGRAM = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')
/** Associated token accounts: seeds owner, token program, mint. */
export const ATA_PROGRAM = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
export const METADATA_PROGRAM = address('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s')
export const MEMO_PROGRAM = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
export const COMPUTE_BUDGET_PROGRAM = address('ComputeBudget111111111111111111111111111111')

export const LOADER_V1 = address('BPFLoader1111111111111111111111111111111111')
export const LOADER_V2 = address('BPFLoader2111111111111111111111111111111111')
export const UPGRADEABLE_LOADER = address('BPFLoaderUpgradeab1e11111111111111111111111')
export const LOADER_V4 = address('LoaderV411111111111111111111111111111111111')
export const NATIVE_LOADER = address('NativeLoader1111111111111111111111111111111')

export const CLOCK_SYSVAR = address('SysvarC1ock11111111111111111111111111111111')
export const EPOCH_SCHEDULE_SYSVAR = address('SysvarEpochSchedu1e111111111111111111111111')
export const SLOT_HASHES_SYSVAR = address('SysvarS1otHashes111111111111111111111111111')
/** What a program may read of the cluster besides its clock. */
export const SYSVARS: readonly Address[] = [
  SLOT_HASHES_SYSVAR,
  address('SysvarRecentB1ockHashes11111111111111111111'),
  address('SysvarStakeHistory1111111111111111111111111'),
  address('SysvarLastRestartS1ot1111111111111111111111'),
  address('SysvarEpochRewards1111111111111111111111111'),
  address('SysvarRent111111111111111111111111111111111'),
]
export const SYSVAR_OWNER = address('Sysvar1111111111111111111111111111111111111')

/** A wallet whose key is believed not to exist: what is sent there counts as burnt. */
export const INCINERATOR = address('1nc1nerator11111111111111111111111111111111')

/** Native coin as a token. */
export const WRAPPED_SOL = address('So11111111111111111111111111111111111111112')
/** Circle's dollar, mainnet. */
export const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
/** Tether's dollar, mainnet. */
export const USDT = address('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB')

/** What pools are priced in, most usual first: the tokens watched during a simulation. */
export const QUOTE_MINTS = [WRAPPED_SOL, USDC, USDT] as const

export const TOKEN_PROGRAMS: readonly string[] = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]

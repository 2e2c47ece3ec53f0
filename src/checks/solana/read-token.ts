import { programDataAddress, readUpgradeability, type SolanaAccount } from '../../solana/account.js'
import type { SolanaAddress } from '../../solana/address.js'
import type { SolanaState } from '../../solana/chain-state.js'
import { isOnCurve } from '../../solana/pda.js'
import { isPoolProgram, LAYOUT_OF_VAULT_OWNER } from '../../solana/pools/layouts.js'
import { INCINERATOR, SYSTEM_PROGRAM } from '../../solana/programs.js'
import type { LargestAccount } from '../../solana/rpc/solana-methods.js'
import { extraAccountsAddress } from '../../solana/token/hook-accounts.js'
import type { Mint } from '../../solana/token/mint.js'
import { parseTokenAccount, type TokenAccount } from '../../solana/token/token-account.js'
import type { Holder, HookReport } from './solana-report.js'

/** Everybody who has a power over the token. */
export function authoritiesOf({ mintAuthority, freezeAuthority, extensions }: Mint): SolanaAddress[] {
  const holders = [
    mintAuthority,
    freezeAuthority,
    ...[
      extensions.transferFee,
      extensions.closeAuthority,
      extensions.transferHook,
      extensions.pausable,
      extensions.metadataPointer,
      extensions.interestBearing,
      extensions.scaledUiAmount,
      extensions.confidentialTransfer,
      extensions.permissionedBurn,
    ].map((extension) => extension?.authority),
    extensions.permanentDelegate?.delegate,
  ]
  return [...new Set(holders.filter((holder) => holder !== undefined))]
}

/**
 * What must be known before a token can be played with: its largest accounts, who has power over
 * it, its hook.
 */
export function firstAccountsOf(mint: Mint, largest: readonly LargestAccount[]): SolanaAddress[] {
  const hook = mint.extensions.transferHook?.program
  const list = hook && extraAccountsAddress(hook, mint.address)
  return [
    ...largest.map(({ address }) => address),
    ...authoritiesOf(mint),
    ...(hook ? [hook] : []),
    ...(list ? [list] : []),
  ]
}

/**
 * The largest accounts as the cluster has them. A node that names accounts of another token, or
 * empty ones, has told us nothing: they are left out, and `contradicted` says so.
 */
export function readLargest(
  state: SolanaState,
  mint: Mint,
  largest: readonly LargestAccount[],
): { accounts: TokenAccount[]; contradicted: boolean } {
  const read = largest.map(({ address }) => parseTokenAccount(address, state.accounts.get(address)))
  const accounts = read.filter((account) => account !== undefined).filter(({ mint: of }) => of === mint.address)
  const sum = accounts.reduce((total, { amount }) => total + amount, 0n)
  return {
    accounts: accounts.sort((a, b) => (b.amount > a.amount ? 1 : -1)),
    contradicted: accounts.length < largest.length || sum > mint.supply,
  }
}

/** Sorts the largest accounts by whose they are. */
export function classifyHolders(
  state: SolanaState,
  largest: readonly TokenAccount[],
  poolVaults: ReadonlySet<SolanaAddress>,
): Holder[] {
  return largest.map(({ address, owner, amount, frozen }) => {
    const kind = kindOf(owner, state.accounts.get(owner), poolVaults.has(address))
    return { account: address, owner, amount, frozen, kind }
  })
}

function kindOf(owner: SolanaAddress, account: SolanaAccount | undefined, isVault: boolean): Holder['kind'] {
  if (owner === INCINERATOR || owner === SYSTEM_PROGRAM) return 'burnt'
  if (isVault || LAYOUT_OF_VAULT_OWNER.has(owner) || (account && isPoolProgram(account.owner))) return 'pool'
  const isProgram = (account !== undefined && account.owner !== SYSTEM_PROGRAM) || !isOnCurve(owner)
  return isProgram ? 'program' : 'wallet'
}

/**
 * The account to trade with: a pool's vault, else one that belongs to a program; a wallet's is no
 * market.
 */
export function chooseVault(
  holders: readonly Holder[],
  mainVault: SolanaAddress | undefined,
): { account: SolanaAddress; owner: SolanaAddress } | undefined {
  const chosen =
    holders.find(({ account }) => account === mainVault) ??
    holders.find(({ kind }) => kind === 'pool') ??
    holders.find(({ kind }) => kind === 'program')
  return chosen && { account: chosen.account, owner: chosen.owner }
}

/** The program that is asked about every transfer, and whether its code can be replaced. */
export async function readHook(state: SolanaState, mint: Mint): Promise<HookReport | undefined> {
  const program = mint.extensions.transferHook?.program
  if (program === undefined) return undefined
  await state.load([program])
  const account = state.accounts.get(program)
  if (account === undefined || !account.executable) {
    return { program, exists: false, upgradeability: 'unknown', upgradeAuthority: undefined }
  }
  const code = programDataAddress(account)
  const upgrade = readUpgradeability(account, code && state.accounts.get(code))
  return {
    program,
    exists: true,
    upgradeability: upgrade.kind,
    upgradeAuthority: upgrade.kind === 'upgradeable' ? upgrade.authority : undefined,
  }
}

/**
 * What a second node must say too: everything of the mint that decides what can be done to holders.
 * The supply moves, and is left out.
 */
export function sameRules(a: SolanaAccount | undefined, b: SolanaAccount | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  if (a.owner !== b.owner || a.data.length !== b.data.length) return false
  return a.data.every((byte, i) => byte === b.data[i] || (i >= SUPPLY_AT && i < SUPPLY_AT + 8) || isWithheld(i))
}

const SUPPLY_AT = 36
/**
 * Fees that were collected and not yet paid out change with every transfer: 64 bytes into the first
 * extension, where it is that one.
 */
const isWithheld = (at: number) => at >= 166 + 4 + 64 && at < 166 + 4 + 72

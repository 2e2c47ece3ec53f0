import { createHash } from 'node:crypto'
import {
  PROGRAM_DATA_HEADER_BYTES,
  programDataAddress,
  readUpgradeability,
  type SolanaAccount,
} from '../../solana/account.js'
import type { SolanaAddress } from '../../solana/address.js'
import type { SolanaState } from '../../solana/chain-state.js'
import { isOnCurve } from '../../solana/pda.js'
import { isPoolProgram, LAYOUT_OF_VAULT_OWNER } from '../../solana/pools/layouts.js'
import { INCINERATOR, SYSTEM_PROGRAM, SYSVARS, WRAPPED_SOL } from '../../solana/programs.js'
import { type LargestAccount, MAX_LARGEST } from '../../solana/rpc/solana-methods.js'
import { extraAccountsAddress } from '../../solana/token/hook-accounts.js'
import type { Mint } from '../../solana/token/mint.js'
import { parseTokenAccount, type TokenAccount } from '../../solana/token/token-account.js'
import type { Holder, HookReport } from './solana-report.js'

/** All who have power over the token. */
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
    // A hook alone can look at them.
    ...(hook ? [hook, ...SYSVARS] : []),
    ...(list ? [list] : []),
  ]
}

/**
 * The largest accounts as the cluster has them. A node that names accounts of another token, or
 * empty ones, has told us nothing: they are left out, and `contradicted` says so.
 */
export function readLargest(
  { accounts }: SolanaState,
  mint: Mint,
  largest: readonly LargestAccount[],
): { accounts: TokenAccount[]; contradicted: boolean } {
  const read = [...new Set(largest.map(({ address }) => address))]
    .map((address) => holdingOf(mint, address, accounts.get(address)))
    .filter((account) => account !== undefined)
  const sum = read.reduce((total, { amount }) => total + amount, 0n)
  // Of native coin as a token none is ever minted.
  const isTooMuch = mint.address !== WRAPPED_SOL && sum > mint.supply
  return {
    accounts: read.sort((a, b) => (b.amount > a.amount ? 1 : -1)),
    contradicted: isTooMuch || largest.some(({ address }) => read.every((account) => account.address !== address)),
  }
}

const holdingOf = ({ address: mint }: Mint, address: SolanaAddress, account: SolanaAccount | undefined) => {
  const holding = parseTokenAccount(address, account)
  return holding?.mint === mint ? holding : undefined
}

/**
 * Whether a list of the largest accounts leaves one out that is known by other ways, such as the
 * vault of a pool whose address follows from the mint; or all that it does not name is more than
 * it may be. Amounts move while they are read, so that a hundredth of the supply is let pass.
 */
export function isIncomplete({ accounts }: SolanaState, mint: Mint, list: readonly LargestAccount[]): boolean {
  const listed = new Set(list.map(({ address }) => address))
  const amountOf = (address: SolanaAddress) => holdingOf(mint, address, accounts.get(address))?.amount ?? 0n
  const amounts = [...listed].map(amountOf)
  const isFull = listed.size >= MAX_LARGEST
  const least = isFull ? (amounts.sort((a, b) => (a > b ? 1 : -1))[0] ?? 0n) : 0n
  const tolerance = mint.supply / 100n
  const isLeftOut = ([address]: [SolanaAddress, unknown]) =>
    !listed.has(address) && amountOf(address) > least + tolerance
  if ([...accounts].some(isLeftOut)) return true
  const { transferFee, confidentialTransfer } = mint.extensions
  const liesElsewhere = transferFee !== undefined || confidentialTransfer !== undefined
  const sum = amounts.reduce((total, amount) => total + amount, 0n)
  return !isFull && !liesElsewhere && sum + tolerance < mint.supply
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
  mainVault: { account: SolanaAddress; owner: SolanaAddress } | undefined,
): { account: SolanaAddress; owner: SolanaAddress } | undefined {
  const chosen =
    mainVault ?? holders.find(({ kind }) => kind === 'pool') ?? holders.find(({ kind }) => kind === 'program')
  return chosen && { account: chosen.account, owner: chosen.owner }
}

/** The program that is asked about every transfer, and whether its code can be replaced. */
export async function readHook(state: SolanaState, mint: Mint): Promise<HookReport | undefined> {
  const program = mint.extensions.transferHook?.program
  if (program === undefined) return undefined
  await state.load([program])
  const account = state.accounts.get(program)
  if (account === undefined || !account.executable) {
    return { program, exists: false, upgradeability: 'unknown', upgradeAuthority: undefined, codeHash: undefined }
  }
  const code = programDataAddress(account)
  const codeAccount = code === undefined ? account : state.accounts.get(code)
  const upgrade = readUpgradeability(account, code && codeAccount)
  return {
    program,
    exists: true,
    upgradeability: upgrade.kind,
    upgradeAuthority: upgrade.kind === 'upgradeable' ? upgrade.authority : undefined,
    codeHash: codeAccount && hashCode(codeAccount.data.subarray(code === undefined ? 0 : PROGRAM_DATA_HEADER_BYTES)),
  }
}

/** Without the room that is left behind the code, which differs between copies. */
function hashCode(data: Uint8Array): string {
  const end = data.findLastIndex((byte) => byte !== 0) + 1
  return createHash('sha256').update(data.subarray(0, end)).digest('hex')
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

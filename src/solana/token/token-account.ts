import { type SolanaAccount, viewOf } from '../account.js'
import { addressAt, addressBytes, type SolanaAddress } from '../address.js'
import { TOKEN_PROGRAMS } from '../programs.js'
import { readTlv } from './tlv.js'

/** An account that holds tokens (spl-token `Account`, 165 bytes; extensions may follow). */
export interface TokenAccount {
  address: SolanaAddress
  mint: SolanaAddress
  owner: SolanaAddress
  amount: bigint
  frozen: boolean
  /** Who else may move what is in it, and how much. */
  delegate: { address: SolanaAddress; amount: bigint } | undefined
}

export const TOKEN_ACCOUNT_BYTES = 165
const OWNER_AT = 32
const AMOUNT_AT = 64
const ACCOUNT_KIND = 2

/** Reads a token account; `undefined` when the account is none. */
export function parseTokenAccount(
  address: SolanaAddress,
  account: SolanaAccount | undefined,
): TokenAccount | undefined {
  if (account === undefined || !TOKEN_PROGRAMS.includes(account.owner)) return undefined
  const { data } = account
  const isPlain = data.length === TOKEN_ACCOUNT_BYTES
  const isExtended = data.length > TOKEN_ACCOUNT_BYTES && data[TOKEN_ACCOUNT_BYTES] === ACCOUNT_KIND
  if (!isPlain && !isExtended) return undefined
  const view = viewOf(data)
  const state = view.getUint8(108)
  if (state === 0 || state > 2) return undefined
  const hasDelegate = view.getUint32(72, true) === 1
  return {
    address,
    mint: addressAt(data, 0),
    owner: addressAt(data, OWNER_AT),
    amount: view.getBigUint64(AMOUNT_AT, true),
    frozen: state === 2,
    delegate: hasDelegate ? { address: addressAt(data, 76), amount: view.getBigUint64(121, true) } : undefined,
  }
}

/** What a token account holds; `undefined` when the data is too short to be one. */
export function amountIn(data: Uint8Array | undefined): bigint | undefined {
  return data === undefined || data.length < TOKEN_ACCOUNT_BYTES
    ? undefined
    : viewOf(data).getBigUint64(AMOUNT_AT, true)
}

/** The same account with another amount in it, and nothing else changed. */
export function withAmount(account: SolanaAccount, amount: bigint): SolanaAccount {
  const data = Uint8Array.from(account.data)
  viewOf(data).setBigUint64(AMOUNT_AT, amount, true)
  return { ...account, data }
}

/** The same account in another's name. */
export function withOwner(account: SolanaAccount, owner: SolanaAddress): SolanaAccount {
  const data = Uint8Array.from(account.data)
  data.set(addressBytes(owner), OWNER_AT)
  return { ...account, data }
}

/** As a hook sees it in the midst of a transfer: moved already, and marked as being moved. */
export function asInTransfer(account: SolanaAccount, by: bigint): SolanaAccount {
  const moved = withAmount(account, (amountIn(account.data) ?? 0n) + by)
  const mark = readTlv(moved.data).entries.find(({ type }) => type === TRANSFER_HOOK_ACCOUNT)?.value
  if (mark !== undefined) mark[0] = 1
  return moved
}

const TRANSFER_HOOK_ACCOUNT = 15

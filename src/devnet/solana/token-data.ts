import type { SolanaAccount } from '../../solana/account.js'
import { viewOf } from '../../solana/account.js'
import { addressBytes, type SolanaAddress } from '../../solana/address.js'
import { packed } from '../../solana/instruction.js'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/programs.js'
import { RENT } from './cluster.js'

/** An extension as bytes. */
export interface ExtensionData {
  type: number
  value: Uint8Array
}

export interface MintOrder {
  supply: bigint
  decimals?: number
  mintAuthority?: SolanaAddress | undefined
  freezeAuthority?: SolanaAddress | undefined
  /** Makes it a Token-2022 mint, even when empty. */
  extensions?: readonly ExtensionData[]
  /** Bytes behind the extensions, for mints that are not well-formed. */
  trailing?: Uint8Array
}

const NO_KEY = new Uint8Array(32)
const keyOf = (address: SolanaAddress | undefined) => (address === undefined ? NO_KEY : addressBytes(address))
const optional = (address: SolanaAddress | undefined) => packed([32, address === undefined ? 0 : 1], keyOf(address))

/** A mint account, byte by byte. */
export function mintAccount({
  supply,
  decimals = 6,
  mintAuthority,
  freezeAuthority,
  extensions,
  trailing,
}: MintOrder): SolanaAccount {
  const fixed = packed(optional(mintAuthority), [64, supply], [8, decimals], [8, 1], optional(freezeAuthority))
  const owner = extensions === undefined ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM
  const data = extensions?.length
    ? packed(fixed, new Uint8Array(165 - fixed.length), [8, 1], writeTlv(extensions), trailing ?? new Uint8Array())
    : fixed
  return { lamports: RENT, owner, executable: false, data }
}

const writeTlv = (extensions: readonly ExtensionData[]) =>
  packed(...extensions.flatMap(({ type, value }) => [[16, type] as const, [16, value.length] as const, value]))

export interface HoldingOrder {
  mint: SolanaAddress
  mintAccount: SolanaAccount
  owner: SolanaAddress
  amount: bigint
  frozen?: boolean
  /** Of native coin as a token: what the account keeps to stay. */
  nativeReserve?: bigint
}

/** A token account, with the extensions that its mint's demand. */
export function tokenAccount(order: HoldingOrder): SolanaAccount {
  const { mint, owner, amount, frozen = false, nativeReserve } = order
  const data = new Uint8Array(165)
  data.set(addressBytes(mint), 0)
  data.set(addressBytes(owner), 32)
  const view = viewOf(data)
  view.setBigUint64(64, amount, true)
  data[108] = frozen ? 2 : 1
  if (nativeReserve !== undefined) {
    view.setUint32(109, 1, true)
    view.setBigUint64(113, nativeReserve, true)
  }
  const extensions = accountExtensions(order.mintAccount)
  const lamports = RENT + (nativeReserve === undefined ? 0n : amount)
  return {
    lamports,
    owner: order.mintAccount.owner,
    executable: false,
    data: extensions.length === 0 ? data : packed(data, [8, 2], writeTlv(extensions)),
  }
}

/**
 * Extension of the mint, and those that each account of it must have (spl-token-2022,
 * `get_required_init_account_extensions`).
 */
const DEMANDED: ReadonlyMap<number, readonly ExtensionData[]> = new Map([
  [1, [{ type: 2, value: new Uint8Array(8) }]],
  [
    9,
    [
      { type: 13, value: new Uint8Array() },
      { type: 7, value: new Uint8Array() },
    ],
  ],
  [14, [{ type: 15, value: new Uint8Array(1) }]],
  [26, [{ type: 27, value: new Uint8Array() }]],
])

function accountExtensions({ data }: SolanaAccount): ExtensionData[] {
  const types: number[] = []
  const view = viewOf(data)
  for (let at = 166; at + 4 <= data.length; at += 4 + view.getUint16(at + 2, true)) types.push(view.getUint16(at, true))
  return types.flatMap((type) => DEMANDED.get(type) ?? [])
}

type Key = SolanaAddress | undefined

const fee = (epoch: bigint, maximum: bigint, bps: number) => packed([64, epoch], [64, maximum], [16, bps])
/** The most that 64 bits hold: no cap. */
export const NO_CAP = 2n ** 64n - 1n

/** Extensions of mints, as the token program writes them. */
export const extension = {
  transferFee: ({
    authority,
    bps,
    maximum = NO_CAP,
    later,
  }: {
    authority?: Key
    bps: number
    maximum?: bigint
    later?: { epoch: bigint; bps: number }
  }): ExtensionData => ({
    type: 1,
    value: packed(
      keyOf(authority),
      NO_KEY,
      [64, 0],
      fee(0n, maximum, bps),
      later ? fee(later.epoch, maximum, later.bps) : fee(0n, maximum, bps),
    ),
  }),
  closeAuthority: (authority: Key): ExtensionData => ({ type: 3, value: keyOf(authority) }),
  confidentialTransfer: (authority: Key): ExtensionData => ({
    type: 4,
    value: packed(keyOf(authority), [8, 1], NO_KEY),
  }),
  defaultState: (state: 1 | 2): ExtensionData => ({ type: 6, value: Uint8Array.of(state) }),
  nonTransferable: (): ExtensionData => ({ type: 9, value: new Uint8Array() }),
  interestBearing: (authority: Key, rateBps: number): ExtensionData => ({
    type: 10,
    value: packed(keyOf(authority), [64, 0], [16, 0], [64, 0], [16, rateBps]),
  }),
  permanentDelegate: (delegate: Key): ExtensionData => ({ type: 12, value: keyOf(delegate) }),
  transferHook: (authority: Key, program: Key): ExtensionData => ({
    type: 14,
    value: packed(keyOf(authority), keyOf(program)),
  }),
  metadataPointer: (authority: Key, address: Key): ExtensionData => ({
    type: 18,
    value: packed(keyOf(authority), keyOf(address)),
  }),
  metadata: ({
    updateAuthority,
    mint,
    name,
    symbol,
  }: {
    updateAuthority?: Key
    mint: SolanaAddress
    name: string
    symbol: string
  }): ExtensionData => ({
    type: 19,
    value: packed(keyOf(updateAuthority), addressBytes(mint), text(name), text(symbol), text(''), [32, 0]),
  }),
  scaledUiAmount: (authority: Key, multiplier: number): ExtensionData => {
    const value = new Uint8Array(56)
    value.set(keyOf(authority))
    viewOf(value).setFloat64(32, multiplier, true)
    viewOf(value).setFloat64(48, multiplier, true)
    return { type: 25, value }
  },
  pausable: (authority: Key, paused: boolean): ExtensionData => ({
    type: 26,
    value: packed(keyOf(authority), [8, paused ? 1 : 0]),
  }),
  permissionedBurn: (authority: Key): ExtensionData => ({ type: 28, value: keyOf(authority) }),
}

/** Length u32 and UTF-8, as in all texts of the token programs. */
export function text(words: string): Uint8Array {
  const bytes = new TextEncoder().encode(words)
  return packed([32, bytes.length], bytes)
}

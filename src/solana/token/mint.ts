import { type SolanaAccount, viewOf } from '../account.js'
import { addressAt, type SolanaAddress } from '../address.js'
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../programs.js'
import { EXTENSIONS, type MintExtensions, readExtension } from './extensions.js'
import { readTlv, TLV_START } from './tlv.js'

/** What a mint account says of itself. */
export interface Mint {
  address: SolanaAddress
  tokenProgram: SolanaAddress
  supply: bigint
  decimals: number
  mintAuthority: SolanaAddress | undefined
  freezeAuthority: SolanaAddress | undefined
  extensions: MintExtensions
  /** Names of the extensions that are there and known, in their order. */
  extensionNames: string[]
  /** Types of extensions that are not known here, nor what they do. */
  unknownExtensions: number[]
  /** The extensions are not what the token program writes. */
  malformed: boolean
}

/** Of a mint without extensions (spl-token `Mint`). */
export const MINT_BYTES = 82
/** Mints with extensions are filled up to this, so that no mint is mistaken for a token account. */
const PADDED_BYTES = 165
const MINT_KIND = 1
/** A multisig of the token program: the one length that is never a mint. */
const MULTISIG_BYTES = 355

/** Reads a mint; `undefined` when the account is none. */
export function parseMint(address: SolanaAddress, account: SolanaAccount | undefined): Mint | undefined {
  if (account === undefined || !isMintShaped(account)) return undefined
  const { data, owner } = account
  const view = viewOf(data)
  if (view.getUint8(45) !== 1) return undefined
  const { entries, malformed } = owner === TOKEN_2022_PROGRAM ? readTlv(data) : { entries: [], malformed: false }
  const known = entries.filter(({ type }) => EXTENSIONS.has(type))
  const { extensions, broken } = readKnown(known)
  return {
    address,
    tokenProgram: owner,
    supply: view.getBigUint64(36, true),
    decimals: view.getUint8(44),
    mintAuthority: optionalKey(data, 0),
    freezeAuthority: optionalKey(data, 46),
    extensions,
    extensionNames: known.map(({ type }) => EXTENSIONS.get(type)?.name ?? ''),
    unknownExtensions: entries.filter(({ type }) => !EXTENSIONS.has(type)).map(({ type }) => type),
    malformed: malformed || broken || hasOddOptions(view),
  }
}

function isMintShaped({ owner, executable, data }: SolanaAccount): boolean {
  if (executable) return false
  if (owner === TOKEN_PROGRAM) return data.length === MINT_BYTES
  if (owner !== TOKEN_2022_PROGRAM || data.length === MULTISIG_BYTES) return false
  if (data.length === MINT_BYTES) return true
  return data.length >= TLV_START && data[PADDED_BYTES] === MINT_KIND && isZero(data.subarray(MINT_BYTES, PADDED_BYTES))
}

function readKnown(entries: readonly { type: number; value: Uint8Array }[]) {
  const extensions: MintExtensions = {}
  let broken = false
  for (const { type, value } of entries) broken = !readExtension(extensions, type, value) || broken
  return { extensions, broken }
}

/** A key behind a tag of four bytes. The system program's address, all zero, is none. */
function optionalKey(data: Uint8Array, offset: number): SolanaAddress | undefined {
  if (viewOf(data).getUint32(offset, true) === 0) return undefined
  const key = addressAt(data, offset + 4)
  return key === SYSTEM_PROGRAM ? undefined : key
}

const hasOddOptions = (view: DataView) => view.getUint32(0, true) > 1 || view.getUint32(46, true) > 1
const isZero = (bytes: Uint8Array) => bytes.every((byte) => byte === 0)

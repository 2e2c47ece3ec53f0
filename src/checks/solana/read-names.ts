import type { SolanaAccount } from '../../solana/account.js'
import { addressAt, addressBytes, type SolanaAddress } from '../../solana/address.js'
import { findProgramAddress } from '../../solana/pda.js'
import { METADATA_PROGRAM, SYSTEM_PROGRAM } from '../../solana/programs.js'
import { textReader } from '../../solana/token/extensions.js'
import type { Mint } from '../../solana/token/mint.js'
import type { TokenNames } from './solana-report.js'

const METADATA_SEED = new TextEncoder().encode('metadata')

/** Where the metadata program keeps what a mint is called. */
export function metadataAddress(mint: SolanaAddress): SolanaAddress | undefined {
  return findProgramAddress(METADATA_PROGRAM, [METADATA_SEED, addressBytes(METADATA_PROGRAM), addressBytes(mint)])
}

/**
 * What the token calls itself: in the mint where it says so, else in the metadata program's
 * account.
 */
export function readNames(mint: Mint, metaplex: SolanaAccount | undefined): TokenNames {
  const { metadata } = mint.extensions
  if (metadata !== undefined) {
    const { name, symbol, uri, updateAuthority } = metadata
    return { name, symbol, uri, updateAuthority, mutable: updateAuthority !== undefined, source: 'mint' }
  }
  return readMetaplex(mint.address, metaplex) ?? NAMELESS
}

const NAMELESS: TokenNames = {
  name: '',
  symbol: '',
  uri: '',
  updateAuthority: undefined,
  mutable: false,
  source: 'none',
}

/**
 * `Metadata` of mpl-token-metadata: key u8 = 4, update authority, mint, name, symbol, URI, seller
 * fee u16, creators, sold once, mutable.
 */
function readMetaplex(mint: SolanaAddress, account: SolanaAccount | undefined): TokenNames | undefined {
  if (account?.owner !== METADATA_PROGRAM || account.data[0] !== METADATA_KEY) return undefined
  const { data } = account
  try {
    if (addressAt(data, 33) !== mint) return undefined
    const text = textReader(data, 65)
    const [name, symbol, uri] = [text(), text(), text()]
    const updateAuthority = addressAt(data, 1)
    const mutable = data[mutableAt(data)] === 1 && updateAuthority !== SYSTEM_PROGRAM
    return { name, symbol, uri, updateAuthority, mutable, source: 'metaplex' }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const METADATA_KEY = 4
/** Address 32, verified u8, share u8. */
const CREATOR_BYTES = 34

/** Behind the three texts: seller fee u16, an option of creators (count u32), a flag. */
function mutableAt(data: Uint8Array): number {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  let at = 65
  for (let texts = 0; texts < 3; texts += 1) at += 4 + view.getUint32(at, true)
  at += 2
  at += view.getUint8(at) === 1 ? 1 + 4 + view.getUint32(at + 1, true) * CREATOR_BYTES : 1
  return at + 1
}

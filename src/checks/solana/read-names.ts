import type { SolanaAccount } from '../../solana/account.js'
import { addressAt, addressBytes, type SolanaAddress } from '../../solana/address.js'
import { findProgramAddress } from '../../solana/pda.js'
import { METADATA_PROGRAM, SYSTEM_PROGRAM } from '../../solana/programs.js'
import { readMetadataOrNothing, textReader } from '../../solana/token/extensions.js'
import { type Mint, parseMint } from '../../solana/token/mint.js'
import type { TokenNames } from './solana-report.js'

const METADATA_SEED = new TextEncoder().encode('metadata')

/** Where the metadata program keeps what a mint is called. */
export function metadataAddress(mint: SolanaAddress): SolanaAddress | undefined {
  return findProgramAddress(METADATA_PROGRAM, [METADATA_SEED, addressBytes(METADATA_PROGRAM), addressBytes(mint)])
}

/**
 * All that the token calls itself, most binding first: what the mint's pointer leads to, the mint,
 * the metadata program's account. Wallets show one or the other, so that none may be left out.
 */
export function readAllNames(mint: Mint, read: (address: SolanaAddress) => SolanaAccount | undefined): TokenNames[] {
  const { metadataPointer, metadata } = mint.extensions
  const pointed = pointedAt(mint)
  const own = metadataAddress(mint.address)
  const found = [
    pointed && readPointed(mint.address, read(pointed), metadataPointer?.authority),
    metadata && ofMetadata(metadata, 'mint'),
    own && readMetaplex(mint.address, read(own)),
  ].filter((names) => names !== undefined)
  return found.length === 0 ? [NAMELESS] : found
}

/** The account that the mint says its names stand in, where that is another. */
export function pointedAt({ address, extensions }: Mint): SolanaAddress | undefined {
  const pointed = extensions.metadataPointer?.address
  return pointed === address ? undefined : pointed
}

type Metadata = NonNullable<Mint['extensions']['metadata']>

const ofMetadata = (
  { name, symbol, uri, updateAuthority }: Metadata,
  source: 'mint' | 'pointer',
  mover?: SolanaAddress,
): TokenNames => ({
  ...{ name, symbol, uri, source, updateAuthority: updateAuthority ?? mover },
  mutable: (updateAuthority ?? mover) !== undefined,
})

/**
 * Metadata in an account that the mint points to: another mint's, the metadata program's, or of any
 * program that keeps to the interface (spl-token-metadata-interface: a discriminator of eight
 * bytes, length u32, the metadata). `mover` may let the mint point elsewhere.
 */
function readPointed(
  mint: SolanaAddress,
  account: SolanaAccount | undefined,
  mover: SolanaAddress | undefined,
): TokenNames | undefined {
  if (account === undefined) return undefined
  const metaplex = readMetaplex(mint, account)
  if (metaplex) return { ...metaplex, source: 'pointer' }
  const { data } = account
  const start = Buffer.from(data.buffer, data.byteOffset, data.length).indexOf(METADATA_DISCRIMINATOR)
  const inMint = parseMint(mint, account)?.extensions.metadata
  if (inMint) return ofMetadata(inMint, 'pointer', mover)
  if (start < 0) return undefined
  const { metadata } = readMetadataOrNothing(data.subarray(start + METADATA_DISCRIMINATOR.length + 4))
  return metadata && ofMetadata(metadata, 'pointer', mover)
}

/** The first eight bytes of the hash of "spl_token_metadata_interface:token_metadata". */
const METADATA_DISCRIMINATOR = Buffer.from([112, 132, 90, 90, 11, 88, 157, 87])

export const NAMELESS: TokenNames = {
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

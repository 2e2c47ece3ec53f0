import { createHash } from 'node:crypto'
import { addressAt, addressBytes, type SolanaAddress } from './address.js'
import { isPoint } from './curve-point.js'
import { ATA_PROGRAM } from './programs.js'
import { createRemembered } from './remembered.js'

/**
 * The address that a program alone can sign for, made of `seeds` (at most 16, of at most 32 bytes
 * each): the first bump from 255 down whose hash is no point of the curve. Synchronous, because
 * hook accounts are worked out while a fork runs. `undefined` for seeds that the runtime refuses.
 */
export function findProgramAddress(program: SolanaAddress, seeds: readonly Uint8Array[]): SolanaAddress | undefined {
  if (seeds.length >= MAX_SEEDS || seeds.some((seed) => seed.length > MAX_SEED_BYTES)) return undefined
  const key = [program, ...seeds.map((seed) => Buffer.from(seed).toString('base64'))].join()
  const known = found.get(key)
  if (known !== undefined) return known
  const address = search(program, seeds)
  if (address !== undefined) found.set(key, address)
  return address
}

function search(program: SolanaAddress, seeds: readonly Uint8Array[]): SolanaAddress | undefined {
  for (let bump = 255; bump >= 0; bump -= 1) {
    const address = programAddress(program, [...seeds, Uint8Array.of(bump)])
    if (address !== undefined) return address
  }
  return undefined
}

/** The address of these very seeds, the bump among them; `undefined` when it is on the curve. */
export function programAddress(program: SolanaAddress, seeds: readonly Uint8Array[]): SolanaAddress | undefined {
  const hash = createHash('sha256')
    .update(Buffer.concat([...seeds, addressBytes(program), MARKER]))
    .digest()
  return isPoint(hash) ? undefined : addressAt(hash)
}

/**
 * Whether a private key can exist for this address. Program-derived addresses are off the curve.
 */
export function isOnCurve(address: SolanaAddress): boolean {
  const known = onCurve.get(address)
  if (known !== undefined) return known
  const answer = isPoint(addressBytes(address))
  onCurve.set(address, answer)
  return answer
}

/** Where wallets look for the tokens of `owner`. */
export function associatedTokenAddress(
  owner: SolanaAddress,
  mint: SolanaAddress,
  tokenProgram: SolanaAddress,
): SolanaAddress {
  const address = findProgramAddress(ATA_PROGRAM, [addressBytes(owner), addressBytes(tokenProgram), addressBytes(mint)])
  // Three seeds of 32 bytes: one of 256 hashes being off the curve is as good as certain.
  if (address === undefined) throw new RangeError('no associated token address')
  return address
}

const MARKER = new TextEncoder().encode('ProgramDerivedAddress')
const MAX_SEEDS = 16
const MAX_SEED_BYTES = 32

/** A pure function's results. A search costs 0.2 ms or more. */
const MAX_REMEMBERED = 1_024
const found = createRemembered<string, SolanaAddress>(MAX_REMEMBERED)
const onCurve = createRemembered<SolanaAddress, boolean>(MAX_REMEMBERED)

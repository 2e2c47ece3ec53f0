import type { CallFrame } from '../../evm/inspector.js'
import { type Address, type Hex, toPaddedHex } from '../../hex.js'
import type { Fork } from '../../simulation/scenario.js'
import type { Leads } from './leads.js'
import { readPermit, type SignedPermit, signDigest } from './permit-signature.js'
import type { Victim } from './victim.js'

/**
 * Signs, with the victim's key, whatever the target claims that the victim has signed. Whether
 * anything changed.
 */
export function signPermits(fork: Fork, victim: Victim, values: (bigint | Hex)[], { permits }: Leads): boolean[] {
  return permits.map((frame) => {
    const permit = readPermit(fork, frame)
    if (permit?.owner !== victim.address) return false
    const { v, r, s, bytes } = signDigest(permit.digest, victim.key)
    const { signature } = permit
    const pairs: [bigint | Hex, bigint | Hex][] =
      typeof signature === 'string'
        ? [[signature, bytes]]
        : [
            [signature.r, r],
            [signature.s, s],
            [signature.v, v],
          ]
    return pairs.map(([mark, value]) => replace(values, mark, value)).includes(true)
  })
}

/** Signs by no account: what is recovered from it is zero, which is what unset signers are. */
export const VOID = 'void'
/** A key, or none. */
export type Signer = Uint8Array | typeof VOID

/** No point of the curve has zero in its first half, and `s` is as low as codes may ask (EIP-2). */
const VOID_SIGNATURE = { v: 27n, r: 0n, s: 1n, bytes: `0x${'0'.repeat(127)}11b` as Hex }

/**
 * Puts signatures by `key` where the target looked for one, as words or as bytes. Whether anything
 * changed.
 */
export function signLeads(values: (bigint | Hex)[], { signatures }: Leads, key: Signer | undefined): boolean[] {
  if (key === undefined) return []
  return signatures.map((lead) => {
    const { v, r, s, bytes } = key === VOID ? VOID_SIGNATURE : signDigest(lead.digest, key)
    const packed = values.findIndex((value) => typeof value === 'string' && value.startsWith(toPaddedHex(lead.r, 32)))
    if (packed < 0) {
      const pairs = [
        [lead.r, r],
        [lead.s, s],
        [lead.v, v],
      ] as const
      return pairs.map(([mark, value]) => replace(values, mark, value)).includes(true)
    }
    if (values[packed] === bytes) return false
    values[packed] = bytes
    return true
  })
}

/** Puts `value` wherever a leaf is `mark`. Whether anything changed. */
export function replace(values: (bigint | Hex)[], mark: bigint | Hex, value: bigint | Hex): boolean {
  const places = values.flatMap((present, i) => (present === mark && present !== value ? [i] : []))
  for (const i of places) values[i] = value
  return places.length > 0
}

/** Of the victim's signatures those that a contract took for good. */
export function acceptedPermits(fork: Fork, frames: readonly CallFrame[], victim: Address): SignedPermit[] {
  return frames.flatMap((frame) => {
    if (frame.error !== undefined) return []
    const permit = readPermit(fork, frame)
    return permit?.owner === victim ? [permit] : []
  })
}

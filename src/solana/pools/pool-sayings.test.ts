import { describe, expect, test } from 'vitest'
import type { SolanaAccount } from '../account.js'
import { addressAt, addressBytes, type SolanaAddress } from '../address.js'
import { INCINERATOR } from '../programs.js'
import type { VenueId } from './pool.js'
import { saysTheSame } from './pool-sayings.js'
import { layoutOf } from './sample-pool.conformance.js'

const key = (byte: number): SolanaAddress => addressAt(new Uint8Array(32).fill(byte))
const NOW = { unixTime: 1_700_000_000n, isPool: true }

/** An account of an exchange with some bytes other than nil. */
function account(venue: VenueId, bytes: number, changes: readonly (readonly [at: number, byte: number])[] = []) {
  const data = new Uint8Array(bytes)
  for (const [at, byte] of changes) data[at] = byte
  return { lamports: 1n, owner: layoutOf(venue).program, executable: false, data } satisfies SolanaAccount
}

describe('what two nodes say of a pool', () => {
  test.each<[string, VenueId, number, readonly [number, number], boolean]>([
    ['another vault', 'raydium-cpmm', 400, [72, 9], false],
    ['another mint', 'raydium-cpmm', 400, [168, 9], false],
    ['closed', 'raydium-cpmm', 400, [329, 4], false],
    ['a fee that was earned', 'raydium-cpmm', 400, [345, 9], true],
    ['another price', 'orca-whirlpool', 653, [65, 9], true],
    ['another pool of a position', 'orca-whirlpool', 216, [8, 9], false],
    ['more liquidity of a position', 'orca-whirlpool', 216, [72, 9], false],
    ['fees of a position', 'orca-whirlpool', 216, [112, 9], true],
    ['the prices of a list', 'raydium-clmm', 10_240, [73, 9], true],
    ['all shares locked', 'meteora-damm-v2', 1_112, [552, 1], false],
  ])('%s', (_, venue, bytes, change, isSame) => {
    const total = venue === 'meteora-damm-v2' ? ([[360, 1]] as const) : []
    const [ours, theirs] = [account(venue, bytes, total), account(venue, bytes, [...total, change])]
    expect(saysTheSame(key(1), [ours, theirs], { ...NOW, isPool: bytes < 10_240 && bytes !== 216 })).toBe(isSame)
  })

  test('the owner of a position in bins', () => {
    const position = (owner: SolanaAddress) => {
      const data = new Uint8Array(8_120)
      data.set([117, 176, 212, 199, 245, 180, 133, 182])
      data.set(addressBytes(key(1)), 8)
      data.set(addressBytes(owner), 40)
      return { lamports: 1n, owner: layoutOf('meteora-dlmm').program, executable: false, data }
    }
    expect(saysTheSame(key(2), [position(INCINERATOR), position(INCINERATOR)], { ...NOW, isPool: false })).toBe(true)
    expect(saysTheSame(key(2), [position(key(7)), position(INCINERATOR)], { ...NOW, isPool: false })).toBe(false)
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SolanaAccount } from '../account.js'
import { addressBytes } from '../address.js'
import { associatedTokenAddress } from '../pda.js'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL } from '../programs.js'
import { POOL_LAYOUTS, PUMP_CURVE } from './layouts.js'
import type { PoolStatus } from './pool.js'
import { holdsReserves, readCurve, readCurveQuote, readPool } from './read-pool.js'
import { layoutOf, sampleKey, samplePool } from './sample-pool.conformance.js'

const address = sampleKey(1)
const NOW = 1_800_000_000n

describe.each(POOL_LAYOUTS)('$name', (layout) => {
  test('is recognised by its program, mints and vaults', () => {
    const pool = readPool(address, samplePool(layout), NOW)
    expect(pool).toMatchObject({
      venue: layout.id,
      mints: [sampleKey(10), sampleKey(11)],
      vaults: [sampleKey(12), sampleKey(13)],
    })
    expect(pool?.vaultOwner).toBe(layout.vaultOwner === 'pool' ? address : layout.vaultOwner)
    expect(pool && holdsReserves(pool, sampleKey(11), sampleKey(13))).toBe(true)
    // A vault of the other mint, and an account that only claims to be the vault.
    expect(pool && holdsReserves(pool, sampleKey(10), sampleKey(13))).toBe(false)
    expect(pool && holdsReserves(pool, sampleKey(10), sampleKey(14))).toBe(false)
  })

  test('is none when too short, executable, or of another program', () => {
    const account = samplePool(layout)
    expect(readPool(address, { ...account, data: account.data.subarray(0, layout.minBytes - 1) }, NOW)).toBeUndefined()
    expect(readPool(address, { ...account, executable: true }, NOW)).toBeUndefined()
    expect(readPool(address, { ...account, owner: sampleKey(99) }, NOW)).toBeUndefined()
  })

  test('never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1_200 }), (data) => {
        readPool(address, { lamports: 1n, owner: layout.program, executable: false, data }, NOW)
      }),
    )
  })
})

test.each<[string, (view: DataView) => void, PoolStatus]>([
  ['raydium-amm-v4', (view) => view.setBigUint64(0, 6n, true), 'open'],
  ['raydium-amm-v4', (view) => view.setBigUint64(0, 2n, true), 'closed'],
  ['raydium-cpmm', (view) => view.setUint8(329, 4), 'closed'],
  ['raydium-cpmm', (view) => view.setUint8(329, 3), 'open'],
  ['raydium-cpmm', (view) => view.setBigUint64(373, NOW + 1n, true), 'not-open-yet'],
  ['raydium-clmm', (view) => view.setUint8(389, 16), 'closed'],
  ['raydium-clmm', () => {}, 'open'],
  ['meteora-damm-v2', (view) => view.setUint8(481, 1), 'closed'],
  ['meteora-damm-v2', () => {}, 'open'],
])('the status of %s is read', (id, changes, status) => {
  expect(readPool(address, samplePool(layoutOf(id), changes), NOW)?.status).toBe(status)
})

describe('pump.fun', () => {
  const token = { mint: sampleKey(10), tokenProgram: TOKEN_PROGRAM }
  const coin = { mint: WRAPPED_SOL, tokenProgram: TOKEN_PROGRAM }
  const curve = (complete: number): SolanaAccount => {
    const data = new Uint8Array(PUMP_CURVE.minBytes)
    data[48] = complete
    return { lamports: 5n, owner: PUMP_CURVE.program, executable: false, data }
  }

  test('the curve of a mint is open until it is complete', () => {
    expect(readCurve(address, curve(0), token, coin)).toMatchObject({
      status: 'open',
      mints: [sampleKey(10), WRAPPED_SOL],
      // Coins lie on the curve's own account.
      vaults: [associatedTokenAddress(address, sampleKey(10), TOKEN_PROGRAM), address],
    })
    expect(readCurve(address, curve(1), token, coin)?.status).toBe('complete')
  })

  test('an account of another program is no curve', () => {
    expect(readCurve(address, { ...curve(0), owner: sampleKey(9) }, token, coin)).toBeUndefined()
    expect(readCurve(address, { ...curve(0), data: new Uint8Array(48) }, token, coin)).toBeUndefined()
  })

  test('a curve that is priced in a token keeps it in an account of that token', () => {
    const data = new Uint8Array(115)
    data.set(addressBytes(sampleKey(20)), 83)
    const account = { ...curve(0), data }
    expect(readCurveQuote(account)).toBe(sampleKey(20))
    expect(readCurve(address, account, token, coin)).toBeUndefined()
    const quote = { mint: sampleKey(20), tokenProgram: TOKEN_2022_PROGRAM }
    expect(readCurve(address, account, token, quote)?.vaults[1]).toBe(
      associatedTokenAddress(address, sampleKey(20), TOKEN_2022_PROGRAM),
    )
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SolanaAccount } from '../account.js'
import { addressAt, addressBytes } from '../address.js'
import { associatedTokenAddress } from '../pda.js'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL } from '../programs.js'
import { POOL_LAYOUTS, type PoolLayout, PUMP_CURVE } from './layouts.js'
import type { PoolStatus } from './pool.js'
import { holdsReserves, readCurve, readCurveQuote, readPool } from './read-pool.js'

const key = (byte: number) => addressAt(new Uint8Array(32).fill(byte))
const address = key(1)
const NOW = 1_800_000_000n

function poolOf(layout: PoolLayout, changes: (view: DataView) => void = () => {}): SolanaAccount {
  const data = new Uint8Array(layout.exactBytes ?? layout.minBytes + 32)
  data.set(addressBytes(key(10)), layout.mints[0])
  data.set(addressBytes(key(11)), layout.mints[1])
  data.set(addressBytes(key(12)), layout.vaults[0])
  data.set(addressBytes(key(13)), layout.vaults[1])
  changes(new DataView(data.buffer))
  return { lamports: 1n, owner: layout.program, executable: false, data }
}

const layoutOf = (id: string) => {
  const layout = POOL_LAYOUTS.find((each) => each.id === id)
  if (layout === undefined) throw new Error(`no layout ${id}`)
  return layout
}

describe.each(POOL_LAYOUTS)('$name', (layout) => {
  test('is recognised by its program, mints and vaults', () => {
    const pool = readPool(address, poolOf(layout), NOW)
    expect(pool).toMatchObject({ venue: layout.id, mints: [key(10), key(11)], vaults: [key(12), key(13)] })
    expect(pool?.vaultOwner).toBe(layout.vaultOwner === 'pool' ? address : layout.vaultOwner)
    expect(pool && holdsReserves(pool, key(11), key(13))).toBe(true)
    // A vault of the other mint, and an account that only claims to be the vault.
    expect(pool && holdsReserves(pool, key(10), key(13))).toBe(false)
    expect(pool && holdsReserves(pool, key(10), key(14))).toBe(false)
  })

  test('is none when too short, executable, or of another program', () => {
    const account = poolOf(layout)
    expect(readPool(address, { ...account, data: account.data.subarray(0, layout.minBytes - 1) }, NOW)).toBeUndefined()
    expect(readPool(address, { ...account, executable: true }, NOW)).toBeUndefined()
    expect(readPool(address, { ...account, owner: key(99) }, NOW)).toBeUndefined()
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
  expect(readPool(address, poolOf(layoutOf(id), changes), NOW)?.status).toBe(status)
})

describe('pump.fun', () => {
  const token = { mint: key(10), tokenProgram: TOKEN_PROGRAM }
  const coin = { mint: WRAPPED_SOL, tokenProgram: TOKEN_PROGRAM }
  const curve = (complete: number): SolanaAccount => {
    const data = new Uint8Array(PUMP_CURVE.minBytes)
    data[48] = complete
    return { lamports: 5n, owner: PUMP_CURVE.program, executable: false, data }
  }

  test('the curve of a mint is open until it is complete', () => {
    expect(readCurve(address, curve(0), token, coin)).toMatchObject({
      status: 'open',
      mints: [key(10), WRAPPED_SOL],
      // Coins lie on the curve's own account.
      vaults: [associatedTokenAddress(address, key(10), TOKEN_PROGRAM), address],
    })
    expect(readCurve(address, curve(1), token, coin)?.status).toBe('complete')
  })

  test('an account of another program is no curve', () => {
    expect(readCurve(address, { ...curve(0), owner: key(9) }, token, coin)).toBeUndefined()
    expect(readCurve(address, { ...curve(0), data: new Uint8Array(48) }, token, coin)).toBeUndefined()
  })

  test('a curve that is priced in a token keeps it in an account of that token', () => {
    const data = new Uint8Array(115)
    data.set(addressBytes(key(20)), 83)
    const account = { ...curve(0), data }
    expect(readCurveQuote(account)).toBe(key(20))
    expect(readCurve(address, account, token, coin)).toBeUndefined()
    const quote = { mint: key(20), tokenProgram: TOKEN_2022_PROGRAM }
    expect(readCurve(address, account, token, quote)?.vaults[1]).toBe(
      associatedTokenAddress(address, key(20), TOKEN_2022_PROGRAM),
    )
  })
})

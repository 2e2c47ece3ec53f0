import { describe, expect, test } from 'vitest'
import type { SolanaAccount } from '../account.js'
import type { SolanaAddress } from '../address.js'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../programs.js'
import { PUMP_CURVE } from './layouts.js'
import { readPool } from './read-pool.js'
import { layoutOf, sampleKey, samplePool } from './sample-pool.conformance.js'
import { SWAP_ADAPTERS } from './swap.js'
import type { SwapLeg } from './swap-request.js'

const address = sampleKey(1)
const NOW = 1_800_000_000n

/** Found by its own account; the launch curve, by the mint: `swaps/pump.test.ts`. */
const BY_ACCOUNT = Object.keys(SWAP_ADAPTERS).filter((id) => id !== PUMP_CURVE.id)

describe.each(BY_ACCOUNT)('a swap on %s', (id) => {
  const layout = layoutOf(id)
  const pool = readPool(
    address,
    samplePool(layout, (view) => setTicks(id, view)),
    NOW,
  )
  const adapter = SWAP_ADAPTERS[layout.id]
  const leg = (mint: number, vault: number, account: number): SwapLeg => ({
    mint: sampleKey(mint),
    vault: sampleKey(vault),
    account: sampleKey(account),
    tokenProgram: TOKEN_PROGRAM,
    extra: [],
  })
  const other: SolanaAccount = {
    lamports: 1n,
    owner: layout.program,
    executable: false,
    data: new Uint8Array(1_000).fill(3),
  }
  const read = (of: SolanaAddress) => (of === address ? samplePool(layout, (view) => setTicks(id, view)) : other)
  const build = (from: SwapLeg, to: SwapLeg) =>
    pool && adapter?.build(read, { pool, trader: sampleKey(7), amountIn: 5n, from, to })

  test('is signed by the trader alone, and may change only accounts of the two', () => {
    const instruction = build(leg(10, 12, 20), leg(11, 13, 21))
    expect(instruction?.program).toBe(layout.program)
    const signers = instruction?.accounts.filter(({ signer }) => signer).map(({ address: of }) => of)
    expect(signers).toEqual([sampleKey(7)])
    const changed = instruction?.accounts.filter(({ writable }) => writable).map(({ address: of }) => of)
    expect(changed).toEqual(
      expect.arrayContaining([address, sampleKey(12), sampleKey(13), sampleKey(20), sampleKey(21)]),
    )
  })

  test('names what goes in before what comes out, or says the direction', () => {
    const there = build(leg(10, 12, 20), leg(11, 13, 21))
    const back = build(leg(11, 13, 21), leg(10, 12, 20))
    expect(there).not.toEqual(back)
  })

  test('a token that it cannot carry is not tried', () => {
    const hooked = {
      ...leg(10, 12, 20),
      tokenProgram: TOKEN_2022_PROGRAM,
      extra: [{ address: sampleKey(30), signer: false, writable: false }],
    }
    expect(build(hooked, leg(11, 13, 21)) === undefined).toBe(id !== 'example-amm')
  })
})

/** Concentrated pools need the distance between prices to be something. */
function setTicks(id: string, view: DataView): void {
  if (id === 'raydium-clmm') view.setUint16(235, 10, true)
  if (id === 'orca-whirlpool') view.setUint16(41, 64, true)
  // The arrays of bins 0 and 1 behind and before the active one.
  if (id === 'meteora-dlmm') for (const at of [647, 648]) view.setUint8(at, 0xff)
}

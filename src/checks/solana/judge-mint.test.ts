import { describe, expect, test } from 'vitest'
import { addressAt, type SolanaAddress } from '../../solana/address.js'
import { USDC, WRAPPED_SOL } from '../../solana/programs.js'
import { judgePools } from './judge-mint.js'
import type { PoolReport } from './solana-report.js'

const mint = addressAt(new Uint8Array(32).fill(8))
const ownSol = addressAt(new Uint8Array(32).fill(9))

function poolOf(quoteMint: SolanaAddress, quote: bigint, lockedBps: number, token = 10n ** 15n): PoolReport {
  const pool: PoolReport['pool'] = {
    venue: 'raydium-cpmm',
    ...{ address: mint, program: mint, mints: [mint, quoteMint], vaults: [mint, mint], vaultOwner: mint },
    ...{ status: 'open', liquidity: { kind: 'lp-token', mint, issued: 1n } },
  }
  const { liquidity } = pool
  return { pool, name: 'a pool', reserves: { token, quote }, quoteMint, liquidity, lockedBps }
}

const idsOf = (...pools: PoolReport[]) => judgePools(pools).map(({ id }) => id)
const SOL = 1_000_000_000n

describe('judgePools', () => {
  test.each<[string, PoolReport[], string[]]>([
    ['a deep pool that is locked', [poolOf(WRAPPED_SOL, 50n * SOL, 10_000)], []],
    ['a small pool in dollars', [poolOf(USDC, 2_000_000n, 10_000)], []],
    ['less than a hundredth of a coin', [poolOf(WRAPPED_SOL, 9_999_999n, 10_000)], ['liquidity-gone']],
    ['less than a dollar', [poolOf(USDC, 999_999n, 10_000)], ['liquidity-gone']],
    ["the author's own coins", [poolOf(ownSol, 10n ** 18n, 10_000)], ['no-pool']],
    [
      'a locked pool beside a deeper one that is not',
      [poolOf(WRAPPED_SOL, 50n * SOL, 0), poolOf(WRAPPED_SOL, SOL, 10_000)],
      ['liquidity-not-locked'],
    ],
    [
      'an open pool beside a deeper one that is locked',
      [poolOf(WRAPPED_SOL, 50n * SOL, 10_000), poolOf(WRAPPED_SOL, SOL, 0)],
      [],
    ],
    ['no pool', [], ['no-pool']],
  ])('%s', (_, pools, expected) => {
    expect(idsOf(...pools)).toEqual(expected)
  })
})

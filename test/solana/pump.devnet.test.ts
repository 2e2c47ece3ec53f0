import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SolanaTokenReport } from '../../src/checks/solana/solana-report.js'
import { RENT, type SolanaChain } from '../../src/devnet/solana/cluster.js'
import { addressFor, placeToken, placeWrappedSol, readProgram, wallet } from '../../src/devnet/solana/scene.js'
import type { SolanaExample } from '../../src/devnet/solana/solana-example.js'
import { mintAccount, tokenAccount } from '../../src/devnet/solana/token-data.js'
import { addressBytes, type SolanaAddress } from '../../src/solana/address.js'
import { packed } from '../../src/solana/instruction.js'
import { associatedTokenAddress, programAddress } from '../../src/solana/pda.js'
import { POOL_LAYOUTS, PUMP_CURVE } from '../../src/solana/pools/layouts.js'
import { pumpAddress } from '../../src/solana/pools/swaps/pump.js'
import { TOKEN_PROGRAM, WRAPPED_SOL } from '../../src/solana/programs.js'
import { createSolanaStage, type Judged, type SolanaStage } from './solana-stage.js'

/**
 * Our instructions for pump's two programs, played against stand-ins (`contracts/solana/pump.c`)
 * that take the published interface: whether they name the right accounts for what they want done,
 * and whether what a trade cost is measured right, coins and tokens alike.
 */
const HELD_BY_OTHERS = { pool: 0, wallets: 20, walletCount: 19, burnt: 20 }
const TOKENS = 600_000_000_000_000n
const creator = addressFor('creator of a coin')
const recipient = addressFor('recipient of fees')
const owner = addressFor('owner')

const PUMP_SWAP = POOL_LAYOUTS.find(({ id }) => id === 'pump-swap')?.program ?? owner

function placeConfig(chain: SolanaChain, program: SolanaAddress, word: string, offsets: readonly number[]): void {
  const data = new Uint8Array(1_100)
  for (const offset of offsets) data.set(addressBytes(recipient), offset)
  chain.set(pumpAddress(program, word), { lamports: RENT, owner: program, executable: false, data })
  chain.set(recipient, wallet())
}

function placeCurve(chain: SolanaChain, name: string, { sold = 10_000_000_000n, isComplete = false } = {}) {
  chain.deploy(PUMP_CURVE.program, readProgram('pump-curve'))
  placeConfig(chain, PUMP_CURVE.program, 'global', [41, 741])
  const { mint } = placeToken(chain, name, { distribution: HELD_BY_OTHERS })
  const curve = PUMP_CURVE.addressOf(mint) ?? owner
  const reserves = [TOKENS, 30_000_000_000n + sold, TOKENS, sold, 10n ** 15n].map((value) => [64, value] as const)
  const fields = packed(new Uint8Array(8), ...reserves, [8, isComplete ? 1 : 0], addressBytes(creator))
  const data = packed(fields, new Uint8Array(151 - fields.length))
  chain.set(curve, { lamports: RENT + sold, owner: PUMP_CURVE.program, executable: false, data })
  const account = chain.get(mint) ?? mintAccount({ supply: 0n })
  const vault = tokenAccount({ mint, mintAccount: account, owner: curve, amount: TOKENS })
  chain.set(associatedTokenAddress(curve, mint, TOKEN_PROGRAM), vault)
  return mint
}

function placePool(chain: SolanaChain, name: string, { isCashback = false } = {}) {
  chain.deploy(PUMP_SWAP, readProgram('pump-swap'))
  placeConfig(chain, PUMP_SWAP, 'global_config', [643])
  const { mint } = placeToken(chain, name, { distribution: HELD_BY_OTHERS })
  const wrapped = chain.get(WRAPPED_SOL) ?? placeWrappedSol(chain)
  const seeds = [Uint8Array.of(0, 0), ...[creator, mint, WRAPPED_SOL].map(addressBytes)]
  const bumps = Array.from({ length: 255 }, (_, i) => 255 - i)
  const at = (bump: number) =>
    programAddress(PUMP_SWAP, [new TextEncoder().encode('pool'), ...seeds, Uint8Array.of(bump)])
  const bump = bumps.find((each) => at(each) !== undefined) ?? 0
  const pool = at(bump) ?? owner
  const [baseVault, quoteVault] = [mint, WRAPPED_SOL].map((of) => associatedTokenAddress(pool, of, TOKEN_PROGRAM))
  const lp = addressFor(`lp of ${name}`, 'program')
  const keys = [creator, mint, WRAPPED_SOL, lp, baseVault ?? pool, quoteVault ?? pool].map(addressBytes)
  const fields = packed(new Uint8Array(8), [8, bump], [16, 0], ...keys, [64, 10n ** 12n], addressBytes(creator), [8, 0])
  const data = packed(fields, [8, isCashback ? 1 : 0], new Uint8Array(300 - fields.length))
  chain.set(pool, { lamports: RENT, owner: PUMP_SWAP, executable: false, data })
  chain.set(lp, mintAccount({ supply: 0n, decimals: 9, mintAuthority: pool }))
  const base = { mint, mintAccount: chain.get(mint) ?? wrapped, owner: pool, amount: TOKENS }
  const quote = { mint: WRAPPED_SOL, mintAccount: wrapped, owner: pool, amount: 500_000_000_000n, nativeReserve: RENT }
  chain.set(baseVault ?? pool, tokenAccount(base))
  chain.set(quoteVault ?? pool, tokenAccount(quote))
  return mint
}

const example = (name: string, place: (chain: SolanaChain) => SolanaAddress): SolanaExample => ({
  name,
  summary: name,
  expect: { trustStatus: 'Safe' },
  place,
})

let stage: SolanaStage
beforeAll(async () => {
  const examples = [
    example('curve', (chain) => placeCurve(chain, 'curve')),
    example('curve that nobody has bought from', (chain) => placeCurve(chain, 'curve of today', { sold: 0n })),
    example('complete curve', (chain) => placeCurve(chain, 'complete curve', { isComplete: true })),
    example('pool', (chain) => placePool(chain, 'pump pool')),
    example('pool of a cashback coin', (chain) => placePool(chain, 'cashback pool', { isCashback: true })),
  ]
  stage = await createSolanaStage({ examples })
})
afterAll(() => stage.close())

const play = async (name: string) => {
  const report = (await stage.check({ address: stage.addressOf(name) })) as Judged<SolanaTokenReport>
  expect(report.gaps).toEqual([])
  return report
}

test.each(['curve', 'curve that nobody has bought from', 'pool'])(
  '%s: bought and sold for the fee alone',
  async (name) => {
    const { play: played, level } = await play(name)
    const swaps = played?.windows.map(({ swap }) => swap)
    expect(swaps).toHaveLength(3)
    for (const swap of swaps ?? []) {
      expect(swap).toMatchObject({
        buy: { ok: true, reason: '' },
        sell: { ok: true, reason: '' },
        quoteMint: WRAPPED_SOL,
      })
      // One percent each way, and next to nothing for the price. The stand-in reckons with 32 bits,
      // which leaves small trades with two digits.
      expect(swap?.lossBps).toBeGreaterThanOrEqual(198)
      expect(swap?.lossBps).toBeLessThanOrEqual(450)
    }
    expect(level).toBe('Safe')
  },
)

test.each(['complete curve', 'pool of a cashback coin'])(
  '%s: not played, and judged by the token itself',
  async (name) => {
    const { play: played } = await play(name)
    expect(played?.windows.map(({ swap }) => swap)).toEqual([undefined, undefined, undefined])
    expect(played?.windows[0]?.sizes[0]?.sell.ok).toBe(true)
  },
)

test('a swap that is refused counts once an operator has proven the exchange, and one that cannot be made never', async () => {
  let slot = 0n
  // A configuration of before the buy-backs: the stand-in does not know the first form of a trade.
  const elder = example('pool of an elder program', (chain) => {
    const mint = placePool(chain, 'elder pool')
    slot = chain.clock.slot
    const at = pumpAddress(PUMP_SWAP, 'global_config')
    const { data = new Uint8Array(), ...account } = chain.get(at) ?? wallet()
    chain.set(at, { ...account, data: data.slice(0, 643) })
    return mint
  })
  const cashback = example('cashback', (chain) =>
    placePool(chain, 'cashback of an elder program', { isCashback: true }),
  )
  const swapsIn = async (name: string, isProven: boolean) => {
    const venue = { venue: 'pump-swap' as const, program: PUMP_SWAP }
    const proven = () => (isProven ? [{ ...venue, deployedSlot: String(slot) }] : [])
    const own = await createSolanaStage({ examples: [name === 'cashback' ? cashback : elder], proven })
    const report = (await own.check({ address: own.addressOf(name) })) as Judged<SolanaTokenReport>
    await own.close()
    return report.play?.windows.map(({ swap }) => swap?.buy.ok)
  }
  expect(await swapsIn(elder.name, false)).toEqual([undefined, undefined, undefined])
  expect(await swapsIn(elder.name, true)).toEqual([false, false, false])
  expect(await swapsIn('cashback', true)).toEqual([undefined, undefined, undefined])
})

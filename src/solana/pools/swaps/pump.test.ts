import { describe, expect, test } from 'vitest'
import { hasSharedData } from '../../../../test/conformance/shared-data.js'
import { readRecordedTrade } from '../../../../test/solana/recorded-trade.js'
import type { SolanaAccount } from '../../account.js'
import { addressAt, addressBytes, type SolanaAddress } from '../../address.js'
import type { Instruction } from '../../instruction.js'
import { associatedTokenAddress } from '../../pda.js'
import { ATA_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL } from '../../programs.js'
import { LAYOUT_OF_PROGRAM, PUMP_CURVE } from '../layouts.js'
import type { Pool } from '../pool.js'
import { readCurve, readPool } from '../read-pool.js'
import type { SwapLeg } from '../swap-request.js'
import { PUMP_FEE_PROGRAM, pumpAddress } from './pump.js'
import { pumpCurve } from './pump-curve.js'
import { pumpSwap } from './pump-swap.js'

/**
 * What pump publishes of its two programs (pump-fun/pump-public-docs): the order of accounts of
 * `docs/instructions`, addresses that it states in full, and discriminators as `idl/pump.json` and
 * `idl/pump_amm.json` list them.
 */
const PUBLISHED = {
  curveFeeConfig: '8Wf5TiAheLUqBrKXeYg2JtAFFMWtKdG2BSFgqUcPVwTt',
  swapFeeConfig: '5PHirr8joyTMp9JMm6nW7hNDVyEYdkzDqazxPD7RaTjx',
  swapConfig: 'ADyA8hdefvWN2dbGGWFotbzWxrAvLW83WG6QCVXvJKqw',
  global: '4wTV1YmiEkRvAtNtsSGPtUrqRYQMe5SKy2uB4Jjaxnjf',
  curveEvents: 'Ce6TQqeHC9p8KetsN6JsjHK7UTZk7nasjjnr7XxXp9F1',
  swapEvents: 'GS4CU59F31iL7aR2Q8zVS8DRrcRnXX1yjQ66TqNVQnaR',
  buyExactQuoteInV2: 'c2ab1c46684d5b2f',
  sellV2: '5df6823ce7e940b2',
}

const key = (byte: number) => addressAt(new Uint8Array(32).fill(byte))
const [mint, trader, creator] = [key(10), key(7), key(30)]
const [recipient, reserved, buyback] = [key(41), key(42), key(43)]

function account(owner: SolanaAddress, bytes: number, keys: Record<number, SolanaAddress> = {}): SolanaAccount {
  const data = new Uint8Array(bytes)
  for (const [at, of] of Object.entries(keys)) data.set(addressBytes(of), Number(at))
  return { lamports: 1n, owner, executable: false, data }
}

const leg = (of: SolanaAddress, vault: SolanaAddress, tokenProgram: SolanaAddress = TOKEN_PROGRAM): SwapLeg => ({
  mint: of,
  tokenProgram,
  vault,
  account: associatedTokenAddress(trader, of, tokenProgram),
  extra: [],
})
const shape = (instruction: Instruction | undefined) =>
  instruction?.accounts.map(({ address, writable, signer }) => `${signer ? 's' : ''}${writable ? 'w' : 'r'} ${address}`)
const hex = (instruction: Instruction | undefined) => Buffer.from(instruction?.data ?? []).toString('hex')
/** 5 in, at least 1 out: u64, lowest byte first. */
const AMOUNTS = '0500000000000000' + '0100000000000000'

describe('the launch curve', () => {
  const curve = PUMP_CURVE.addressOf(mint) ?? key(0)
  const { program } = PUMP_CURVE
  const global = pumpAddress(program, 'global')
  const config = account(program, 1_100, { 41: recipient, 483: reserved, 741: buyback })

  function play(
    changes: (data: Uint8Array) => void = () => {},
    quoteMint: SolanaAddress = WRAPPED_SOL,
    extra: SwapLeg['extra'] = [],
  ) {
    const stored = account(program, 151, { 49: creator })
    changes(stored.data)
    const token = { mint, tokenProgram: TOKEN_2022_PROGRAM }
    const pool = readCurve(curve, stored, token, { mint: quoteMint, tokenProgram: TOKEN_PROGRAM })
    const coin = { ...leg(mint, pool?.vaults[0] ?? curve, TOKEN_2022_PROGRAM), extra }
    const quote = leg(quoteMint, pool?.vaults[1] ?? curve)
    const read = (of: SolanaAddress) => (of === curve ? stored : of === global ? config : undefined)
    const ask = (from: SwapLeg, to: SwapLeg) => pool && pumpCurve(read, { pool, trader, amountIn: 5n, from, to })
    return { pool, buy: ask(quote, coin), sell: ask(coin, quote) }
  }
  const wsol = (of: SolanaAddress) => associatedTokenAddress(of, WRAPPED_SOL, TOKEN_PROGRAM)
  const vault = pumpAddress(program, 'creator-vault', creator)
  const volume = pumpAddress(program, 'user_volume_accumulator', trader)

  test('is bought from with the 27 published accounts, in their order', () => {
    const { buy } = play()
    expect(shape(buy)).toEqual([
      `r ${PUBLISHED.global}`,
      `r ${mint}`,
      `r ${WRAPPED_SOL}`,
      `r ${TOKEN_2022_PROGRAM}`,
      `r ${TOKEN_PROGRAM}`,
      `r ${ATA_PROGRAM}`,
      `w ${recipient}`,
      `w ${wsol(recipient)}`,
      `w ${buyback}`,
      `w ${wsol(buyback)}`,
      `w ${curve}`,
      `w ${associatedTokenAddress(curve, mint, TOKEN_2022_PROGRAM)}`,
      `w ${wsol(curve)}`,
      `sw ${trader}`,
      `w ${associatedTokenAddress(trader, mint, TOKEN_2022_PROGRAM)}`,
      `w ${wsol(trader)}`,
      `w ${vault}`,
      `w ${wsol(vault)}`,
      `r ${pumpAddress(PUMP_FEE_PROGRAM, 'sharing-config', mint)}`,
      `r ${pumpAddress(program, 'global_volume_accumulator')}`,
      `w ${volume}`,
      `w ${wsol(volume)}`,
      `r ${PUBLISHED.curveFeeConfig}`,
      `r ${PUMP_FEE_PROGRAM}`,
      `r ${SYSTEM_PROGRAM}`,
      `r ${PUBLISHED.curveEvents}`,
      `r ${program}`,
    ])
    expect(hex(buy)).toBe(PUBLISHED.buyExactQuoteInV2 + AMOUNTS)
  })

  test('is sold to with the same, but for the volume of all', () => {
    const { buy, sell } = play()
    const volumeOfAll = `r ${pumpAddress(program, 'global_volume_accumulator')}`
    expect(shape(sell)).toEqual(shape(buy)?.filter((each) => each !== volumeOfAll))
    expect(hex(sell)).toBe(PUBLISHED.sellV2 + AMOUNTS)
  })

  test('of a coin in mayhem mode pays its fee to the receivers that pump keeps for those', () => {
    const { buy } = play((data) => data.set([1], 81))
    expect(shape(buy)?.[6]).toBe(`w ${reserved}`)
  })

  test('that is priced in a token is paid in that token', () => {
    const { pool, buy } = play((data) => data.set(addressBytes(key(50)), 83), key(50))
    expect(shape(buy)?.[2]).toBe(`r ${key(50)}`)
    expect(pool && shape(buy)?.[12]).toBe(`w ${pool?.vaults[1]}`)
  })

  test('is not tried with a token whose hook it would not feed', () => {
    const { buy, sell } = play(undefined, undefined, [{ address: key(60), signer: false, writable: false }])
    expect([buy, sell]).toEqual([undefined, undefined])
  })
})

describe('PumpSwap', () => {
  const layout = [...LAYOUT_OF_PROGRAM.values()].find(({ id }) => id === 'pump-swap')
  const program = layout?.program ?? key(0)
  const [at, baseVault, quoteVault] = [key(1), key(12), key(13)]
  const config = account(program, 1_000, { 643: buyback })
  const configAt = pumpAddress(program, 'global_config')

  function play(cashback = 0) {
    const stored = account(program, 301, { 43: mint, 75: WRAPPED_SOL, 139: baseVault, 171: quoteVault })
    stored.data[244] = cashback
    const pool = readPool(at, stored, 0n) as Pool
    const read = (of: SolanaAddress) => (of === at ? stored : of === configAt ? config : undefined)
    const [base, quote] = [leg(mint, baseVault), leg(WRAPPED_SOL, quoteVault)]
    const ask = (from: SwapLeg, to: SwapLeg) => pumpSwap(read, { pool, trader, amountIn: 5n, from, to })
    return { buy: ask(quote, base), sell: ask(base, quote) }
  }

  test('is traded on with the 17 published accounts, in their order, both ways', () => {
    const { buy, sell } = play()
    expect(shape(buy)).toEqual([
      `w ${at}`,
      `sw ${trader}`,
      `r ${PUBLISHED.swapConfig}`,
      `r ${mint}`,
      `r ${WRAPPED_SOL}`,
      `w ${associatedTokenAddress(trader, mint, TOKEN_PROGRAM)}`,
      `w ${associatedTokenAddress(trader, WRAPPED_SOL, TOKEN_PROGRAM)}`,
      `w ${baseVault}`,
      `w ${quoteVault}`,
      `r ${TOKEN_PROGRAM}`,
      `r ${TOKEN_PROGRAM}`,
      `r ${SYSTEM_PROGRAM}`,
      `w ${pumpAddress(program, 'user_volume_accumulator', trader)}`,
      `r ${PUBLISHED.swapFeeConfig}`,
      `w ${associatedTokenAddress(buyback, WRAPPED_SOL, TOKEN_PROGRAM)}`,
      `r ${PUBLISHED.swapEvents}`,
      `r ${program}`,
    ])
    expect(shape(sell)).toEqual(shape(buy))
    expect(hex(buy)).toBe(PUBLISHED.buyExactQuoteInV2 + AMOUNTS)
    expect(hex(sell)).toBe(PUBLISHED.sellV2 + AMOUNTS)
  })

  test('a pool of a cashback coin is not tried: these instructions refuse it', () => {
    expect(play(1)).toEqual({ buy: undefined, sell: undefined })
  })
})

describe('PumpSwap before its configuration listed who gets the part for buying back', () => {
  const recorded = hasSharedData() ? readRecordedTrade() : undefined

  test.runIf(recorded)('is bought on with the accounts of a trade of mainnet, in their order, and its words', () => {
    const { read, pool, trade } = recorded ?? expect.unreachable()
    const request = { pool, trader: trade.trader, amountIn: trade.amountIn, from: trade.quote, to: trade.base }
    const { accounts, data } = pumpSwap(read, request) ?? expect.unreachable()
    // The buyer chose another of the eight who may get the fee.
    const config = read(PUBLISHED_CONFIG)?.data ?? new Uint8Array()
    const listed = Array.from({ length: 8 }, (_, i) => addressAt(config, 57 + 32 * i))
    const [chosen, ours] = [trade.accounts[9]?.address, accounts[9]?.address]
    expect(listed).toContain(chosen)
    expect(ours).toBe(listed[0])
    const choose = (of?: SolanaAddress) => [of, of && associatedTokenAddress(of, WRAPPED_SOL, TOKEN_PROGRAM)]
    const expected = trade.accounts.map((meta, i) => (i === 9 || i === 10 ? choose(ours)[i - 9] : meta.address))
    expect([trade.accounts[9]?.address, trade.accounts[10]?.address]).toEqual(choose(chosen))
    expect(accounts.map(({ address }) => address)).toEqual(expected)
    expect(accounts.map(({ signer }) => signer)).toEqual(trade.accounts.map(({ signer }) => signer))
    // What we would change, the trade was allowed to change.
    for (const [i, { writable }] of accounts.entries()) if (writable) expect(trade.accounts[i]?.writable).toBe(true)
    expect(Buffer.from(data.slice(0, 16))).toEqual(Buffer.from(trade.data.slice(0, 16)))
    expect(data.length).toBe(trade.data.length)
  })

  test.runIf(recorded)('is sold on with the same, but for the counters of volume', () => {
    const { read, pool, trade } = recorded ?? expect.unreachable()
    const request = { pool, trader: trade.trader, amountIn: 5n, from: trade.base, to: trade.quote }
    const buy = pumpSwap(read, { ...request, from: trade.quote, to: trade.base })
    const sell = pumpSwap(read, request)
    expect(shape(sell)).toEqual(shape(buy)?.filter((_, i) => i !== 19 && i !== 20))
    expect(hex(sell)).toBe(`33e685a4017f83ad${AMOUNTS}`)
  })
})

const PUBLISHED_CONFIG = PUBLISHED.swapConfig as SolanaAddress

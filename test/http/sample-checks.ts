import type { BytecodeReport } from '../../src/checks/bytecode/bytecode-report.js'
import type { HistoryReport } from '../../src/checks/history/history-report.js'
import type { HoneypotReport } from '../../src/checks/honeypot/check-honeypot.js'
import type { WindowVerdict } from '../../src/checks/honeypot/score.js'
import type { FailedCheck } from '../../src/checks/settle.js'
import type { SimulationChecks } from '../../src/checks/simulation/simulation-checks.js'
import type { TradeReport } from '../../src/checks/trade/trade-report.js'
import type { Address, Hex } from '../../src/hex.js'

const TRADER: Address = '0x00000000000000000000000000000000000000aa'
const ROUTER: Address = '0x7a250d5630b4cf539739df2c5dacb4c659f2488d'
const WETH: Address = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
const USDT: Address = '0xdac17f958d2ee523a2206206994597c13d831ec7'
const HASH: Hex = `0x${'ab'.repeat(32)}`

/** A round trip that went through, as the checks report it. */
export const sampleSimulate: TradeReport = {
  success: true,
  errorReason: '',
  kind: 'token',
  nativeDelta: -6_000_000_000_000_000n,
  tokenDelta: 0n,
  allowanceChanges: [],
  returnData: '0x',
  simulatedAt: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
  buyTaxBps: 500,
  sellTaxBps: 800.4,
  transferTaxBps: 0,
  gasUsed: 312_456n,
  watchedDeltas: [
    { token: USDT, delta: 0n },
    { token: WETH, delta: -1n },
  ],
  isReentrancy: false,
  isHoneypot: false,
  inconclusive: undefined,
  venue: { name: 'Uniswap V2', pool: WETH },
  steps: [{ name: 'buy', branch: 'main', success: true, gasUsed: 120_000n, errorReason: '', waitedSeconds: 0 }],
  calls: [
    {
      type: 'CALL',
      from: TRADER,
      to: ROUTER,
      value: '0x2386f26fc10000',
      gas: '0x989680',
      gasUsed: '0x1d4c0',
      input: '0x7ff36ab5',
      calls: [
        {
          type: 'STATICCALL',
          from: ROUTER,
          to: WETH,
          gas: '0x1000',
          gasUsed: '0x10',
          input: '0x70a08231',
          output: '0x01',
        },
      ],
    },
    { type: 'CREATE2', from: TRADER, gas: '0x1', gasUsed: '0x1', input: '0x', error: 'out of gas', revertReason: 'no' },
  ],
  isTruncated: false,
  logs: [{ address: WETH, topics: [HASH], data: '0x01' }],
}

const sampleBytecode: BytecodeReport = {
  isContract: true,
  riskFlags: [
    {
      id: 'kill-switch',
      severity: 'critical',
      threatLevel: 'HIGH',
      title: 'Kill Switch Detected',
      description: 'The contract can be destroyed, which would leave every holder with nothing.',
      confidence: 'medium',
      evidence: [{ address: WETH, pc: 77, selector: '0x41c0e1b5', holder: 'anyone' }],
    },
  ],
  codeHash: HASH,
  normalisedHash: undefined,
  familyCode: undefined,
  selectors: ['0x41c0e1b5'],
  proxy: [{ address: ROUTER, kind: 'EIP-1967', slot: HASH, admin: undefined, codeHash: HASH }],
  conditions: undefined,
  complete: true,
  gaps: [],
}

export const sampleHistory: HistoryReport = {
  success: true,
  activityPulse: 'Active',
  message: '24 transfers in the last 24 hours.',
  recentTransfers: [
    {
      hash: HASH,
      from: TRADER,
      to: WETH,
      value: 1_500_000_000_000_000_000n,
      blockNumber: 21_000_000n,
      logIndex: 3,
      timestamp: Date.UTC(2026, 0, 2) / 1_000,
    },
  ],
  summary: {
    day: { transfers: 24, senders: 6, receivers: 9, buys: 12, sells: 5, isEstimate: false },
    week: { transfers: 130, senders: 14, receivers: 22, buys: 60, sells: 31, isEstimate: true },
    hours: [undefined, 0, 0, 0, 2, 1, 0, 0, 0, 3, 5, 1, 0, 0, 0, 2, 2, 0, 1, 0, 0, 4, 2, 1],
    volume: 2_500_000_000_000_000_000n,
    accounts: 25,
    lastTransfer: Date.UTC(2026, 0, 2) / 1_000,
    firstMint: undefined,
    makeBelieve: [{ id: 'zero-value-transfers', description: '30 of 130 transfers moved nothing.' }],
  },
  symbol: 'TKN',
  decimals: 18,
}

export const sampleChecks: SimulationChecks = {
  block: { number: 21_000_001n, hash: HASH, timestamp: BigInt(Date.UTC(2026, 0, 2, 3) / 1_000) },
  trade: sampleSimulate,
  bytecode: sampleBytecode,
  history: sampleHistory,
  identity: {
    ...{ name: 'Sample Token', symbol: 'TKN', decimals: 18, totalSupply: 1_000_000n * 10n ** 18n },
    ...{ marks: [], imitates: undefined },
  },
}

export const failedCheck = (errorReason: string): FailedCheck => ({ failed: true, errorReason })

const atOnce: WindowVerdict = {
  label: 'Immediate',
  buyTaxBps: 0,
  sellTaxBps: 0,
  riskScore: 0,
  isHostile: false,
  sells: 'whole',
  errorReason: '',
}

const tomorrow: WindowVerdict = {
  label: '24 Hours',
  buyTaxBps: 0,
  sellTaxBps: 4_950,
  riskScore: 60,
  isHostile: true,
  sells: 'whole',
  errorReason: '',
}

const inAWeek: WindowVerdict = {
  label: '7 Days',
  buyTaxBps: 0,
  sellTaxBps: 10_000,
  riskScore: 95,
  isHostile: true,
  sells: 'none',
  errorReason: 'reverted',
}

/** A tax that rises after a day. */
export const sampleHoneypot: HoneypotReport = {
  block: sampleChecks.block,
  riskScore: 95,
  buyTaxBps: 0,
  sellTaxBps: 0,
  isHoneypot: false,
  isTimeHoneypot: true,
  later: tomorrow,
  findings: [],
  inconclusive: undefined,
  doubt: undefined,
  unfinished: undefined,
  conditions: undefined,
  dependencies: undefined,
  causes: [
    {
      window: '7 Days',
      trade: 'sell',
      address: TRADER,
      selector: '0x23b872dd',
      pc: 77,
      slot: 7n,
      value: 1n,
      mapping: undefined,
      setBy: undefined,
      reason: 'slot 7 (1) is set',
    },
  ],
  powers: {
    canBlacklist: true,
    controlsTrading: false,
    canMint: true,
    mintScore: 50,
    mintReason: 'The owner can mint.',
  },
  nextChange: {
    timestamp: 1_800_000_000n,
    number: 25_000_000n,
    buyTaxBps: 0,
    sellTaxBps: 10_000,
    riskScore: 100,
    isHostile: true,
    sells: 'none',
    errorReason: 'sell reverted in the token: no',
  },
  sweep: undefined,
  isBusy: false,
  holderAnalysis: {
    ...{
      holders: 40,
      tested: 10,
      successful: 8,
      ruined: 0,
      failed: 2,
      siphoned: 0,
      averageTaxBps: 150,
      highestTaxBps: 500,
    },
    known: [
      { address: WETH, kind: 'pool', balance: 2n * 10n ** 22n, shareBps: 200, sale: undefined },
      { address: TRADER, kind: 'account', balance: 10n ** 21n, shareBps: undefined, sale: 'refused' },
    ],
    reasons: [{ reason: 'reverted in the token: no', count: 2 }],
    distinction: undefined,
    unfinished: undefined,
  },
  liquidity: {
    ...{
      venue: 'Uniswap V2',
      pool: WETH,
      depth: 5_000_000_000_000_000_000n,
      burntBps: 2_500,
      lockedBps: 5_000,
      unknownBps: 0,
    },
    holders: [
      { address: ROUTER, kind: 'locker', shareBps: 5_000, service: undefined, withdrawableAt: 1_800_000_000 },
      { address: TRADER, kind: 'account', shareBps: 2_500, service: undefined, withdrawableAt: 1_790_000_000 },
    ],
    unlocks: [{ timestamp: 1_800_000_000, shareBps: 5_000 }],
    withdrawableBps: { now: 2_500, in24h: 2_500, in7d: 2_500 },
    unfinished: undefined,
  },
  transferTaxBps: 0,
  poolId: undefined,
  simulatedLiquidity: undefined,
  unknownVenues: [],
  pair: WETH,
  venue: 'Uniswap V2',
  maxBuy: undefined,
  sizes: [
    { amount: 10n ** 18n, poolShareBps: 12.5, success: true, taxBps: 500, received: 4_000_000_000_000_000n },
    { amount: 10n ** 20n, poolShareBps: 1_250, success: false, taxBps: 10_000, received: 0n },
  ],
  markets: {
    pools: [
      {
        ...{ venue: 'Uniswap V2', address: WETH, id: undefined, quote: WETH, isJudged: true },
        ...{ quoteReserve: 5n * 10n ** 18n, tokenReserve: 2n * 10n ** 22n, depth: 5n * 10n ** 18n },
      },
      {
        ...{ venue: 'Uniswap V3', address: ROUTER, id: undefined, quote: USDT, isJudged: false },
        ...{ quoteReserve: 3_000_000_000n, tokenReserve: 4n * 10n ** 21n, depth: 10n ** 18n },
      },
    ],
    omitted: 0,
    depth: 6n * 10n ** 18n,
  },
  origin: {
    known: { creator: TRADER, through: undefined, isProven: true, block: 20_000_000n, timestamp: 1_760_000_000n },
  },
  maxSell: undefined,
  windows: [atOnce, tomorrow, inAWeek],
}

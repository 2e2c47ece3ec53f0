import { afterAll, describe, expect, test } from 'vitest'
import { threadsOfWorker } from '../../../test/threads-of-worker.js'
import { ethereum } from '../../chains/ethereum.js'
import { type Address, type Hex, hexToBytes, toPaddedHex, ZERO_ADDRESS } from '../../hex.js'
import { createSimulator, type Simulator } from '../../simulation/simulator.js'
import { createMemoryStateSource } from '../../state/memory-state-source.js'
import { checkHistory } from './check-history.js'
import { DAY_SECONDS, WEEK_SECONDS } from './pulse.js'
import type { ReadTransfers, TransferReading } from './read-transfers.js'
import { TRANSFER_TOPIC, type TransferLog } from './transfer-log.js'

const TOKEN: Address = '0x00000000000000000000000000000000000a11ce'
const POOL: Address = toPaddedHex(0x9001n, 20)
const HEAD = 1_000_000n
const NOW = 1_800_000_000

/** The token's own words are another test's matter. */
const nameless: Simulator = {
  simulate: () => Promise.reject(new Error('not needed here')),
  queued: () => 0,
  close: async () => {},
}

const word = (account: bigint | Address) => toPaddedHex(BigInt(account), 32)

const log = (secondsAgo: number, fields: Partial<TransferLog> = {}): TransferLog => ({
  hash: toPaddedHex(BigInt(secondsAgo), 32),
  blockNumber: HEAD - BigInt(Math.floor(secondsAgo / 12)),
  logIndex: 0,
  topics: [TRANSFER_TOPIC, word(1n), word(2n)],
  data: toPaddedHex(500n, 32),
  timestamp: NOW - secondsAgo,
  ...fields,
})

const moved = (secondsAgo: number, from: bigint | Address, to: bigint | Address, value = 500n) =>
  log(secondsAgo, { topics: [TRANSFER_TOPIC, word(from), word(to)], data: toPaddedHex(value, 32) })

/** A node that gave these logs, all of them back to `coveredSeconds` ago. */
function given(logs: readonly TransferLog[], coveredSeconds = WEEK_SECONDS, samples: TransferReading['samples'] = []) {
  const readTransfers: ReadTransfers = async () => ({
    logs,
    coveredFrom: HEAD - BigInt(coveredSeconds / 12),
    coveredSince: NOW - coveredSeconds,
    samples,
  })
  return readTransfers
}

/** A token that could not be asked. */
const NAMELESS = Promise.resolve(undefined)

function check(
  readTransfers: ReadTransfers,
  { pool, simulator = nameless }: { pool?: Address; simulator?: Simulator } = {},
) {
  const state = createMemoryStateSource({ block: { number: HEAD, timestamp: BigInt(NOW) } })
  const target = { chain: ethereum, address: TOKEN }
  return checkHistory({ readTransfers, simulator }, target, state, Promise.resolve(pool), NAMELESS)
}

describe('the pulse', () => {
  test('counts the transfers of the last day, and shows the newest ten first', async () => {
    const report = await check(given(Array.from({ length: 40 }, (_, i) => log((39 - i) * 600))))
    expect(report).toMatchObject({ success: true, activityPulse: 'Active', symbol: '', decimals: undefined })
    const ages = report.recentTransfers.map(({ timestamp }) => (NOW - timestamp) / 600)
    expect(ages).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  test('a transfer in the week, none in the day', async () => {
    expect(await check(given([log(3 * DAY_SECONDS)]))).toMatchObject({ success: true, activityPulse: 'Low Activity' })
  })

  test('a week without transfers is death', async () => {
    const report = await check(given([]))
    expect(report).toMatchObject({ success: true, activityPulse: 'Dead / No Activity', recentTransfers: [] })
    expect(report.summary).toMatchObject({ accounts: 0, volume: 0n, lastTransfer: undefined, makeBelieve: [] })
  })

  test('a week that the node did not give is not known, rather than dead', async () => {
    const report = await check(given([], 2 * DAY_SECONDS))
    expect(report).toMatchObject({ success: false, activityPulse: undefined })
    expect(report.message).toBe('Not known: no transfer was found in 2 days, and the node gave no more.')
  })

  test('a busy token that is given only in part is estimated, and says so', async () => {
    const newestHour = Array.from({ length: 300 }, (_, i) => log(i * 12))
    const report = await check(given(newestHour, 3_600))
    expect(report).toMatchObject({
      activityPulse: 'Very Active',
      message: 'The token moves: about 7,200 transfers in 24 hours.',
    })
    expect(report.summary.day).toMatchObject({ transfers: 7_200, isEstimate: true, senders: 1, receivers: 1 })
  })

  test('takes transfers of fungible and of single tokens, and nothing else', async () => {
    const odd: Partial<TransferLog>[] = [
      { topics: [TRANSFER_TOPIC] },
      { topics: [toPaddedHex(9n, 32), word(1n), word(2n)] },
      { data: '0x' as Hex },
    ]
    const nft = log(60, { topics: [...log(60).topics, toPaddedHex(77n, 32)], data: '0x' })
    const { recentTransfers } = await check(given([log(30), nft, ...odd.map((fields) => log(90, fields))]))
    expect(recentTransfers.map(({ value }) => value)).toEqual([500n, 1n])
    expect(recentTransfers[0]).toMatchObject({ from: toPaddedHex(1n, 20), to: toPaddedHex(2n, 20) })
  })
})

describe('the summary', () => {
  const HOUR = 3_600

  test('counts transfers, accounts, buys and sells of the day and the week', async () => {
    const { summary } = await check(
      given([
        moved(1 * HOUR, POOL, 10n),
        moved(2 * HOUR, POOL, 11n),
        moved(3 * HOUR, 10n, POOL),
        moved(4 * HOUR, 10n, 11n),
        moved(50 * HOUR, POOL, 12n),
        moved(51 * HOUR, POOL, ZERO_ADDRESS),
        moved(60 * HOUR, ZERO_ADDRESS, POOL, 9_000n),
      ]),
      { pool: POOL },
    )
    expect(summary).toEqual({
      hours: [...Array.from({ length: 20 }, () => 0), 1, 1, 1, 1],
      day: { transfers: 4, senders: 2, receivers: 3, buys: 2, sells: 1, isEstimate: false },
      week: { transfers: 7, senders: 2, receivers: 4, buys: 3, sells: 2, isEstimate: false },
      volume: 12_000n,
      accounts: 4,
      lastTransfer: NOW - HOUR,
      firstMint: NOW - 60 * HOUR,
      makeBelieve: [],
    })
  })

  test('tells each hour of the last day apart, and which of them were not read', async () => {
    const logs = [moved(0, 1n, 2n), moved(3_600, 1n, 2n), moved(3_601, 1n, 2n), moved(DAY_SECONDS, 1n, 2n)]
    const whole = await check(given([...logs, moved(DAY_SECONDS + 1, 1n, 2n)]))
    expect(whole.summary.hours).toEqual([1, ...Array.from({ length: 21 }, () => 0), 1, 2])
    expect(whole.summary.day.transfers).toBe(4)
    // A busy token: three and a half hours are in sight.
    const part = await check(given(logs.slice(0, 3), 3.5 * 3_600))
    expect(part.summary.hours).toEqual([...Array.from({ length: 21 }, () => undefined), 0, 1, 2])
  })

  test('without a pool, trades are not counted rather than none', async () => {
    expect((await check(given([log(60)]))).summary.day).toMatchObject({ buys: undefined, sells: undefined })
  })

  test('the week of a busy token comes from samples of the other days', async () => {
    const newestDay = Array.from({ length: 500 }, (_, i) => moved(i * 172, POOL, 10n))
    const samples = [
      { seconds: HOUR, transfers: 5 },
      { seconds: HOUR, transfers: 3 },
    ]
    const { summary } = await check(given(newestDay, DAY_SECONDS, samples), { pool: POOL })
    // 500 on the newest day, and 4 an hour on the six others.
    expect(summary.week).toMatchObject({ transfers: 500 + 6 * 24 * 4, buys: 500 + 6 * 24 * 4, isEstimate: true })
    expect(summary.day).toMatchObject({ transfers: 500, isEstimate: false })
  })

  test('a mint at the very edge of what was read says nothing about age', async () => {
    const logs = [moved(10, 1n, 2n), moved(2 * DAY_SECONDS, ZERO_ADDRESS, 1n)]
    expect((await check(given(logs, 2 * DAY_SECONDS))).summary.firstMint).toBeUndefined()
    expect((await check(given(logs))).summary.firstMint).toBe(NOW - 2 * DAY_SECONDS)
  })
})

describe('balances behind the events', () => {
  const simulator = createSimulator({ threads: threadsOfWorker().trades })
  afterAll(() => simulator.close())

  /** `balanceOf` answers the word at storage slot `account`; everything else stops. */
  const CODE = hexToBytes('0x600435545f5260205ff3')
  const RECEIVERS = Array.from({ length: 12 }, (_, i) => BigInt(0x100 + i))
  const announced = RECEIVERS.map((account, i) => moved(60 * (i + 1), BigInt(0x50 + i), account))

  function checkHolding(balance: bigint, pool?: Address) {
    const storage = new Map(RECEIVERS.map((account) => [account, balance]))
    const state = createMemoryStateSource({
      block: { number: HEAD, timestamp: BigInt(NOW) },
      accounts: { [TOKEN]: { code: CODE, storage } },
    })
    return checkHistory(
      { readTransfers: given(announced), simulator },
      { chain: ethereum, address: TOKEN },
      state,
      Promise.resolve(pool),
      NAMELESS,
    )
  }

  test('receivers that have nothing are told of', async () => {
    const { summary } = await checkHolding(0n)
    expect(summary.makeBelieve).toEqual([
      {
        id: 'no-balance-change',
        description: '8 of 8 accounts that received the token, by its own events, and never sent it have none of it.',
      },
    ])
  })

  test('receivers that have their tokens are in order', async () => {
    expect((await checkHolding(500n)).summary.makeBelieve).toEqual([])
  })
})

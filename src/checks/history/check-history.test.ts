import { describe, expect, test } from 'vitest'
import { ethereum } from '../../chains/ethereum.js'
import { type Address, type Hex, toPaddedHex } from '../../hex.js'
import type { Simulator } from '../../simulation/simulator.js'
import { createMemoryStateSource } from '../../state/memory-state-source.js'
import { checkHistory, type ReadTransfers, TRANSFER_TOPIC, type TransferLog } from './check-history.js'
import { DAY_SECONDS, WEEK_SECONDS } from './pulse.js'

const TOKEN: Address = '0x00000000000000000000000000000000000a11ce'
const HEAD = 1_000_000n
const NOW = 1_800_000_000
const BLOCKS_PER_DAY = 7_200n

/** The token's own words are another test's matter. */
const nameless: Simulator = {
  simulate: () => Promise.reject(new Error('not needed here')),
  close: async () => {},
}

const log = (secondsAgo: number, fields: Partial<TransferLog> = {}): TransferLog => ({
  hash: toPaddedHex(BigInt(secondsAgo), 32),
  blockNumber: HEAD - BigInt(Math.floor(secondsAgo / 12)),
  logIndex: 0,
  topics: [TRANSFER_TOPIC, toPaddedHex(1n, 32), toPaddedHex(2n, 32)],
  data: toPaddedHex(500n, 32),
  timestamp: NOW - secondsAgo,
  ...fields,
})

/** A node that has these logs, and gives them from `readableFrom` on. */
function nodeWith(logs: readonly TransferLog[], readableFrom = 0n) {
  const queries: [from: bigint, to: bigint][] = []
  const readTransfers: ReadTransfers = async ({ fromBlock, toBlock }) => {
    queries.push([fromBlock, toBlock])
    const coveredFrom = fromBlock > readableFrom ? fromBlock : readableFrom
    return {
      logs: logs.filter(({ blockNumber }) => blockNumber >= coveredFrom && blockNumber <= toBlock),
      coveredFrom,
      coveredSince: NOW - Number(HEAD - coveredFrom) * 12,
    }
  }
  return { readTransfers, queries }
}

function check(readTransfers: ReadTransfers) {
  const state = createMemoryStateSource({ block: { number: HEAD, timestamp: BigInt(NOW) } })
  return checkHistory({ readTransfers, simulator: nameless }, { chain: ethereum, address: TOKEN }, state)
}

describe('checkHistory', () => {
  test('counts the transfers of the last day, and shows the newest ten first', async () => {
    const { readTransfers, queries } = nodeWith(Array.from({ length: 40 }, (_, i) => log(i * 600)))
    const report = await check(readTransfers)
    expect(report).toMatchObject({ success: true, activityPulse: 'Active', symbol: '', decimals: undefined })
    expect(report.recentTransfers.map(({ timestamp }) => (NOW - timestamp) / 600)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
    ])
    expect(queries).toEqual([[HEAD - BLOCKS_PER_DAY, HEAD]])
  })

  test('looks back a week only when the day was quiet', async () => {
    const { readTransfers, queries } = nodeWith([log(3 * DAY_SECONDS)])
    const report = await check(readTransfers)
    expect(report).toMatchObject({ success: true, activityPulse: 'Low Activity' })
    expect(queries).toEqual([
      [HEAD - BLOCKS_PER_DAY, HEAD],
      [HEAD - 7n * BLOCKS_PER_DAY, HEAD - BLOCKS_PER_DAY - 1n],
    ])
  })

  test('a week without transfers is death', async () => {
    const { readTransfers } = nodeWith([log(WEEK_SECONDS + DAY_SECONDS)])
    expect(await check(readTransfers)).toMatchObject({
      success: true,
      activityPulse: 'Dead / No Activity',
      recentTransfers: [],
    })
  })

  test('a week that the node did not give is not known, rather than dead', async () => {
    const { readTransfers } = nodeWith([], HEAD - 2n * BLOCKS_PER_DAY)
    const report = await check(readTransfers)
    expect(report).toMatchObject({ success: false, activityPulse: undefined })
    expect(report.message).toBe('Not known: no transfer was found in 2 days, and the node gave no more.')
  })

  test('a busy token that the node gives only in part is estimated, and says so', async () => {
    const { readTransfers } = nodeWith(
      Array.from({ length: 300 }, (_, i) => log(i * 12)),
      HEAD - 300n,
    )
    expect(await check(readTransfers)).toMatchObject({
      success: true,
      activityPulse: 'Very Active',
      message: 'The token moves: about 7,200 transfers in 24 hours.',
    })
  })

  test('takes transfers of fungible and of single tokens, and nothing else', async () => {
    const odd: Partial<TransferLog>[] = [
      { topics: [TRANSFER_TOPIC] },
      { topics: [toPaddedHex(9n, 32), toPaddedHex(1n, 32), toPaddedHex(2n, 32)] },
      { data: '0x' as Hex },
    ]
    const nft = log(60, { topics: [...log(60).topics, toPaddedHex(77n, 32)], data: '0x' })
    const { readTransfers } = nodeWith([log(30), nft, ...odd.map((fields) => log(90, fields))])
    const { recentTransfers } = await check(readTransfers)
    expect(recentTransfers.map(({ value }) => value)).toEqual([500n, 1n])
    expect(recentTransfers[0]).toMatchObject({ from: toPaddedHex(1n, 20), to: toPaddedHex(2n, 20) })
  })
})

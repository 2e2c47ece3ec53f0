import { expect, test } from 'vitest'
import { createManualClock } from '../clock.js'
import { toPaddedHex } from '../hex.js'
import type { ConcurrencyLimit } from '../scheduling/concurrency-limit.js'
import { FLAPPING_AGAIN_MS } from './follow-chain.js'
import { createJudgeAgain } from './judge-again.js'
import type { Judged } from './judge-token.js'
import { ALERT_KINDS, type Judgement, type Watch } from './watch.js'
import { type Settlement, STALE_MS, type WatchedToken, type WatchStore } from './watch-store.js'

const CHAIN = 1
const address = toPaddedHex(0x70_0001n, 20)
const judgement: Judgement = {
  ...{
    level: 'Low Risk',
    score: 10,
    advice: 'No trap found',
    headline: 'It is what it is.',
    token: null,
    buyTaxBps: 0,
    sellTaxBps: 0,
  },
  ...{ isHoneypot: false, isWhole: true, block: { number: 7n, hash: toPaddedHex(7n, 32) } },
}
interface Dates {
  nextChange?: number | undefined
  nextUnlock?: number | undefined
}
const dependencies = ({ nextChange, nextUnlock }: Dates) => ({
  ...{ words: [], codes: [], isTruncated: false, nextChange, nextUnlock },
})
const watch: Watch = {
  ...{ id: 'watch_a', keyId: 'key_a', chainId: CHAIN, address, tells: ALERT_KINDS, webhook: undefined, contacts: [] },
  ...{ createdAt: 0, expiresAt: Number.MAX_SAFE_INTEGER },
}

/** One token that is always due, and announces what is asked for. */
function setUp() {
  const clock = createManualClock()
  const settled: Settlement[] = []
  let token: WatchedToken = {
    ...{ chainId: CHAIN, address, version: 1, judgement, dependencies: dependencies({}) },
    ...{ judgedAt: 0, changedBlock: 0n, failures: 0 },
  }
  let announced: Dates = {}
  const store = {
    claimDue: async () => token,
    listOn: async () => [watch],
    async settle(settlement: Settlement) {
      settled.push(settlement)
      token = { ...token, version: token.version + 1, dependencies: settlement.dependencies }
      return true
    },
  } as unknown as WatchStore
  const slots = { run: <T>(_: unknown, job: () => Promise<T>) => job() } as unknown as ConcurrencyLimit
  const judged = async (): Promise<Judged> => ({
    judgement,
    dependencies: dependencies(announced),
    liquidity: undefined,
  })
  const judgeAgain = createJudgeAgain({
    ...{ judges: new Map([[CHAIN, judged]]), store, slots, clock },
    onFailure(error) {
      throw error
    },
  })
  const seconds = (later: number) => Math.floor(clock.now() / 1_000) + later
  return {
    clock,
    seconds,
    async judge(dates: Dates | number = {}) {
      announced = typeof dates === 'number' ? { nextChange: dates } : dates
      await judgeAgain(new AbortController().signal)
      return settled.at(-1) as Settlement
    },
  }
}

const DAY = 86_400

test('a change that is announced is told when it is announced, and again when it is due', async () => {
  const { judge, seconds, clock } = setUp()
  expect((await judge()).alerts).toEqual([])
  const at = seconds(DAY)
  const { alerts, dueAt } = await judge(at)
  expect(alerts).toMatchObject([
    { kind: 'date', after: judgement, text: expect.stringContaining('announces a change') },
  ])
  expect(dueAt).toBeLessThanOrEqual(at * 1_000)
  expect((await judge(at)).alerts).toEqual([])
  clock.advance(DAY * 1_000)
  expect((await judge()).alerts).toMatchObject([{ kind: 'date', text: expect.stringContaining('is due') }])
})

test('the end of a lock on liquidity is told when it is known, and again when it comes', async () => {
  const { judge, seconds, clock } = setUp()
  const [nextUnlock, nextChange] = [seconds(DAY / 2), seconds(3 * DAY)]
  const { alerts, dueAt } = await judge({ nextUnlock, nextChange })
  expect(alerts.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^It announces a change for /),
    expect.stringMatching(/^Liquidity of its pool is locked until /),
  ])
  expect(dueAt).toBe(nextUnlock * 1_000)
  clock.advance((DAY / 2) * 1_000)
  expect((await judge({ nextChange })).alerts).toMatchObject([
    { kind: 'date', text: expect.stringMatching(/^The lock on liquidity of its pool ended at /) },
  ])
  expect((await judge({ nextChange })).alerts).toEqual([])
})

test('a date that moves on with the clock is told once, and one that comes sooner again', async () => {
  const { judge, seconds } = setUp()
  expect((await judge(seconds(30 * DAY))).alerts).toHaveLength(1)
  expect((await judge(seconds(31 * DAY))).alerts).toEqual([])
  expect((await judge(seconds(31 * DAY - 60))).alerts).toEqual([])
  expect((await judge(seconds(DAY))).alerts).toHaveLength(1)
})

test('a token that changes while each of its verdicts is made is judged at once some times, and then now and then', async () => {
  const { judge, clock } = setUp()
  const pauses: (number | undefined)[] = []
  for (let n = 0; n < 30; n += 1) pauses.push((await judge()).staleMs)
  expect(pauses).toEqual([...Array(24).fill(STALE_MS), ...Array(6).fill(FLAPPING_AGAIN_MS)])
  clock.advance(3_600_000)
  expect((await judge()).staleMs).toBe(STALE_MS)
})

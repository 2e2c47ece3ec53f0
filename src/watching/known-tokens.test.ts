import { expect, test } from 'vitest'
import { createManualClock } from '../clock.js'
import { type Address, toPaddedHex } from '../hex.js'
import { createKnownTokens, READ_AT_ONCE, RENEWED_AT_ONCE, RENEWED_MS } from './known-tokens.js'
import type { WatchedToken } from './watch-store.js'

const tokenOf = (n: number): Address => toPaddedHex(0x70_0000n + BigInt(n), 20)
const LOOK_MS = 1_000

/** A token that stands on one word of its own, judged at `judgedAt`. */
const judged = (n: number, judgedAt = 0): WatchedToken => ({
  ...{ chainId: 1, address: tokenOf(n), version: 1, judgedAt, changedBlock: 0n, failures: 0, judgement: undefined },
  dependencies: {
    words: [{ address: tokenOf(n), slot: 5n, value: BigInt(judgedAt), role: 'decides' }],
    ...{ codes: [], isTruncated: false, nextChange: undefined },
  },
})

/** Knows the tokens of a store that counts what each look asks it for. */
function knowing(count: number) {
  const rows = new Map(Array.from({ length: count }, (_, n) => [tokenOf(n), judged(n)]))
  const clock = createManualClock()
  let read: number[] = []
  const counted = (page: WatchedToken[]) => {
    read.push(page.length)
    return page
  }
  const known = createKnownTokens({
    ...{ chainId: 1, clock },
    store: {
      listTokens: async (_, { after = '', limit }) =>
        counted([...rows.values()].filter(({ address }) => address > after).slice(0, limit)),
      listJudged: async (_, since) => counted([...rows.values()].filter(({ judgedAt = 0 }) => judgedAt > since)),
    },
  })
  return {
    ...{ rows, clock, known },
    /** How many tokens each question of one look was answered with. */
    async look() {
      read = []
      clock.advance(LOOK_MS)
      await known.refresh()
      return read
    },
  }
}

/** Tokens of which a change of their word is found. */
const found = ({ known, rows }: ReturnType<typeof knowing>, addresses = [...rows.keys()]) =>
  known.index.find({
    words: new Map(addresses.map((address) => [address, new Map([[5n, { value: -1n, transaction: undefined }]])])),
    codes: new Map(),
  }).length

test('the first look reads all tokens, some in one go, and a later one a few, for as long as it goes on', async () => {
  const service = knowing(2 * READ_AT_ONCE + 1)
  expect(await service.look()).toEqual([READ_AT_ONCE, READ_AT_ONCE, 1])
  expect(found(service)).toBe(2 * READ_AT_ONCE + 1)
  // Twice as long as all tokens were read anew in.
  let most = 0
  for (let at = 0; at < 2 * RENEWED_MS; at += LOOK_MS)
    most = Math.max(
      most,
      (await service.look()).reduce((sum, count) => sum + count, 0),
    )
  expect(most).toBe(RENEWED_AT_ONCE)
  expect(found(service)).toBe(2 * READ_AT_ONCE + 1)
})

test('what is not watched any more is forgotten in time, some at a look, and what came back is not', async () => {
  const service = knowing(100)
  await service.look()
  const all = [...service.rows.keys()]
  const kept = all.filter((_, n) => n % 2 === 0)
  for (const address of all) if (!kept.includes(address)) service.rows.delete(address)
  const counts: number[] = []
  for (let looks = 0; looks < 12; looks += 1) {
    await service.look()
    counts.push(found(service, all))
  }
  // The turn ends with its third look, and what it has not met goes from there on.
  expect(counts).toEqual([100, 100, 80, 60, 50, 50, 50, 50, 50, 50, 50, 50])
  service.rows.set(tokenOf(1), judged(1, service.clock.now()))
  for (let looks = 0; looks < 12; looks += 1) await service.look()
  expect(found(service, all)).toBe(51)
})

test('a token that was judged by a clock that is far behind is met all the same', async () => {
  const service = knowing(100)
  for (let looks = 0; looks < 60; looks += 1) await service.look()
  service.rows.set(tokenOf(7), judged(7, 1))
  expect((await service.look()).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(RENEWED_AT_ONCE)
  for (let looks = 0; looks < 12; looks += 1) await service.look()
  const unchanged = { words: new Map([[tokenOf(7), new Map([[5n, { value: 1n, transaction: undefined }]])]]) }
  expect(service.known.index.find({ ...unchanged, codes: new Map() })).toEqual([])
})

test('a process that has not looked for long begins anew, as one that starts', async () => {
  const service = knowing(3)
  await service.look()
  service.rows.delete(tokenOf(1))
  service.clock.advance(RENEWED_MS)
  expect(await service.look()).toEqual([2])
  expect(found(service, [tokenOf(0), tokenOf(1), tokenOf(2)])).toBe(2)
})

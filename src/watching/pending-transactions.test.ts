import { expect, test } from 'vitest'
import { createManualClock } from '../clock.js'
import { type Address, type Hex, toPaddedHex } from '../hex.js'
import { RpcLacksAbilityError } from '../rpc/capabilities.js'
import type { RpcRequest } from '../rpc/request.js'
import { createPendingLooks, type PendingLooksOptions } from './pending-transactions.js'

const TOKEN = toPaddedHex(0x70_0001n, 20)
const OWNER = toPaddedHex(0xa_0001n, 20)
const OTHER = toPaddedHex(0xb_0001n, 20)
const HEAD = 100n

const accounts = (place?: Address, holder?: Address) => ({
  places: new Set(place === undefined ? [] : [place]),
  holders: new Set(holder === undefined ? [] : [holder]),
})

const waiting = (n: number, from: Address, to: Address | null) => ({
  ...{ hash: toPaddedHex(BigInt(n), 32), from, to, value: '0x0', input: '0x12345678', gas: '0x5208' },
})

/** A node that says of each call that it changes word 5 of what it goes to. */
function nodeWith(transactions: unknown[], { number = '0x65', fails }: { number?: Hex | null; fails?: string } = {}) {
  const asked: string[] = []
  const rpc = {
    async call<T>({ method, params, parse }: RpcRequest<T>): Promise<T> {
      asked.push(method)
      if (fails === method) throw new RpcLacksAbilityError('prestateTracer')
      if (method === 'eth_getBlockByNumber') return parse({ number, transactions })
      const [{ to }] = params as [{ to: Address }]
      return parse({ pre: { [to]: {} }, post: { [to]: { storage: { [toPaddedHex(5n, 32)]: toPaddedHex(1n, 32) } } } })
    },
  } as PendingLooksOptions['rpc']
  const clock = createManualClock()
  return { looks: createPendingLooks({ rpc, clock }), asked, clock }
}

test('what an account in question sends or is sent is played once, and told while it waits', async () => {
  const { looks, asked } = nodeWith([
    waiting(1, OTHER, TOKEN),
    waiting(2, OWNER, OTHER),
    waiting(3, OTHER, OTHER),
    waiting(4, OTHER, null),
  ])
  const found = await looks.look(accounts(TOKEN, OWNER), HEAD)
  expect(found.map(({ transaction }) => BigInt(transaction))).toEqual([2n, 1n])
  expect(found[1]?.changes.words.get(TOKEN)?.get(5n)).toEqual({ value: 1n, transaction: found[1]?.transaction })
  expect(await looks.look(accounts(TOKEN, OWNER), HEAD)).toEqual(found)
  expect(asked.filter((method) => method === 'debug_traceCall')).toHaveLength(2)
})

test('a flood is played some at a time, and nothing of it is lost', async () => {
  const { looks } = nodeWith(Array.from({ length: 40 }, (_, n) => waiting(n, OTHER, TOKEN)))
  const counts: number[] = []
  for (let looked = 0; looked < 4; looked += 1) counts.push((await looks.look(accounts(TOKEN), HEAD)).length)
  expect(counts).toEqual([16, 32, 40, 40])
})

test('a flood of others keeps nothing of a holder waiting', async () => {
  const flood = Array.from({ length: 40 }, (_, n) => waiting(n, OTHER, TOKEN))
  const { looks } = nodeWith([...flood, waiting(77, OWNER, TOKEN)])
  const found = await looks.look(accounts(TOKEN, OWNER), HEAD)
  expect(found.map(({ transaction }) => BigInt(transaction))).toContain(77n)
  expect(found).toHaveLength(16)
})

test('a node that answers with its newest block says nothing of what waits', async () => {
  const { looks, asked } = nodeWith([waiting(1, OTHER, TOKEN)], { number: '0x64' })
  expect(await looks.look(accounts(TOKEN), HEAD)).toEqual([])
  expect(asked).toEqual(['eth_getBlockByNumber'])
  const unnumbered = nodeWith([waiting(1, OTHER, TOKEN)], { number: null })
  expect(await unnumbered.looks.look(accounts(TOKEN), HEAD)).toHaveLength(1)
})

test.each(['eth_getBlockByNumber', 'debug_traceCall'])('a node without %s is left alone for a while', async (fails) => {
  const { looks, asked, clock } = nodeWith([waiting(1, OTHER, TOKEN)], { fails })
  for (let looked = 0; looked < 3; looked += 1) expect(await looks.look(accounts(TOKEN), HEAD)).toEqual([])
  const count = asked.length
  clock.advance(600_000)
  await looks.look(accounts(TOKEN), HEAD)
  expect(asked.length).toBe(2 * count)
})

test.each([
  ['no list', { number: '0x65', transactions: {} }],
  ['no hash', { number: '0x65', transactions: [{ ...waiting(1, OTHER, TOKEN), hash: 7 }] }],
  ['a number that is none', { number: 'latest', transactions: [] }],
])('an answer with %s is refused', async (_, answer) => {
  const rpc = { call: async <T>({ parse }: RpcRequest<T>) => parse(answer) } as PendingLooksOptions['rpc']
  const looks = createPendingLooks({ rpc, clock: createManualClock() })
  await expect(looks.look(accounts(TOKEN), HEAD)).rejects.toThrow()
})

test('with nothing watched no node is asked', async () => {
  const { looks, asked } = nodeWith([])
  await looks.look(accounts(), HEAD)
  expect(asked).toEqual([])
})

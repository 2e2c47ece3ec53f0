import { expect, test } from 'vitest'
import { createConcurrencyLimit } from '../scheduling/concurrency-limit.js'
import type { TokenAddress } from '../solana/token-address.js'
import type { Judge } from '../watching/judge-token.js'
import { createWarmUp, WARMING_TOKENS } from './warm-up.js'

const tokensOf = (chainId: number) =>
  Array.from({ length: 5 }, (_, n) => `0x${String(chainId * 10 + n).padStart(40, '0')}` as TokenAddress)

function warming(judge: Judge, countWaiting: (chainId: number) => Promise<number> = async () => 0) {
  const failures: unknown[] = []
  const asked: TokenAddress[] = []
  const counted: Judge = (target) => {
    asked.push(target.address)
    return judge(target)
  }
  const warmUp = createWarmUp({
    judges: new Map([
      [1, counted],
      [2, counted],
    ]),
    slots: createConcurrencyLimit({ concurrency: 4, maxWaiting: 64 }),
    ...{ tokensOf, countWaiting, onFailure: (error: unknown) => failures.push(error) },
  })
  return { warmUp, asked, failures }
}

test('some tokens of each chain are judged once', async () => {
  const { warmUp, asked, failures } = warming(async () => undefined)
  await warmUp(new AbortController().signal)
  expect(asked).toEqual([...tokensOf(1).slice(0, WARMING_TOKENS), ...tokensOf(2).slice(0, WARMING_TOKENS)])
  expect(failures).toEqual([])
})

test('a chain whose nodes do not answer keeps no other from being made ready', async () => {
  const { warmUp, asked, failures } = warming(async () => {
    throw new Error('no node answers')
  })
  await warmUp(new AbortController().signal)
  expect(asked).toHaveLength(2 * WARMING_TOKENS)
  expect(failures).toHaveLength(2 * WARMING_TOKENS)
})

test('a chain on which a new token has come already is left alone', async () => {
  const { warmUp, asked } = warming(
    async () => undefined,
    async (chainId) => (chainId === 1 ? 1 : 0),
  )
  await warmUp(new AbortController().signal)
  expect(asked).toEqual(tokensOf(2).slice(0, WARMING_TOKENS))
})

test('a service that is stopped ends it, and that is no failure', async () => {
  const stop = new AbortController()
  const { warmUp, asked, failures } = warming(
    ({ signal }) =>
      new Promise((_, reject) => {
        if (signal.aborted) return reject(signal.reason)
        signal.addEventListener('abort', () => reject(signal.reason))
        stop.abort()
      }),
  )
  await warmUp(stop.signal)
  expect(asked).toHaveLength(1)
  expect(failures).toEqual([])
})

import { describe, expect, test } from 'vitest'
import { sampleChecks, sampleHoneypot } from '../../test/http/sample-checks.js'
import { createTestApp, HONEYPOT, request, SIMULATE } from '../../test/http/test-app.js'
import { findChain } from '../chains/index.js'
import type { AnalysisTarget } from '../checks/target.js'
import { createAnswerCache } from './answer-cache.js'
import { nameQuestion } from './inputs.js'

const HEAD = sampleChecks.block.hash

/** The application with a head that is told, and a count of what it analysed. */
async function setUp({ change = (checks: typeof sampleChecks) => checks } = {}) {
  let head: string | undefined = HEAD
  let analyses = 0
  const answers = createAnswerCache({ headOf: () => head })
  const test = await createTestApp({
    services: {
      answers,
      simulation: async () => {
        analyses += 1
        return change(sampleChecks)
      },
    },
  })
  return {
    ...test,
    analyses: () => analyses,
    moveHead: (hash: string | undefined) => {
      head = hash
    },
  }
}

describe('the same question at the same block', () => {
  test('is answered with the same bytes, without an analysis', async () => {
    const { post, analyses, clock } = await setUp()
    const first = await post(request())
    clock.advance(500)
    const second = await post(request({ note: 'ignored' }))
    expect(first.statusCode).toBe(200)
    expect(second.body).toBe(first.body)
    expect(second.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
    expect(analyses()).toBe(1)
  })

  test('counts all the same, and another key is answered by its own limit', async () => {
    const { post, issue, analyses } = await setUp()
    for (let i = 0; i < 10; i += 1) expect((await post(request())).statusCode).toBe(200)
    expect((await post(request())).statusCode).toBe(429)
    const { key } = await issue()
    const other = await post(request(), { headers: { authorization: `Bearer ${key}` } })
    expect(other.statusCode).toBe(200)
    expect(other.headers.ratelimit).toContain('r=9')
    expect(analyses()).toBe(1)
  })

  test('without a key has no answer', async () => {
    const { post, app } = await setUp()
    await post(request())
    expect((await app.inject({ method: 'POST', url: SIMULATE, payload: request() })).statusCode).toBe(401)
  })
})

describe('is analysed anew', () => {
  test.each([
    ['another target', request({ targetContractAddress: `0x${'1'.repeat(40)}` })],
    ['another chain', request({ chainId: 56 })],
    ['another amount', request({ amount: '7' })],
    ['another pool', request({ pair: `0x${'1'.repeat(40)}` })],
    ['a named height', request({ blockNumber: 7 })],
  ])('%s', async (_, body) => {
    const { post, analyses } = await setUp()
    await post(request())
    await post(body)
    expect(analyses()).toBe(2)
  })

  test.each([`0x${'cd'.repeat(32)}`, undefined])('when the head is %s', async (head) => {
    const { post, analyses, moveHead } = await setUp()
    await post(request())
    moveHead(head)
    await post(request())
    expect(analyses()).toBe(2)
  })

  test.each([
    ['simulation', { trade: { failed: true, errorReason: 'Internal error' } as const }],
    ['bytecode', { bytecode: { failed: true, errorReason: 'Internal error' } as const }],
    ['history', { history: { failed: true, errorReason: 'Internal error' } as const }],
  ])('what is without its %s', async (_, part) => {
    const { post, analyses } = await setUp({ change: (checks) => ({ ...checks, ...part }) })
    await post(request())
    await post(request())
    expect(analyses()).toBe(2)
  })

  test('a honeypot report that is inconclusive, and not one that is not', async () => {
    let analyses = 0
    let doubt: 'resisted' | undefined = 'resisted'
    const answers = createAnswerCache({ headOf: () => sampleHoneypot.block.hash })
    const honeypot = async () => {
      analyses += 1
      return { ...sampleHoneypot, doubt }
    }
    const { post } = await createTestApp({ services: { answers, honeypot } })
    const ask = () => post(request(), { url: HONEYPOT })
    await ask()
    await ask()
    expect(analyses).toBe(2)
    doubt = undefined
    await ask()
    await ask()
    expect(analyses).toBe(3)
  })
})

test('never holds more than its bound, and forgets what was not asked for', () => {
  const chain = findChain(1)
  if (!chain) throw new Error('Ethereum is a chain')
  const maxBytes = 20_000
  const answers = createAnswerCache({ headOf: () => HEAD, maxBytes })
  const recall = (url: string, target: AnalysisTarget) => answers.recall(`${url} ${nameQuestion(target)}`, target)
  const targetAt = (i: number) => ({ chain, address: `0x${String(i).padStart(40, '0')}` as const })
  for (let i = 0; i < 100; i += 1) {
    answers.keep(`${SIMULATE} ${nameQuestion(targetAt(i))}`, targetAt(i), {
      block: { hash: HEAD },
      text: 'x'.repeat(1_000),
    } as {
      block: { hash: string }
    })
    expect(answers.bytes).toBeLessThanOrEqual(maxBytes)
  }
  expect(recall(SIMULATE, targetAt(0))).toBeUndefined()
  expect(recall(SIMULATE, targetAt(99))).toBeDefined()
  expect(recall(HONEYPOT, targetAt(99))).toBeUndefined()
})

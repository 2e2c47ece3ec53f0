import { Errors } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MARKETS } from '../../src/devnet/solana/examples/markets.js'
import { RULES } from '../../src/devnet/solana/examples/token-rules.js'
import { HOOKS } from '../../src/devnet/solana/examples/transfer-hooks.js'
import { SolanaHoneypotReport, SolanaTokenReportBody } from '../../src/reports/solana/schema.js'
import type { SvmEngine } from '../../src/solana/svm/engine.js'
import { SvmUnavailableError } from '../../src/solana/svm/load-litesvm.js'
import { createTestApp, failure, HONEYPOT, SIMULATE } from '../http/test-app.js'
import { createSolanaStage, type SolanaStage } from './solana-stage.js'

const TRAP = 'hook that denies sales'
const TOKEN_CHECKS = '/api/solana/token-checks'
const WANTED = ['plain', 'freezable', 'scheduled fee', 'hook that denies sales', 'wallet', 'program', 'mutable name']

let stage: SolanaStage
let app: Awaited<ReturnType<typeof createTestApp>>
beforeAll(async () => {
  const examples = [...RULES, ...HOOKS, ...MARKETS].filter(({ name }) => WANTED.includes(name))
  stage = await createSolanaStage({ examples })
  app = await createTestApp({ services: { checkSolanaToken: stage.check } })
})
afterAll(() => stage.close())

const ask = async (url: string, targetContractAddress: unknown, chainId: unknown = 'SOL') => {
  const response = await app.post({ targetContractAddress, chainId }, { url })
  return { status: response.statusCode, headers: response.headers, body: response.json() }
}

describe('POST /api/solana/token-checks', () => {
  test.each(WANTED)('the report on %s has every field that is documented', async (name) => {
    const { status, body } = await ask(TOKEN_CHECKS, stage.addressOf(name))
    expect(status).toBe(200)
    expect([...Errors(SolanaTokenReportBody, body)]).toEqual([])
  })

  test('a plain token trades without loss, on a pool that was played', async () => {
    const { body } = await ask(TOKEN_CHECKS, stage.addressOf('plain'))
    expect(body.checks.simulateResult).toMatchObject({
      success: true,
      errorReason: '',
      estimatedTax: '0',
      isHoneypot: false,
      isReentrancy: false,
      returnData: '0x',
      inconclusive: null,
    })
    // What the pool's fee takes.
    expect(BigInt(body.checks.simulateResult.ethDelta)).toBeLessThan(0n)
    expect(body.checks.byteCodeResult).toMatchObject({ isContract: true, trustStatus: 'Safe', riskFlags: [] })
    expect(body.tokenInfo.pools).toMatchObject([
      { venue: 'Example AMM', status: 'open', played: true, lockedPercent: 100 },
    ])
    expect(body.tokenInfo.tradedWith.synthetic).toBe(false)
    const [call] = body.checks.simulateResult.simulation.calls
    expect(call).toMatchObject({ type: 'INVOKE', depth: 1, to: body.tokenInfo.tokenProgram, value: '0x0' })
    expect(Number(call.gasUsed)).toBeGreaterThan(0)
  })

  test('a hook is seen as a call by the token program', async () => {
    const { body } = await ask(TOKEN_CHECKS, stage.addressOf('hook that denies sales'))
    const { calls } = body.checks.simulateResult.simulation
    const { hook, tokenProgram } = body.tokenInfo
    expect(calls).toContainEqual(
      expect.objectContaining({ type: 'CPI', depth: 2, from: tokenProgram, to: hook.program }),
    )
    expect(body.checks.simulateResult).toMatchObject({ success: false, isHoneypot: true })
    expect(body.checks.simulateResult.errorReason).toContain('0x1772')
  })

  test('names the fee in force and the one that is scheduled', async () => {
    const { body } = await ask(TOKEN_CHECKS, stage.addressOf('scheduled fee'))
    expect(body.tokenInfo.fee).toMatchObject({ percent: 0, scheduled: { percent: 99 }, mutable: false })
  })

  test.each([
    ['wallet', false],
    ['program', true],
  ])('a %s is no token', async (name, isContract) => {
    const { status, body } = await ask(TOKEN_CHECKS, stage.addressOf(name))
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, tokenInfo: null })
    expect(body.checks.simulateResult).toMatchObject({ success: false, errorReason: 'Account is not a token mint' })
    expect(body.checks.byteCodeResult.isContract).toBe(isContract)
  })

  test.each([
    [undefined, 'SOL', 'targetContractAddress is required', 'address_required'],
    ['0x514910771af9ca656af840dff83e8264ecf986ca', 'SOL', 'Invalid targetContractAddress', 'invalid_address'],
    ['1'.repeat(31), 'SOL', 'Invalid targetContractAddress', 'invalid_address'],
    ['0'.repeat(44), undefined, 'Invalid targetContractAddress', 'invalid_address'],
    ['1'.repeat(32), null, 'chainId is required', 'chain_required'],
    ['1'.repeat(32), 1, 'Unsupported chainId', 'unsupported_chain'],
    ['1'.repeat(32), 'sol', 'Unsupported chainId', 'unsupported_chain'],
  ])('%s on chain %s: %s', async (address, chainId, text, code) => {
    expect(await ask(TOKEN_CHECKS, address, chainId)).toMatchObject({ status: 400, body: failure(text, code) })
  })

  test('counts as one of the other endpoints', async () => {
    const { headers } = await ask(TOKEN_CHECKS, stage.addressOf('wallet'))
    expect(headers['ratelimit-policy']).toContain('30')
  })

  test('500 when no node answers', async () => {
    const lonely = await createTestApp()
    const response = await lonely.post({ targetContractAddress: '1'.repeat(32), chainId: 'SOL' }, { url: TOKEN_CHECKS })
    expect(response.statusCode).toBe(500)
    expect(response.json()).toEqual(failure('Simulation failed', 'simulation_failed'))
  })
})

test('where nothing can be executed, the trade that the node tried is told as such', async () => {
  const engine: SvmEngine = {
    play: () => Promise.reject(new SvmUnavailableError()),
    queued: () => 0,
    close: async () => {},
  }
  const unable = await createSolanaStage({ examples: HOOKS.filter(({ name }) => name === TRAP), engine })
  try {
    const { post } = await createTestApp({ services: { checkSolanaToken: unable.check } })
    const response = await post(
      { targetContractAddress: unable.addressOf(TRAP), chainId: 'SOL' },
      { url: TOKEN_CHECKS },
    )
    const body = response.json()
    expect([...Errors(SolanaTokenReportBody, body)]).toEqual([])
    expect(body.tokenInfo.triedByNode).toMatchObject({ bought: true, sold: false, taxPercent: 100 })
    expect(body.tokenInfo.triedByNode.reason).toContain('0x1772')
    expect(body.honeypotResponse).toMatchObject({ isHoneypot: true, inconclusive: expect.any(String) })
  } finally {
    await unable.close()
  }
})

test('the honeypot check takes Solana tokens, with the same fields', async () => {
  const { status, body } = await ask(HONEYPOT, stage.addressOf('scheduled fee'))
  expect(status).toBe(200)
  expect([...Errors(SolanaHoneypotReport, body)]).toEqual([])
  expect(body.honeypotResponse).toMatchObject({ isTimeHoneypot: true, isHoneypot: false, buyTax: 0, sellTax: 0 })
  expect(body.honeypotResponse.timeTravelResults).toMatchObject([
    { label: 'Immediate', sellTax: 0 },
    { label: '24 Hours', sellTax: 0 },
    { label: '7 Days', sellTax: 99, riskScore: 97 },
  ])
})

test('the simulation does not take Solana: the specification lists four numeric chains', async () => {
  const { status, body } = await ask(SIMULATE, stage.addressOf('plain'))
  expect({ status, body }).toEqual({ status: 400, body: failure('Unsupported chainId', 'unsupported_chain') })
})

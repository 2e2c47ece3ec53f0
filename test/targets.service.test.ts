import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ServiceOnDevnet, startServiceOnDevnet } from './service-on-devnet.js'

/**
 * Targets that are not the ordinary token with a pool: each gets its exact answer, and the other
 * checks still answer.
 */
describe('unusual targets', () => {
  let service: ServiceOnDevnet
  beforeAll(async () => {
    service = await startServiceOnDevnet({ chainId: 1, examples: ['no-pool', 'not-a-token', 'weth'] })
  })
  afterAll(() => service?.stop())

  // biome-ignore lint/suspicious/noExplicitAny: the answers are compared as they come over the wire
  const post = (path: string, target: string) => service.post<any>(path, target)
  const simulate = async (target: string) => (await post('/api/simulate/execute-simulation', target)).checks
  const honeypot = async (target: string) => (await post('/api/honeypot/honeypot-checks', target)).honeypotResponse

  const withoutCode: [string, () => string][] = [
    ['an account with a history', () => service.devnet.accounts[0]?.address ?? ''],
    ['an address that nobody has used', () => '0x00000000000000000000000000000000deadbeef'],
    ['the zero address', () => '0x0000000000000000000000000000000000000000'],
    ['a precompile', () => '0x0000000000000000000000000000000000000004'],
  ]

  test.each(withoutCode)('%s: no contract, nothing to simulate, and nobody accused', async (_, target) => {
    const { simulateResult, byteCodeResult, transactionHistoryResult } = await simulate(target())
    expect(simulateResult).toMatchObject({
      success: false,
      errorReason: 'The address has no code: there is nothing to simulate',
      isHoneypot: false,
      ethDelta: '0',
      tokenDelta: '0',
      watchedTokensDeltas: '0,0,0,0',
      simulation: { calls: [], logs: [] },
    })
    expect(byteCodeResult.isContract).toBe(false)
    expect(transactionHistoryResult).toMatchObject({
      success: true,
      activityPulse: 'Dead / No Activity',
      recentTransfers: [],
    })
    expect(await honeypot(target())).toMatchObject({
      riskScore: 0,
      isHoneypot: false,
      isTimeHoneypot: false,
      inconclusive: 'The address has no code',
    })
  })

  test('a contract that is no token is sent a little native coin', async () => {
    const { simulateResult, byteCodeResult } = await simulate(service.addressOf('not-a-token'))
    expect(simulateResult).toMatchObject({ success: false, isHoneypot: false, tokenDelta: '0', ethDelta: '0' })
    expect(simulateResult.errorReason).toBe('Sending native coin reverted in the contract: execution reverted')
    expect(simulateResult.simulation.calls).toHaveLength(1)
    expect(byteCodeResult.isContract).toBe(true)
  })

  test('a contract that takes native coin simulates well', async () => {
    const weth = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
    const { simulateResult } = await simulate(weth)
    expect(simulateResult).toMatchObject({
      success: true,
      errorReason: '',
      isHoneypot: false,
      buyTax: '0',
      sellTax: '0',
    })
  })

  test('a token without a pool is no honeypot', async () => {
    const { simulateResult, byteCodeResult, transactionHistoryResult } = await simulate(service.addressOf('no-pool'))
    expect(simulateResult).toMatchObject({ success: false, isHoneypot: false, inconclusive: 'no liquidity' })
    expect(simulateResult.errorReason).toMatch(/^No liquidity: /)
    expect(byteCodeResult.isContract).toBe(true)
    expect(transactionHistoryResult.success).toBe(true)
    const response = await honeypot(service.addressOf('no-pool'))
    expect(response).toMatchObject({ riskScore: 0, isHoneypot: false, isTimeHoneypot: false })
    expect(response.timeTravelResults.map(({ label }: { label: string }) => label)).toEqual([
      'Immediate',
      '24 Hours',
      '7 Days',
    ])
  })

  test('the same request at the same block gives the same answer', async () => {
    const ask = async () => {
      const { simulatedAt: _, ...rest } = (await simulate('0xdac17f958d2ee523a2206206994597c13d831ec7')).simulateResult
      return rest
    }
    const first = await ask()
    for (let i = 0; i < 9; i += 1) expect(await ask()).toEqual(first)
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDevnetNode, type DevnetNode } from '../../src/devnet/node.js'
import { type Address, type Hex, toPaddedHex } from '../../src/hex.js'
import { type ServiceOnDevnet, startServiceOnDevnet } from '../service-on-devnet.js'

const EIP1967 = '360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
/** Forwards everything to the address in the EIP-1967 slot. */
const FORWARDER: Hex = `0x365f5f375f5f365f7f${EIP1967}545af43d5f5f3e5f3d91603757fd5bf3`
const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
const PROXY_DEPTH = 50

interface Answer {
  success: boolean
  checks: {
    simulateResult: {
      success: boolean
      errorReason: string
      isHoneypot: boolean
      buyTax: string | null
      sellTax: string | null
      venue: { pool: Address }
    }
    byteCodeResult: { isContract: boolean; trustStatus: string; complete: boolean; gaps: string[]; proxy: object[] }
  }
}

const addressAt = (index: number): Address => toPaddedHex(0xc0de_0000n + BigInt(index), 20)
const [DESTROYED, LOOP, RETURNS, JUMPS, ITSELF, CIRCLE_A, CIRCLE_B, DELEGATED, LOGIC, LARGE, HUGE] = Array.from(
  { length: 11 },
  (_, i) => addressAt(i),
) as [Address, Address, Address, Address, Address, Address, Address, Address, Address, Address, Address]
const DEEP = Array.from({ length: PROXY_DEPTH }, (_, i) => addressAt(100 + i))

const CODES: Record<Address, Hex> = {
  [LOOP]: '0x5b5f56',
  [RETURNS]: '0x621000005ff3',
  [JUMPS]: `0x${'5b'.repeat(24_575)}60`,
  [ITSELF]: FORWARDER,
  [CIRCLE_A]: FORWARDER,
  [CIRCLE_B]: FORWARDER,
  // `if (caller == origin) selfdestruct(caller)`, to be found behind the delegation
  [LOGIC]: '0x33ff',
  [DELEGATED]: `0xef0100${LOGIC.slice(2)}`,
  [LARGE]: `0x${'5b'.repeat(65_536)}`,
  [HUGE]: `0x${'5b'.repeat(524_288)}`,
  ...Object.fromEntries(DEEP.map((address) => [address, FORWARDER])),
}
const DELEGATES: [Address, Address][] = [
  [ITSELF, ITSELF],
  [CIRCLE_A, CIRCLE_B],
  [CIRCLE_B, CIRCLE_A],
  ...DEEP.map((address, i): [Address, Address] => [address, DEEP[i + 1] ?? LOGIC]),
]

/** Code that is made to exhaust or mislead whoever looks at it, asked about over HTTP. */
describe('hostile code', { timeout: 120_000 }, () => {
  let service: ServiceOnDevnet
  let node: DevnetNode
  beforeAll(async () => {
    service = await startServiceOnDevnet({ chainId: 1, examples: ['clean'] })
    node = createDevnetNode(service.devnet.url)
    // One by one: anvil reads no more than two megabytes at a time.
    for (const [address, code] of Object.entries(CODES)) await node.call('anvil_setCode', address, code)
    await node.batch(
      DELEGATES.map(([from, to]) => ({
        method: 'anvil_setStorageAt',
        params: [from, `0x${EIP1967}`, toPaddedHex(BigInt(to), 32)],
      })),
    )
    await node.call('anvil_setNonce', DESTROYED, '0x1')
    await node.call('evm_mine')
  }, 120_000)
  afterAll(() => service?.stop())

  const simulate = (address: string) => service.post<Answer>('/api/simulate/execute-simulation', address)

  test('48: an account that delegates is judged by what it delegates to', async () => {
    const { checks } = await simulate(DELEGATED)
    expect(checks.byteCodeResult.proxy).toHaveLength(1)
    expect(checks.byteCodeResult.trustStatus).not.toBe('Safe')
  })

  test('49: a contract that was destroyed is no contract, and nobody is accused', async () => {
    const { checks } = await simulate(DESTROYED)
    expect(checks.byteCodeResult.isContract).toBe(false)
    expect(checks.simulateResult).toMatchObject({ success: false, isHoneypot: false })
    expect(checks.simulateResult.errorReason).not.toBe('')
  })

  test('50: a loop without end fails the simulation alone', async () => {
    const { checks } = await simulate(LOOP)
    expect(checks.simulateResult.success).toBe(false)
    expect(checks.simulateResult.errorReason).not.toBe('')
    expect(checks.byteCodeResult).toMatchObject({ isContract: true })
  })

  test('53: a megabyte of return data does not come back to the client', async () => {
    const answer = await simulate(RETURNS)
    expect(answer.success).toBe(true)
    expect(JSON.stringify(answer).length).toBeLessThan(600_000)
  })

  test('58: 24 KB of jump destinations that end in half a push are read as far as the bound, and not called Safe', async () => {
    const { checks } = await simulate(JUMPS)
    expect(checks.byteCodeResult).toMatchObject({ isContract: true, complete: false, gaps: ['nodes'] })
    expect(checks.byteCodeResult.trustStatus).not.toBe('Safe')
  })

  test.each([
    ['64 KB', LARGE],
    ['512 KB', HUGE],
  ])('59: %s of code, more than the chain allows, is not called Safe', async (_, address) => {
    const { byteCodeResult } = (await simulate(address)).checks
    expect(byteCodeResult.trustStatus).not.toBe('Safe')
  })

  test.each([
    ['a proxy of itself', ITSELF],
    ['two proxies of each other', CIRCLE_A],
    ['fifty proxies behind one another', DEEP[0] ?? ITSELF],
  ])('60: %s are followed so far and no further, and not called Safe', async (_, address) => {
    const { checks } = await simulate(address)
    expect(checks.byteCodeResult.proxy.length).toBeLessThanOrEqual(8)
    expect(checks.byteCodeResult.trustStatus).not.toBe('Safe')
  })

  test('65: a pool that has more than it knows of gives no tax to an honest token', async () => {
    const token = service.addressOf('clean')
    const { checks } = await simulate(token)
    const [from] = await node.call<Address[]>('eth_accounts')
    const amount = toPaddedHex(10n ** 18n, 32)
    const { pool } = checks.simulateResult.venue
    await node.call('eth_sendTransaction', { from, to: WETH, value: '0xde0b6b3a7640000', data: '0xd0e30db0' })
    const data = `0xa9059cbb${toPaddedHex(BigInt(pool), 32).slice(2)}${amount.slice(2)}`
    await node.call('eth_sendTransaction', { from, to: WETH, data })
    const read = async (to: string, request: string) =>
      (await node.call<Hex>('eth_call', { to, data: request }, 'latest')).slice(2)
    // A node mines what it was sent when it comes to it.
    await expect
      .poll(async () => {
        const balance = await read(WETH, `0x70a08231${toPaddedHex(BigInt(pool), 32).slice(2)}`)
        return (await read(pool, '0x0902f1ac')).includes(balance)
      })
      .toBe(false)
    expect((await simulate(token)).checks.simulateResult).toMatchObject({
      ...{ success: true, isHoneypot: false, buyTax: '0', sellTax: '0' },
    })
  })
})

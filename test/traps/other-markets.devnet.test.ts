import { encodeFunctionData, maxUint256, parseAbi, parseEther } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { generations, readCompiledTraps } from '../../scripts/trap-compilers.js'
import { type Address, toQuantity } from '../../src/hex.js'
import { type ChecksOnDevnet, startChecksOnDevnet } from './checks-on-devnet.js'
import { listAll } from './trap-market.js'

const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function addLiquidityETH(address token, uint256 amount, uint256, uint256, address to, uint256 deadline) payable',
])

let checks: ChecksOnDevnet
beforeAll(async () => {
  checks = await startChecksOnDevnet()
})
afterAll(() => checks?.stop())

/** Opens a second, deeper pool on the chain's next V2 exchange. */
async function listDeeper(token: Address): Promise<void> {
  const { node, chain, accounts } = checks.devnet
  const from = accounts[0]?.address ?? '0x'
  const router = chain.v2[1]?.router ?? '0x'
  const send = async (to: Address, data: string, value = 0n) => {
    const fields = { from, to, data, value: toQuantity(value), gas: toQuantity(6_000_000n) }
    const { status } = await node.call<{ status: string }>('eth_sendTransactionSync', fields)
    expect(status).toBe('0x1')
  }
  await send(token, encodeFunctionData({ abi, functionName: 'approve', args: [router, maxUint256] }))
  const args = [token, parseEther('200000'), 0n, 0n, from, maxUint256] as const
  await send(router, encodeFunctionData({ abi, functionName: 'addLiquidityETH', args }), parseEther('60'))
}

test('a token that can be sold in its deepest pool and not in another is said to be so', async () => {
  const creationCode = generations[1] && readCompiledTraps(generations[1])?.get('LatePairTax')
  const [token] = await listAll(checks.devnet, [
    { name: 'LatePairTax', creationCode: creationCode ?? '0x', after: ['register'] },
  ])
  if (!token) throw new Error('not listed')
  await listDeeper(token)
  const report = await checks.honeypot(token)
  expect(report).toMatchObject({ isHoneypot: false, sellTaxBps: 0, riskScore: 30 })
  expect(report.venue).not.toBe('Uniswap V2')
  expect(report.findings).toMatchObject([{ id: 'blocked-elsewhere', detail: expect.stringContaining('tax 88 %') }])
})

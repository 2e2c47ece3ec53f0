import { encodeFunctionData, maxUint256, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WalletRequest } from '../../src/checks/wallet-request.js'
import type { Address } from '../../src/hex.js'
import { type PhishingOnDevnet, startPhishingOnDevnet } from './phishing-on-devnet.js'

const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function transfer(address to, uint256 amount)',
  'function deposit() payable',
])
const UNUSED: Address = '0x00000000000000000000000000000000c0ffee01'

let stage: PhishingOnDevnet
let addresses: Map<string, Address>
let usdc: Address
beforeAll(async () => {
  stage = await startPhishingOnDevnet()
  addresses = await stage.deployAll('0.8.30')
  usdc = stage.devnet.chain.watchedTokens[1]?.address ?? '0x'
})
afterAll(() => stage?.stop())

const at = (name: string) => addresses.get(name) ?? '0x'
const ask = (address: Address, wallet: WalletRequest) => stage.check(address, { wallet })
const approve = (spender: Address, amount = maxUint256) =>
  encodeFunctionData({ abi, functionName: 'approve', args: [spender, amount] })

test('an approval names its spender and its limit, and is as bad as the spender', async () => {
  const report = await ask(usdc, { calldata: approve(at('AllowancePuller')) })
  expect(report.wallet).toMatchObject({
    kind: 'transaction',
    success: true,
    leaves: [],
    approvals: [{ kind: 'erc20', token: usdc, spender: at('AllowancePuller'), amount: undefined }],
    spenders: [{ address: at('AllowancePuller'), verdict: 'HIGH_RISK' }],
  })
  expect(report.verdict).toBe('HIGH_RISK')
  expect(report.findings).toMatchObject([
    { id: 'spender-phishing', check: 'allowance', grantedTo: at('AllowancePuller') },
  ])
})

test('an approval of an honest spender is none to be warned of', async () => {
  const report = await ask(usdc, { calldata: approve(at('Staking'), 500n) })
  expect(report.wallet?.approvals).toMatchObject([{ spender: at('Staking'), amount: 500n }])
  expect([report.verdict, report.findings]).toEqual(['SAFE', []])
})

test.each([
  ['an address nobody has used', () => UNUSED, 'counterfactual-spender'],
  ['an ordinary account', () => stage.devnet.accounts[1]?.address ?? '0x', 'spender-phishing'],
  ['what anybody can make call anything', () => at('OpenMulticall'), 'spender-phishing'],
])('an approval of %s is refused', async (_, spender, id) => {
  const report = await ask(usdc, { calldata: approve(spender()) })
  expect(report.findings.map((finding) => finding.id)).toEqual([id])
  expect(report.verdict).toBe('HIGH_RISK')
})

test('says what leaves and what arrives', async () => {
  const weth = stage.devnet.chain.wrappedNative
  const wrapped = await ask(weth, { calldata: encodeFunctionData({ abi, functionName: 'deposit' }), value: 12_345n })
  expect(wrapped.wallet?.leaves).toMatchObject([
    { token: undefined, symbol: 'ETH', amount: 12_345n, counterparty: weth },
  ])
  expect(wrapped.wallet?.arrives).toMatchObject([{ token: weth, amount: 12_345n }])
  const to = stage.devnet.accounts[2]?.address ?? '0x'
  const sent = await ask(usdc, { calldata: encodeFunctionData({ abi, functionName: 'transfer', args: [to, 7n] }) })
  expect(sent.wallet?.leaves).toMatchObject([{ token: usdc, amount: 7n, counterparty: to }])
})

test("a wallet's own account is used as it is", async () => {
  const from = stage.devnet.accounts[3]?.address ?? '0x'
  const calldata = encodeFunctionData({ abi, functionName: 'transfer', args: [UNUSED, 7n] })
  const report = await ask(usdc, { from, calldata })
  expect(report.wallet).toMatchObject({ account: from, success: false, leaves: [] })
  expect(report.wallet?.errorReason).not.toBe('')
})

test('a signed permission is as bad as whoever it is for', async () => {
  const owner = stage.devnet.accounts[3]?.address ?? '0x'
  const typedData = (spender: Address) => ({
    domain: { chainId: 1, verifyingContract: usdc },
    types: { Permit: [{ name: 'owner', type: 'address' }] },
    primaryType: 'Permit',
    message: { owner, spender, value: String(maxUint256), nonce: 0, deadline: 1_900_000_000 },
  })
  const bad = await ask(usdc, { typedData: typedData(at('PermitPuller')) })
  expect(bad).toMatchObject({ verdict: 'HIGH_RISK', raw: { permitAbused: true, permitGrantedTo: at('PermitPuller') } })
  const good = await ask(usdc, { typedData: typedData(at('PermitStaking')) })
  expect(good).toMatchObject({ verdict: 'SAFE', wallet: { kind: 'signature', account: owner } })
})

test('an account that delegates to a sweeper is one, and one that delegates to a batch is not', async () => {
  const { node, accounts } = stage.devnet
  const [sweeping, batching] = [accounts[4]?.address ?? '0x', accounts[5]?.address ?? '0x']
  for (const [account, code] of [
    [sweeping, at('DelegationSweeper')],
    [batching, at('BatchDelegate')],
  ] as const) {
    await node.call('anvil_setCode', account, `0xef0100${code.slice(2)}`)
  }
  await node.call('evm_mine')
  expect(await stage.check(sweeping)).toMatchObject({
    verdict: 'HIGH_RISK',
    isEmpty: false,
    delegate: at('DelegationSweeper'),
    findings: [{ id: 'delegation-sweeper', check: 'native' }],
    raw: { etherForwarded: true, etherForwardedTo: '0x5555555555666666666677777777778888888888' },
  })
  expect(await stage.check(batching)).toMatchObject({ verdict: 'SAFE', isEmpty: false })
})

test('an address without code is empty, and one that nobody has used is said to be', async () => {
  const account = stage.devnet.accounts[6]?.address ?? '0x'
  expect(await stage.check(account)).toMatchObject({
    verdict: 'EMPTY_CONTRACT',
    isEmpty: true,
    checks: [],
    riskScore: 0,
  })
  const unused = await stage.check(UNUSED)
  expect(unused).toMatchObject({ verdict: 'EMPTY_CONTRACT', isEmpty: true })
  expect(unused.reason).toContain('never used')
})

test('code that uses up what an analysis may spend is neither guilty nor safe', async () => {
  const { node } = stage.devnet
  // JUMPDEST, PUSH0, JUMP
  await node.call('anvil_setCode', '0x00000000000000000000000000000000000100b5', '0x5b5f56')
  await node.call('evm_mine')
  const report = await stage.check('0x00000000000000000000000000000000000100b5')
  expect(report).toMatchObject({ verdict: 'INCONCLUSIVE', inconclusive: true, checks: [], riskScore: 0 })
  expect(report.reason).toContain('Analysis resisted')
})

test('what the devnet has of real routers, Permit2 and tokens is no accusation', async () => {
  const { v2, v3, v4, watchedTokens } = stage.devnet.chain
  const [exchange] = v4
  const routers = [v2[0]?.router, v3[0]?.router, exchange?.router, exchange?.permit2]
  for (const address of [...routers, ...watchedTokens.map((token) => token.address)]) {
    const { verdict, findings } = await stage.check(address ?? '0x')
    expect({ address, verdict, findings: findings.map(({ id }) => id) }).toEqual({
      address,
      verdict: 'SAFE',
      findings: [],
    })
  }
})

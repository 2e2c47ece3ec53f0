import { encodeFunctionData, maxUint256, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Json, WalletRequest } from '../../src/checks/wallet-request.js'
import type { Address, Hex } from '../../src/hex.js'
import { type PhishingOnDevnet, startPhishingOnDevnet } from './phishing-on-devnet.js'

const abi = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function transfer(address to, uint256 amount)',
  'function deposit() payable',
  'function initialize(address owner)',
  'function setOwner(address owner)',
  'function execute(address to, uint256 value, bytes data)',
  'function run(address[] to, bytes[] data)',
])
const UNUSED: Address = '0x00000000000000000000000000000000c0ffee01'
const DEPOSIT = encodeFunctionData({ abi, functionName: 'deposit' })

let stage: PhishingOnDevnet
let addresses: Map<string, Address>
let usdc: Address
let weth: Address
let account: Address
beforeAll(async () => {
  stage = await startPhishingOnDevnet()
  addresses = await stage.deployAll('0.8.30')
  usdc = stage.devnet.chain.watchedTokens[1]?.address ?? '0x'
  weth = stage.devnet.chain.wrappedNative
  account = stage.devnet.accounts[3]?.address ?? '0x'
})
afterAll(() => stage?.stop())

const at = (name: string) => addresses.get(name) ?? '0x'
const ask = (wallet: WalletRequest, address = usdc) => stage.check(address, { wallet })
const approve = (spender: Address, amount = maxUint256) =>
  encodeFunctionData({ abi, functionName: 'approve', args: [spender, amount] })
const transfer = (to: Address, amount: bigint) =>
  encodeFunctionData({ abi, functionName: 'transfer', args: [to, amount] })
const typed = (primaryType: string, verifyingContract: Address, message: Record<string, Json>) => {
  return { domain: { chainId: 1, verifyingContract }, types: {}, primaryType, message }
}
const idsOf = (each: readonly { id: string }[] | undefined) => each?.map(({ id }) => id)

describe('several calls are one question', () => {
  test('an approval that the next call takes back is none', async () => {
    const give = { to: usdc, data: approve(at('AllowancePuller')) }
    const kept = await ask({ calls: [give] })
    expect(kept).toMatchObject({ verdict: 'HIGH_RISK', wallet: { approvals: [{ amount: undefined, decimals: 6 }] } })
    expect(idsOf(kept.wallet?.warnings)).toContain('unlimited')
    const back = await ask({ calls: [give, { to: usdc, data: approve(at('AllowancePuller'), 0n) }] })
    expect(back).toMatchObject({ verdict: 'SAFE', wallet: { success: true, approvals: [], warnings: [] } })
  })

  test('what comes in by one and goes out by the next is not counted', async () => {
    const { wallet } = await ask({
      from: account,
      calls: [
        { to: weth, value: 77n, data: DEPOSIT },
        { to: weth, data: transfer(UNUSED, 77n) },
      ],
    })
    expect(wallet).toMatchObject({ account, success: true, arrives: [] })
    expect(wallet?.leaves).toMatchObject([{ token: undefined, symbol: 'ETH', decimals: 18, amount: 77n }])
  })

  test('the first that fails ends it, and what was not played is said', async () => {
    const calls = [
      { to: weth, value: 77n, data: DEPOSIT },
      { to: weth, data: transfer(UNUSED, 78n) },
      { to: usdc, data: approve(at('AllowancePuller')) },
    ]
    const report = await ask({ from: account, calls }, weth)
    expect(report).toMatchObject({ verdict: 'INCONCLUSIVE', wallet: { success: false, arrives: [{ amount: 77n }] } })
    expect(report.wallet?.calls.map(({ success }) => success)).toEqual([true, false])
    expect(report.wallet?.errorReason).toContain('call 2 of 3')
    expect(report.reason).toContain('1 calls after the one that failed')
  })
})

test('a wallet has the coins that it has', async () => {
  const { wallet } = await ask({ from: UNUSED, value: 5n, calldata: DEPOSIT }, weth)
  expect(wallet).toMatchObject({ success: false, leaves: [] })
  expect(wallet?.errorReason).toContain('insufficient funds')
})

test('data that is sent where there is no contract is not safe', async () => {
  const report = await ask({ to: UNUSED, calldata: DEPOSIT })
  expect(report.verdict).toBe('INCONCLUSIVE')
  expect(idsOf(report.wallet?.warnings)).toEqual(['no-code'])
})

test('a message of an unknown kind, or for another chain, is not safe', async () => {
  const unknown = await ask({ typedData: typed('Mail', usdc, {}) })
  expect(unknown).toMatchObject({ verdict: 'INCONCLUSIVE', wallet: { kind: 'signature', success: undefined } })
  const permit = { owner: account, spender: at('Staking'), value: '5', deadline: 1_900_000_000 }
  const elsewhere = typed('Permit', usdc, permit)
  const report = await ask({ typedData: { ...elsewhere, domain: { ...elsewhere.domain, chainId: 56 } } })
  expect(report.verdict).toBe('INCONCLUSIVE')
  expect(idsOf(report.wallet?.warnings)).toEqual(['other-chain'])
  expect(await ask({ typedData: elsewhere })).toMatchObject({ verdict: 'SAFE', wallet: { warnings: [] } })
})

test('a signed transfer is a payment that is told', async () => {
  const message = { from: account, to: UNUSED, value: '7', validAfter: 0, validBefore: 1_900_000_000 }
  const report = await ask({ typedData: typed('TransferWithAuthorization', usdc, message) })
  expect(report).toMatchObject({
    verdict: 'SAFE',
    wallet: {
      account,
      leaves: [{ token: usdc, symbol: 'USDC', decimals: 6, amount: 7n, counterparty: UNUSED }],
      approvals: [{ kind: 'transfer', spender: UNUSED }],
      warnings: [{ id: 'signed-transfer' }],
    },
  })
})

describe('smart accounts', () => {
  const sign = (to: Address, data: Hex, rest: Record<string, Json> = {}) =>
    ask({ typedData: typed('SafeTx', at('StoredLogic'), { to, value: '0', data, operation: 0, ...rest }) })

  beforeAll(async () => {
    const { node } = stage.devnet
    for (const name of ['StoredLogic', 'OpenDelegate']) await node.call('anvil_setBalance', at(name), '0xffff')
    await node.call('evm_mine')
  })

  test("a Safe's inner call is played as the Safe", async () => {
    const { verdict, wallet } = await sign(weth, DEPOSIT, { value: '5' })
    expect({ verdict, wallet }).toMatchObject({
      verdict: 'SAFE',
      wallet: {
        account: at('StoredLogic'),
        success: true,
        leaves: [{ token: undefined, amount: 5n }],
        arrives: [{ token: weth, amount: 5n }],
        warnings: [],
      },
    })
  })

  test('calls that foreign code makes for it in turn are played too', async () => {
    const args = [
      [weth, weth],
      [DEPOSIT, approve(at('Staking'), 9n)],
    ] as const
    const { verdict, wallet } = await sign(at('CallsInTurn'), encodeFunctionData({ abi, functionName: 'run', args }), {
      operation: 1,
    })
    expect({ verdict, wallet }).toMatchObject({
      verdict: 'SAFE',
      wallet: { approvals: [{ token: weth, spender: at('Staking'), amount: 9n }], warnings: [{ id: 'foreign-code' }] },
    })
  })

  test('foreign code that exchanges the code of the Safe takes it over, and a new owner is told', async () => {
    const taken = await sign(at('LogicTakeover'), transfer(at('OpenDelegate'), 0n), { operation: 1 })
    expect(taken).toMatchObject({ verdict: 'CRITICAL', findings: [{ id: 'wallet-takeover' }] })
    const data = encodeFunctionData({ abi, functionName: 'setOwner', args: [UNUSED] })
    const owned = await sign(at('StoredLogic'), data)
    expect(owned).toMatchObject({ verdict: 'SAFE', wallet: { success: true, warnings: [{ id: 'account-changed' }] } })
  })

  test("a user operation's calls are played as its account", async () => {
    const callData = encodeFunctionData({ abi, functionName: 'execute', args: [weth, 6n, DEPOSIT] })
    const message = { sender: at('OpenDelegate'), callData, initCode: '0x' }
    const { wallet } = await ask({ typedData: typed('PackedUserOperation', UNUSED, message) })
    expect(wallet).toMatchObject({
      account: at('OpenDelegate'),
      leaves: [{ token: undefined, amount: 6n }],
      arrives: [{ token: weth, amount: 6n }],
    })
  })
})

describe('an account that takes the code of another for its own', () => {
  const delegate = (name: string, rest: WalletRequest = {}) =>
    ask({ from: account, authorizationList: [{ address: at(name) }], ...rest })

  test.each(['OpenDelegate', 'OperatorDelegate', 'FirstComeDelegate'])(
    '%s lets others take what it has',
    async (name) => {
      const report = await delegate(name)
      expect(report).toMatchObject({
        verdict: 'CRITICAL',
        findings: [{ id: 'open-delegation', grantedTo: at(name) }],
        wallet: { approvals: [{ kind: 'delegation', spender: at(name) }], warnings: [{ id: 'delegation' }] },
      })
    },
  )

  test('one that sends on what it receives is a sweeper', async () => {
    expect(await delegate('DelegationSweeper')).toMatchObject({
      verdict: 'HIGH_RISK',
      findings: [{ id: 'delegation-sweeper' }],
    })
  })

  test.each(['BatchDelegate', 'OwnInitDelegate', 'SignedDelegate'])('%s obeys the account alone', async (name) => {
    const report = await delegate(name)
    expect([report.verdict, idsOf(report.findings)]).toEqual(['SAFE', []])
  })

  test('an owner that the same request names leaves no place for another', async () => {
    const data = encodeFunctionData({ abi, functionName: 'initialize', args: [account] })
    const report = await delegate('FirstComeDelegate', { calls: [{ to: account, data }] })
    expect([report.verdict, idsOf(report.findings), report.wallet?.success]).toEqual(['SAFE', [], true])
  })

  test('an address without code can become any code, and zero takes the delegation back', async () => {
    const empty = await ask({ from: account, authorizationList: [{ address: UNUSED, chainId: 0n }] })
    expect(idsOf(empty.findings)).toEqual(['counterfactual-spender'])
    expect(idsOf(empty.wallet?.warnings)).toEqual(['delegation', 'every-chain'])
    const zero = await ask({ from: account, authorizationList: [{ address: `0x${'0'.repeat(40)}` }] })
    expect(zero).toMatchObject({ verdict: 'SAFE', wallet: { approvals: [], warnings: [] } })
  })
})

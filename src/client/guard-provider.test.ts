import { describe, expect, test } from 'vitest'
import { type CheckPhishingAnswer, type GuardOptions, guardProvider, type Judgement } from './client.js'

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const TOKEN = '0x514910771AF9Ca656af840dff83E8264EcF986CA'
const ROUTER = '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D'
const TRANSACTION = { from: WALLET, to: TOKEN, data: '0x095ea7b3', value: '0x10' }
const PERMIT = {
  domain: { chainId: 1, verifyingContract: TOKEN },
  types: { Permit: [] },
  primaryType: 'Permit',
  message: {},
}
const HASH = `0x${'9d'.repeat(32)}`

const answer = (verdict: string, warnings: { severity: string }[] = []) =>
  ({ verdict, isEmpty: verdict === 'EMPTY_CONTRACT', wallet: { warnings } }) as unknown as CheckPhishingAnswer

/** A wallet that signs whatever reaches it, and an Assay that gives this answer. */
function setUp(reply: () => Promise<CheckPhishingAnswer>, options: Partial<GuardOptions> = {}) {
  const signed: unknown[] = []
  const asked: object[] = []
  let chainId = '0x1'
  const provider = {
    isWallet: true,
    providers: [] as unknown[],
    async request(call: { method: string; params?: unknown }) {
      if (call.method === 'eth_chainId') return chainId
      signed.push(call)
      return '0xsigned'
    },
    on(_event: string) {
      return provider
    },
    async send() {
      signed.push('past the guard')
    },
  }
  provider.providers.push(provider)
  const checkPhishing = async (request: object) => {
    asked.push(request)
    return reply()
  }
  const guarded = guardProvider(provider, { assay: { checkPhishing }, ...options })
  const ask = (method: string, ...params: unknown[]) => guarded.request({ method, params })
  return { guarded, provider, signed, asked, ask, moveTo: (id: string) => (chainId = id) }
}

const safe = async () => answer('SAFE')

test('a transaction is asked about as it will be sent, and sent when it is harmless', async () => {
  const { ask, asked, signed } = setUp(safe)
  expect(await ask('eth_sendTransaction', TRANSACTION)).toBe('0xsigned')
  expect(asked).toEqual([
    { targetContractAddress: TOKEN, chainId: 1, only: true, from: WALLET, calldata: '0x095ea7b3', value: '16' },
  ])
  expect(signed).toEqual([{ method: 'eth_sendTransaction', params: [TRANSACTION] }])
})

test('typed data is asked about at its contract and on its chain', async () => {
  const { ask, asked } = setUp(safe)
  await ask('eth_signTypedData_v4', WALLET, JSON.stringify({ ...PERMIT, domain: { ...PERMIT.domain, chainId: 56 } }))
  expect(asked).toMatchObject([
    { targetContractAddress: TOKEN, chainId: 56, from: WALLET, typedData: { primaryType: 'Permit' } },
  ])
})

test('of several calls each address is judged, and the calls are played together', async () => {
  const { ask, asked } = setUp(safe)
  const calls = [{ to: TOKEN, data: '0x01' }, { to: ROUTER, value: '0x2' }, { to: TOKEN.toLowerCase() }]
  await ask('wallet_sendCalls', { from: WALLET, chainId: '0x2105', calls })
  expect(asked).toEqual([
    { targetContractAddress: TOKEN.toLowerCase(), chainId: 8453, only: true, from: WALLET, calls },
    { targetContractAddress: ROUTER, chainId: 8453, only: true },
  ])
})

test.each([
  ['CRITICAL', 'block'],
  ['HIGH_RISK', 'block'],
  ['LOW_RISK', 'warn'],
  ['INCONCLUSIVE', 'warn'],
  ['SAFE', 'pass'],
  ['EMPTY_CONTRACT', 'pass'],
])('by itself it lets %s %s', async (verdict, decision) => {
  let isWarned = false
  const confirm = () => {
    isWarned = true
    return true
  }
  const { ask, signed } = setUp(async () => answer(verdict), { confirm })
  const outcome = ask('eth_sendTransaction', TRANSACTION)
  if (decision === 'block') await expect(outcome).rejects.toMatchObject({ name: 'BlockedByAssayError', code: 4001 })
  else await outcome
  expect([isWarned, signed.length]).toEqual([decision === 'warn', decision === 'block' ? 0 : 1])
})

test('one dangerous address among several is enough', async () => {
  const verdicts = ['SAFE', 'CRITICAL']
  const { ask, signed } = setUp(async () => answer(verdicts.shift() ?? ''))
  await expect(ask('wallet_sendCalls', { calls: [{ to: TOKEN }, { to: ROUTER }] })).rejects.toThrow()
  expect(signed).toEqual([])
})

test.each([
  ['an unlimited permission is warned of', 'MEDIUM', true],
  ['a grave one is blocked, whatever the person says', 'CRITICAL', false],
])('%s', async (_name, severity, isSigned) => {
  const { ask, signed } = setUp(async () => answer('SAFE', [{ severity }]), { confirm: () => true })
  await ask('eth_signTypedData_v4', WALLET, PERMIT).catch(() => {})
  expect(signed.length === 1).toBe(isSigned)
})

describe('without an answer the policy decides', () => {
  const outcomes: [string, () => Promise<CheckPhishingAnswer>, string][] = [
    ['it does not come in time', () => new Promise(() => {}), 'AssayTimeoutError'],
    ['Assay refuses', () => Promise.reject(new Error('analysis_limit')), 'Error'],
  ]
  test.each(outcomes)('where %s', async (_name, reply, name) => {
    const seen: Judgement[] = []
    const policy = (judgement: Judgement) => {
      seen.push(judgement)
      return 'pass' as const
    }
    const lenient = setUp(reply, { policy, timeoutMs: 5 })
    await lenient.ask('eth_sendTransaction', TRANSACTION)
    expect(seen).toMatchObject([{ answers: [], failure: { name } }])
    expect(lenient.signed).toHaveLength(1)
    const byItself = setUp(reply, { timeoutMs: 5 })
    await expect(byItself.ask('eth_sendTransaction', TRANSACTION)).rejects.toThrow('not sent')
    expect(byItself.signed).toEqual([])
  })
})

test.each([
  ['eth_sendTransaction', [{ ...TRANSACTION, to: undefined }], 'makes a contract'],
  ['eth_sendTransaction', [{ ...TRANSACTION, input: '0xdead' }], 'two different kinds'],
  ['eth_sendTransaction', [], 'goes nowhere'],
  ['wallet_sendCalls', [{ calls: [{ to: TOKEN }, {}] }], 'goes nowhere'],
  ['wallet_sendCalls', [{ calls: Array.from({ length: 17 }, () => ({ to: TOKEN })) }], 'more than 16'],
  ['eth_signTypedData_v4', [WALLET, '{'], 'no contract'],
  ['personal_sign', [HASH, WALLET], 'hash'],
  ['personal_sign', ['pay \u202eme', WALLET], 'hash'],
  ['eth_sign', [WALLET, HASH], 'does not show'],
  ['eth_signTypedData', [[], WALLET], 'does not show'],
  ['wallet_signTomorrow', [], 'does not show'],
  ['wallet_grantPermissions', [{}], 'does not show'],
])('%s %j cannot be judged, and is not passed', async (method, params, reason) => {
  const seen: Judgement[] = []
  const confirm = (judgement: Judgement) => {
    seen.push(judgement)
    return false
  }
  const { ask, signed, asked } = setUp(safe, { confirm })
  await expect(ask(method, ...params)).rejects.toThrow('not sent')
  expect([signed, asked]).toEqual([[], []])
  expect(seen[0]?.unreadable).toContain(reason)
})

test('a message that can be read is passed with its text, and a policy may think otherwise', async () => {
  const { ask, signed } = setUp(safe)
  await ask('personal_sign', `0x${Buffer.from('Sign in\nto äpp').toString('hex')}`, WALLET)
  expect(signed).toHaveLength(1)
  const strict = setUp(safe, { policy: ({ text }) => (text === 'Sign in' ? 'block' : 'pass') })
  await expect(strict.ask('personal_sign', 'Sign in', WALLET)).rejects.toThrow()
})

test.each([
  ['throws', () => Promise.reject(new Error('a bug'))],
  ['says something else', async () => 'ok' as 'pass'],
  ['warns where no person is asked', () => 'warn' as const],
])('a policy that %s blocks', async (_name, policy) => {
  const { ask, signed } = setUp(safe, { policy })
  await expect(ask('eth_sendTransaction', TRANSACTION)).rejects.toThrow('not sent')
  expect(signed).toEqual([])
})

test('what a page changes while it waits is not what is sent', async () => {
  const transaction = { ...TRANSACTION }
  const { ask, signed } = setUp(async () => {
    transaction.to = ROUTER
    return answer('SAFE')
  })
  await ask('eth_sendTransaction', transaction)
  expect(signed).toMatchObject([{ params: [{ to: TOKEN }] }])
})

test('nothing is sent to another chain than the one that was asked about', async () => {
  const here = setUp(async () => {
    here.moveTo('0x38')
    return answer('SAFE')
  })
  await expect(here.ask('eth_sendTransaction', TRANSACTION)).rejects.toThrow('not sent')
  expect(here.signed).toEqual([])
})

test('everything else is passed on as it is, and nothing leads around the guard', async () => {
  const { guarded, ask, signed, asked } = setUp(safe)
  await ask('eth_getBalance', WALLET)
  expect([signed.length, asked.length]).toEqual([1, 0])
  expect(guarded.isWallet).toBe(true)
  expect('on' in guarded && guarded.on('accountsChanged')).toBe(guarded)
  expect([guarded.providers, guarded.send]).toEqual([undefined, undefined])
  expect(() => Object.assign(guarded, { request: undefined })).toThrow(TypeError)
})

test('a provider that is frozen can be guarded', async () => {
  const provider = Object.freeze({ request: async ({ method }: { method: string }) => method })
  const guarded = guardProvider(provider, { assay: { checkPhishing: safe } })
  expect(await guarded.request({ method: 'eth_accounts' })).toBe('eth_accounts')
})

test('a call that changes its method between two looks is sent as it was judged', async () => {
  const { guarded, signed } = setUp(safe)
  const methods = ['eth_accounts', 'eth_sendTransaction']
  await guarded.request({
    get method() {
      return methods.shift() ?? 'eth_sendTransaction'
    },
    params: [TRANSACTION],
  })
  expect(signed).toMatchObject([{ method: 'eth_accounts' }])
})

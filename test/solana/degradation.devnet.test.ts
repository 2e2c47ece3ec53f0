import { afterEach, describe, expect, test } from 'vitest'
import type { SolanaTokenReport } from '../../src/checks/solana/solana-report.js'
import { MARKETS } from '../../src/devnet/solana/examples/markets.js'
import { RULES } from '../../src/devnet/solana/examples/token-rules.js'
import { HOOKS } from '../../src/devnet/solana/examples/transfer-hooks.js'
import { SolanaUnavailableError } from '../../src/solana/rpc/solana-rpc-client.js'
import { createSvmEngine, type SvmEngine } from '../../src/solana/svm/engine.js'
import { SvmResistedError } from '../../src/solana/svm/fork.js'
import { SvmUnavailableError } from '../../src/solana/svm/load-litesvm.js'
import { type Fault, type FaultProxy, startFaultProxy } from '../fault-proxy/fault-proxy.js'
import { createSolanaStage, type Judged, type SolanaStage, type SolanaStageOptions } from './solana-stage.js'

const WANTED = ['plain', 'freezable', 'scheduled fee', 'one wallet', 'trusted dollar', 'wallet']
const examples = [...RULES, ...MARKETS].filter(({ name }) => WANTED.includes(name))
const ORDER = ['Safe', 'Low Risk', 'Medium Risk', 'High Risk', 'Critical Risk']

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

/** A check whose nodes are proxies that misbehave. */
async function setUp(faultsOfNodes: readonly (readonly Fault[])[], options: SolanaStageOptions = {}) {
  const proxies: FaultProxy[] = []
  const stage = await createSolanaStage({
    examples,
    callTimeoutMs: 3_000,
    ...options,
    nodeUrls: async (url) => {
      for (const faults of faultsOfNodes) {
        const proxy = await startFaultProxy(url)
        proxy.inject(...faults)
        proxies.push(proxy)
      }
      return proxies.map((proxy) => proxy.url)
    },
  })
  open.push(() => stage.close(), ...proxies.map((proxy) => () => proxy.close()))
  return { stage, proxies, ask: (name: string) => askToken(stage, name) }
}

async function askToken(stage: SolanaStage, name: string): Promise<Judged<SolanaTokenReport>> {
  const report = await stage.check({ address: stage.addressOf(name) })
  if (report.kind !== 'token') throw new Error(`${name} is no token`)
  return report
}

const refuses = (method: string, message = 'Method not found'): Fault => ({
  name: `refuses ${method}`,
  method,
  answer: ({ id }) => ({ jsonrpc: '2.0', id, error: { code: -32601, message } }),
})

const isAtLeast = (status: string, least: string) => ORDER.indexOf(status) >= ORDER.indexOf(least)

describe('a node that does not name the largest accounts', () => {
  test.each(['plain', 'freezable', 'scheduled fee', 'one wallet', 'trusted dollar'])(
    '%s is judged no more kindly',
    async (name) => {
      const { ask } = await setUp([[refuses('getTokenLargestAccounts')]])
      const expected = examples.find((each) => each.name === name)?.expect.trustStatus ?? ''
      const report = await ask(name)
      expect(isAtLeast(report.level, expected)).toBe(true)
      expect(isAtLeast(report.level, 'Medium Risk')).toBe(true)
      expect(report.gaps).toEqual(['no node named the largest accounts, so that holders and pools are unknown'])
      // A pool whose address follows from the mint is found without the list.
      const isTraded = name !== 'one wallet'
      expect(report.holders).toBeUndefined()
      expect(report.pools).toHaveLength(isTraded ? 1 : 0)
      expect(report.play?.vault.synthetic).toBe(!isTraded)
    },
  )

  test('what the rules of the token do is still seen', async () => {
    const { ask } = await setUp([[refuses('getTokenLargestAccounts', 'Too many requests for a specific RPC call')]])
    expect(await ask('scheduled fee')).toMatchObject({ isTimeHoneypot: true, level: 'Critical Risk' })
  })
})

describe('a node that is slow or dead', () => {
  test('is passed over for the next', async () => {
    const silent: Fault = { name: 'silent', exchange: () => {} }
    const { ask, proxies } = await setUp([[silent], []], { callTimeoutMs: 300 })
    expect(await ask('plain')).toMatchObject({ level: 'Safe', gaps: [] })
    expect(proxies[0]?.seen.http).toBeGreaterThan(0)
  })

  test('with nobody behind it is a failure, and no verdict', async () => {
    const broken: Fault = {
      name: 'broken',
      exchange: (reply) => void reply.writeHead(502).end('<html>bad gateway</html>'),
    }
    const { stage } = await setUp([[broken], [broken]])
    await expect(stage.check({ address: stage.addressOf('plain') })).rejects.toThrow(SolanaUnavailableError)
  })

  test('of another cluster is not used', async () => {
    const other: Fault = {
      name: 'other cluster',
      method: 'getGenesisHash',
      answer: ({ id }) => ({ jsonrpc: '2.0', id, result: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d' }),
    }
    const { ask, proxies } = await setUp([[], [other]])
    expect(await ask('plain')).toMatchObject({ level: 'Safe', gaps: [] })
    expect(proxies[1]?.seen.calls.every(({ method }) => method === 'getGenesisHash')).toBe(true)
  })
})

interface AccountAnswer {
  data: [string, string]
  owner: string
}

/** Changes what a node says of accounts, where `change` does. */
const lies = (name: string, change: (account: AccountAnswer) => AccountAnswer): Fault => ({
  name,
  method: 'getMultipleAccounts',
  answer: (honest) => {
    const result = honest.result as { value: (AccountAnswer | null)[] }
    return { ...honest, result: { ...result, value: result.value.map((account) => account && change(account)) } }
  },
})

const asBytes = ({ data }: AccountAnswer) => Buffer.from(data[0], 'base64')
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'

describe('a node that lies', () => {
  /** Takes the freeze authority out of every mint. */
  const hidesAuthority = lies('hides the authority', (account) => {
    const bytes = asBytes(account)
    if (account.owner !== TOKEN || bytes.length !== 82) return account
    return { ...account, data: [bytes.fill(0, 46).toString('base64'), 'base64'] }
  })

  test('about a mint is found out by a second node, and neither is believed', async () => {
    for (const nodes of [
      [[hidesAuthority], []],
      [[], [hidesAuthority]],
    ]) {
      const { ask } = await setUp(nodes)
      const report = await ask('freezable')
      expect(report.gaps).toEqual(['two nodes contradict each other about this mint'])
      expect(isAtLeast(report.level, 'Medium Risk')).toBe(true)
    }
  })

  test('about the largest accounts contradicts itself', async () => {
    const names: Fault = {
      name: 'names accounts of nobody',
      method: 'getTokenLargestAccounts',
      answer: (honest) => {
        const { value } = honest.result as { value: { address: string }[] }
        for (const [i, each] of value.entries()) each.address = `${'1'.repeat(31)}${'23456789ABCDEFGHJKLM'[i] ?? '2'}`
        return honest
      },
    }
    const { ask } = await setUp([[names]])
    const report = await ask('one wallet')
    expect(report.gaps).toEqual(['the node contradicts itself about the largest accounts'])
    expect(isAtLeast(report.level, 'Medium Risk')).toBe(true)
  })

  test.each<[string, Fault]>([
    ['base64 that is cut', lies('cut', (account) => ({ ...account, data: [account.data[0].slice(0, -2), 'base64'] }))],
    ['data in another encoding', lies('encoding', (account) => ({ ...account, data: [account.data[0], 'base58'] }))],
    ['an owner that is no address', lies('owner', (account) => ({ ...account, owner: 'x' }))],
    [
      'fewer accounts than were asked for',
      {
        name: 'fewer',
        method: 'getMultipleAccounts',
        answer: (honest) => {
          ;(honest.result as { value: unknown[] }).value.pop()
          return honest
        },
      },
    ],
    ['no JSON', { name: 'no JSON', exchange: (reply) => void reply.writeHead(200).end('{') }],
  ])('with %s is no answer at all', async (_, fault) => {
    const { stage } = await setUp([[fault]])
    await expect(stage.check({ address: stage.addressOf('plain') })).rejects.toThrow(SolanaUnavailableError)
  })

  test('about the time of day, or stands still, is out of step', async () => {
    const { stage } = await setUp([[]], { maxHeadAgeMs: 60_000 })
    expect(await askToken(stage, 'plain')).toMatchObject({ gaps: [] })
    stage.devnet.chain.setTime(BigInt(Math.floor(Date.now() / 1_000) - 3_600))
    await expect(stage.check({ address: stage.addressOf('plain') })).rejects.toThrow(SolanaUnavailableError)
  })
})

describe('an engine that cannot run', () => {
  test('a platform without the native module: the service reads, and says what it did not try', async () => {
    const { NAPI_RS_NATIVE_LIBRARY_PATH: before } = process.env
    // Threads take a copy of the environment when they start; those of the devnet and of other
    // tests have loaded their own already.
    const engine = createSvmEngine()
    const { stage } = await setUp([[]], { engine })
    process.env.NAPI_RS_NATIVE_LIBRARY_PATH = '/nowhere/litesvm.node'
    try {
      const report = await askToken(stage, 'freezable')
      expect(report.gaps).toEqual(['Solana programs cannot be executed on this platform'])
      expect(report).toMatchObject({ level: 'High Risk', windows: [], isHoneypot: false })
    } finally {
      await engine.close()
      if (before === undefined) delete process.env.NAPI_RS_NATIVE_LIBRARY_PATH
      else process.env.NAPI_RS_NATIVE_LIBRARY_PATH = before
    }
  })

  const brokenEngine = (error: Error): SvmEngine => ({
    play: () => Promise.reject(error),
    queued: () => 0,
    close: async () => {},
  })

  test.each([
    [
      'there is no build for the platform',
      new SvmUnavailableError(),
      'Solana programs cannot be executed on this platform',
    ],
    ['the engine breaks', new Error('some fault of ours'), 'trading could not be tried'],
    ['the code under test resists', new SvmResistedError('wallClockMs'), 'Analysis resisted: wallClockMs'],
  ])('%s: said, and judged no more kindly', async (_, error, gap) => {
    const { ask } = await setUp([[]], { engine: brokenEngine(error) })
    for (const name of ['plain', 'freezable', 'scheduled fee', 'trusted dollar']) {
      const report = await ask(name)
      expect(report).toMatchObject({ gaps: [gap], windows: [], play: undefined, isHoneypot: false })
      const expected = examples.find((each) => each.name === name)?.expect.trustStatus ?? ''
      expect(isAtLeast(report.level, expected)).toBe(true)
      expect(isAtLeast(report.level, 'Medium Risk')).toBe(true)
    }
  })
  const TRIALS = ['hook that denies sales', 'hook that denies all', 'fee of 99 %', 'fee of 15 %']
  const tried = [...RULES, ...HOOKS].filter(({ name }) => TRIALS.includes(name))

  test.each([
    ['hook that denies sales', { buy: { ok: true }, sell: { ok: false } }, 'sell-blocked', true],
    ['hook that denies all', { buy: { ok: false }, sell: { ok: false } }, 'buy-blocked', false],
    ['fee of 99 %', { buy: { ok: true }, sell: { ok: false } }, 'sell-blocked', true],
    ['fee of 15 %', { buy: { taxBps: 1_500 }, sell: { taxBps: 1_500 } }, 'high-tax', false],
  ])('the node simulates a trade instead, and what that shows of "%s" counts', async (name, trial, id, isHoneypot) => {
    const { ask } = await setUp([[]], { engine: brokenEngine(new SvmUnavailableError()), examples: tried })
    const report = await ask(name)
    expect(report).toMatchObject({ trial, isHoneypot, windows: [], play: undefined })
    expect(report.findings).toContainEqual(
      expect.objectContaining({ id, detail: expect.stringContaining('simulated by the node: ') }),
    )
    expect(report.gaps).toHaveLength(1)
  })

  test('a trade that the node lets through makes nothing better', async () => {
    const engine = brokenEngine(new SvmUnavailableError())
    const willing = await setUp([[]], { engine })
    const refusing = await setUp([[refuses('simulateTransaction')]], { engine })
    for (const name of ['plain', 'freezable', 'scheduled fee']) {
      const [withTrial, without] = [await willing.ask(name), await refusing.ask(name)]
      expect(withTrial.trial).toMatchObject({ buy: { ok: true, taxBps: 0 }, sell: { ok: true, taxBps: 0 } })
      expect(without.trial).toBeUndefined()
      expect(withTrial.score).toBe(without.score)
      expect(withTrial.findings).toEqual(without.findings)
    }
  })
})

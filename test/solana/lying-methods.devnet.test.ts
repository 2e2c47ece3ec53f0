import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { CONDITIONS } from '../../src/devnet/solana/examples/hook-conditions.js'
import { MARKETS } from '../../src/devnet/solana/examples/markets.js'
import { RULES } from '../../src/devnet/solana/examples/token-rules.js'
import { HOOKS } from '../../src/devnet/solana/examples/transfer-hooks.js'
import { CLOCK_SYSVAR } from '../../src/solana/programs.js'
import { SolanaUnavailableError } from '../../src/solana/rpc/solana-rpc-client.js'
import { type Fault, type FaultProxy, type ProxyAnswer, startFaultProxy } from '../fault-proxy/fault-proxy.js'
import { createSolanaStage, type SolanaStage } from './solana-stage.js'

/**
 * The only node there is, and each question to it answered with nothing, with an empty list, as it
 * was a while ago, and with something else: whatever comes of it is the honest verdict, a gap that
 * is named, or no answer at all. Never is it kinder, and never guilt.
 */
const HARMLESS = ['plain', 'immutable hook', 'hook that counts sales']
const HOSTILE = ['scheduled fee', 'freezable', 'hook that denies sales', 'hook with a switch', 'liquidity in one hand']
const names = [...HARMLESS, ...HOSTILE]
const examples = [...RULES, ...HOOKS, ...CONDITIONS, ...MARKETS].filter(({ name }) => names.includes(name))
const METHODS = ['getMultipleAccounts', 'getTokenLargestAccounts', 'getProgramAccounts', 'getSignaturesForAddress']
const ORDER = ['Safe', 'Low Risk', 'Medium Risk', 'High Risk', 'Critical Risk']

interface AtSlot {
  context: { slot: number }
  value: unknown
}

const isAtSlot = (result: unknown): result is AtSlot =>
  typeof result === 'object' && result !== null && 'context' in result && 'value' in result
const withValue = (honest: ProxyAnswer, change: (value: unknown) => unknown): ProxyAnswer => ({
  ...honest,
  result: isAtSlot(honest.result) ? { ...honest.result, value: change(honest.result.value) } : change(honest.result),
})
const eachOf = (value: unknown, change: (item: Record<string, unknown>, i: number) => unknown) =>
  Array.isArray(value) ? value.map((item, i) => (item === null ? null : change(item, i))) : value

/** Bytes of an account's data with every number in the middle of it turned round. */
function turned(item: Record<string, unknown>): Record<string, unknown> {
  const account = (item.account ?? item) as Record<string, unknown>
  if (!Array.isArray(account.data)) return item
  const bytes = Buffer.from(String(account.data[0]), 'base64')
  for (let i = 32; i < Math.min(bytes.length, 72); i += 1) bytes[i] = ~(bytes[i] ?? 0)
  const changed = { ...account, data: [bytes.toString('base64'), 'base64'] }
  return item.account === undefined ? changed : { ...item, account: changed }
}

/** An hour ago, by the slot of the answer and by the clock in it. */
function olderClock(honest: ProxyAnswer, addresses: readonly string[]): ProxyAnswer {
  const at = addresses.indexOf(CLOCK_SYSVAR)
  return withValue(honest, (value) =>
    eachOf(value, (item, i) => {
      if (i !== at || !Array.isArray(item.data)) return item
      const bytes = Buffer.from(String(item.data[0]), 'base64')
      bytes.writeBigInt64LE(bytes.readBigInt64LE(32) - 3_600n, 32)
      return { ...item, data: [bytes.toString('base64'), 'base64'] }
    }),
  )
}

const LIES: Readonly<Record<string, (honest: ProxyAnswer, params: unknown[]) => ProxyAnswer>> = {
  null: (honest) => ({ ...honest, result: null }),
  empty: (honest) => withValue(honest, () => []),
  'nothing there': (honest) => withValue(honest, (value) => (Array.isArray(value) ? value.map(() => null) : null)),
  stale: (honest, [first]) => {
    const older = Array.isArray(first) ? olderClock(honest, first as string[]) : honest
    return isAtSlot(older.result)
      ? { ...older, result: { ...older.result, context: { slot: Math.max(1, older.result.context.slot - 9_000) } } }
      : older
  },
  wrong: (honest) =>
    withValue(honest, (value) => eachOf(value, (item) => ('amount' in item ? { ...item, amount: '1' } : turned(item)))),
  'of others': (honest) =>
    withValue(honest, (value) => (Array.isArray(value) && value.length > 1 ? [...value.slice(1), value[0]] : value)),
}

let stage: SolanaStage
let proxy: FaultProxy
const honest = new Map<string, string>()

/** What a verdict stands on. */
async function ask(name: string) {
  try {
    const report = await stage.check({ address: stage.addressOf(name) })
    if (report.kind !== 'token') return { level: report.level, gaps: ['no token'], words: '', isHoneypot: false }
    const { level, gaps, isHoneypot, isTimeHoneypot, windows, findings } = report
    const taxes = windows.map(({ buyTaxBps, sellTaxBps }) => [buyTaxBps, sellTaxBps])
    const ids = findings.map(({ id }) => id)
    return { level, gaps, isHoneypot, words: JSON.stringify([level, isHoneypot, isTimeHoneypot, taxes, ids]) }
  } catch (error) {
    if (error instanceof SolanaUnavailableError) return undefined
    throw error
  }
}

beforeAll(async () => {
  stage = await createSolanaStage({
    examples,
    maxHeadAgeMs: 300_000,
    nodeUrls: async (url) => {
      proxy = await startFaultProxy(url)
      return [proxy.url]
    },
  })
  for (const name of names) honest.set(name, (await ask(name))?.words ?? '')
})
afterEach(() => {
  const { chain } = stage.devnet
  chain.setTime(BigInt(Math.floor(Date.now() / 1_000)))
})
afterAll(async () => {
  await stage.close()
  await proxy.close()
})

describe.each(METHODS)('%s', (method) => {
  test.each(Object.entries(LIES))('answered with: %s', async (kind, lie) => {
    const fault: Fault = { name: kind, method, answer: (answer, { params }) => lie(answer, params) }
    for (const name of names) {
      proxy.inject(fault)
      const told = await ask(name)
      proxy.inject()
      if (told === undefined) continue
      const { level, gaps, words, isHoneypot } = told
      if (words !== honest.get(name)) expect(gaps, `${name} became ${level}`).not.toEqual([])
      if (HARMLESS.includes(name)) expect({ name, isHoneypot }).toEqual({ name, isHoneypot: false })
      const least = gaps.length > 0 ? 'Medium Risk' : (JSON.parse(honest.get(name) ?? '[]') as string[])[0]
      expect(ORDER.indexOf(level), `${name}: ${level}`).toBeGreaterThanOrEqual(ORDER.indexOf(least ?? 'Critical Risk'))
    }
    // Nothing of it is kept.
    for (const name of names) expect((await ask(name))?.words, name).toBe(honest.get(name))
  })
})

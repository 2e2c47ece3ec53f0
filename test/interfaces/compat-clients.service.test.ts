import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FREE_LIMITS } from '../../src/keys/key-record.js'
import { HONEYPOT, PHISHING, SIMULATE } from '../http/test-app.js'
import { type ServiceOnDevnet, startServiceOnDevnet } from '../service-on-devnet.js'

/**
 * The clients of the mirrored API as docs/compatibility.md describes them: what they send and read
 * is written down here from that page, and the proxy before the service adds the key.
 */
let service: ServiceOnDevnet
beforeAll(async () => {
  service = await startServiceOnDevnet(
    { chainId: 1, examples: ['clean', 'sell-blocked', 'rising-tax', 'drainer'] },
    { env: { ASSAY_COMPAT: '1' } },
  )
})
afterAll(() => service?.stop())

type Fields = Record<string, unknown>

async function ask(path: string, body: object): Promise<{ status: number; answer: Fields }> {
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, answer: (await response.json()) as Fields }
}

const USER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Fails the whole scan when one answer is no 2xx. */
async function scan(bodies: readonly [object, object, object]): Promise<readonly Fields[]> {
  const answers = await Promise.all([SIMULATE, HONEYPOT, PHISHING].map((path, i) => ask(path, bodies[i] ?? {})))
  for (const { status, answer } of answers) expect(status, JSON.stringify(answer)).toBe(200)
  return answers.map(({ answer }) => answer)
}

const fullBodies = (address: string) =>
  [
    {
      ...{ userAddress: USER, amount: '1', chainId: 1, normalizedRecipient: USER, normalizedCurrency: 'ETH' },
      ...{ recipientAddress: USER, targetContractAddress: address },
    },
    { targetContractAddress: address, chainId: 1 },
    {
      ...{ userAddress: USER, recepientAddress: USER, recipientAddress: USER, targetContractAddress: address },
      ...{ currencySymbol: 'ETH', chainId: 1 },
    },
  ] as const
const shortBodies = (address: string) => {
  const body = { contractAddress: address, chainId: 1 }
  return [body, body, body] as const
}

const at = (part: unknown, path: string): unknown =>
  path.split('.').reduce((each: unknown, name) => (each as Fields | undefined)?.[name], part)

const SIMULATION = [
  ...['success', 'errorReason', 'gasUsed', 'estimatedTax', 'isReentrancy', 'isHoneypot', 'ethDelta', 'tokenDelta'],
  'isProfit',
].map((name) => `checks.simulateResult.${name}`)
const CODE = ['isContract', 'trustStatus', 'humanWarning', 'riskFlags'].map((name) => `checks.byteCodeResult.${name}`)
const HISTORY = ['activityPulse', 'message'].map((name) => `checks.transactionHistoryResult.${name}`)
const SALE = ['riskScore', 'buyTax', 'sellTax', 'isTimeHoneypot', 'errorReason', 'timeTravelResults'].map(
  (name) => `honeypotResponse.${name}`,
)
const WINDOW = [
  ...['label', 'buyTax', 'sellTax', 'riskScore', 'isBlackListDetected', 'isTradingControl', 'isMintable', 'mintScore'],
]

/** What the bot makes of three answers: its bands of the score, and a verdict that is not safe. */
function judgeAsBot([simulation, honeypot, phishing]: readonly Fields[]) {
  for (const path of [...SIMULATION, ...CODE, ...HISTORY]) expect(at(simulation, path), path).not.toBeUndefined()
  for (const path of SALE) expect(at(honeypot, path), path).not.toBeUndefined()
  const windows = at(honeypot, 'honeypotResponse.timeTravelResults') as Fields[]
  for (const path of WINDOW) for (const window of windows) expect(window[path], path).not.toBeUndefined()
  const score = Number(at(honeypot, 'honeypotResponse.riskScore'))
  const verdict = String(at(phishing, 'verdict')).toLowerCase()
  return {
    band: ['safe', 'low', 'medium', 'high', 'critical'][[20, 50, 70, 90].filter((bound) => score > bound).length],
    isTrap: at(simulation, 'checks.simulateResult.isHoneypot') === true,
    isLater: at(honeypot, 'honeypotResponse.isTimeHoneypot') === true,
    isPhishing: !/safe|clean/.test(verdict) && verdict !== 'unknown',
  }
}

describe.each([
  ['with all that it sends', fullBodies],
  ['with an address and a chain', shortBodies],
])('the bot %s', (_name, bodies) => {
  test('calls an honest token harmless', async () => {
    const verdict = judgeAsBot(await scan(bodies(service.addressOf('clean'))))
    expect(verdict).toMatchObject({ isTrap: false, isLater: false, isPhishing: false })
    expect(['safe', 'low']).toContain(verdict.band)
  })

  test('warns of a trap, of one that shuts later, and of a drainer', async () => {
    expect(judgeAsBot(await scan(bodies(service.addressOf('sell-blocked'))))).toMatchObject({
      band: 'critical',
      isTrap: true,
    })
    expect(judgeAsBot(await scan(bodies(service.addressOf('rising-tax'))))).toMatchObject({ isLater: true })
    expect(judgeAsBot(await scan(bodies(service.addressOf('drainer'))))).toMatchObject({ isPhishing: true })
  })
})

test('the older bot finds at the top what newer ones find below', async () => {
  const [simulation, honeypot] = await scan(shortBodies(service.addressOf('sell-blocked')))
  const { simulation: trace, ...result } = at(simulation, 'checks.simulateResult') as Fields
  expect(trace).toBeDefined()
  expect(at(simulation, 'simulateResult')).toEqual(result)
  const { isTimeHoneypot, buyTax, sellTax } = at(honeypot, 'honeypotResponse') as Fields
  expect(honeypot).toMatchObject({ isTimeHoneypot, buyTax, sellTax })
  expect(sellTax).toBe(100)
})

test('it is told why a simulation failed', async () => {
  const { answer } = await ask(SIMULATE, { contractAddress: USER, chainId: 1 })
  expect(at(answer, 'simulateResult.success')).toBe(false)
  expect(answer.humanReason).toBe(at(answer, 'checks.simulateResult.errorReason'))
  expect(answer.humanReason).not.toBe('')
})

describe('the widget', () => {
  const body = (address: string, currencySymbol?: string) => ({
    ...{ address: USER, userAddress: USER, contractAddress: address, tokenAddress: address, recepientAddress: USER },
    ...{ value: '0.0001', ...(currencySymbol && { currencySymbol }) },
  })
  const scores = async (address: string) => {
    const honeypot = await ask(HONEYPOT, body(address, 'ETH'))
    const phishing = await ask(PHISHING, body(address, 'ETH'))
    return [honeypot.answer.totalScore, phishing.answer.phishingScore]
  }

  test('shows both scores, which tell good from bad', async () => {
    const [honest = 100, harmless = 100] = await scores(service.addressOf('clean'))
    const [trap] = await scores(service.addressOf('sell-blocked'))
    const [, drainer] = await scores(service.addressOf('drainer'))
    expect(honest).toBeLessThan(40)
    expect(harmless).toBe(0)
    expect(trap).toBeGreaterThan(70)
    expect(drainer).toBeGreaterThan(40)
  })

  test('names the chain by its coin, or not at all', async () => {
    const address = service.addressOf('clean')
    expect((await ask(HONEYPOT, body(address))).answer.code).toBe('chain_required')
    expect((await ask(HONEYPOT, body(address, 'DOGE'))).answer.code).toBe('chain_required')
    const elsewhere = await ask(HONEYPOT, { ...body(address, 'BNB'), chainId: 1 })
    expect(elsewhere.status).toBe(200)
  })
})

test('a free key has room for three scans a minute, as the page says', () => {
  expect(Math.floor(FREE_LIMITS.analysis / 3)).toBe(3)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.js'
import { someOf } from '../some-of.js'
import { type Fault, type FaultProxy, startFaultProxy } from './fault-proxy.js'
import { type AnalysisPath, type Answer, type FaultyService, ROUTES, startFaultyService } from './faulty-service.js'
import { type Limitation, limitedNode } from './limited-node.js'
import { ANSWER_FAULTS, EXCHANGE_FAULTS, LIES } from './node-faults.js'

/**
 * The fault matrix seen from outside: every fault, on every method that the service uses, with one
 * node and with two, by real requests to the running service. Routes and tokens take turns over the
 * cells. The three invariants: a valid envelope; within the deadline; never a kinder verdict than
 * without the fault, and never guilt that was not there. With two nodes no request is lost, so the
 * verdict is the very same.
 */

const HONEST = 'clean'
const TRAP = 'sell-blocked'
/** Shorter than in service, so that the matrix takes a minute. */
const CALL_TIMEOUT_MS = 2_000
const LIMITS = { callTimeoutMs: CALL_TIMEOUT_MS, maxAnswerBytes: 1_000_000, maxHeadAgeMs: 600_000 }
/** `HTTP_BOUNDS.analysisMs`, and what a loaded machine takes to say so. */
const DEADLINE_MS = 20_000
/**
 * Cells of one fault that run side by side; Vitest runs five faults at once. Waiting for a silent
 * node needs no processor.
 */
const CONCURRENCY = 1
const CONCURRENCY_OF_SILENCE = 4
const SILENT = /no answer ever|silence|one byte|without end|2 GB/

/** One cell in so many, others each day. */
const SHARE = 30

/** Each method, on a kind of node that makes the service use it. */
const METHODS: Record<string, readonly Limitation[]> = {
  eth_getBlockByNumber: [],
  eth_chainId: ['debug_traceCall'],
  eth_getBlockByHash: [],
  eth_getTransactionCount: [],
  eth_call: ['debug_traceCall', 'eth_getStorageValues'],
  eth_getStorageValues: ['debug_traceCall'],
  debug_traceCall: [],
  eth_getBalance: ['overrides', 'eth_getStorageValues'],
  eth_getCode: ['overrides', 'eth_getStorageValues'],
  eth_getStorageAt: ['overrides', 'eth_getStorageValues', 'block hash'],
  eth_getLogs: ['debug_traceCall'],
}
/** Truth and lie look the same: see `fault-matrix.devnet.test.ts`. */
const UNDETECTABLE = new Set(['eth_getCode: a bare 0x'])

/**
 * Every fault and method meets all of these. A look through time takes eight times as long as a
 * trade, so it comes up less often.
 */
const TURNS = [
  [ROUTES[0], TRAP],
  [ROUTES[0], HONEST],
  [ROUTES[0], TRAP],
  [ROUTES[1], TRAP],
  [ROUTES[0], HONEST],
  [ROUTES[0], TRAP],
  [ROUTES[0], HONEST],
  [ROUTES[1], HONEST],
] as const

let devnet: Devnet
let service: FaultyService
const truths = new Map<string, Verdict>()

beforeAll(async () => {
  devnet = await startDevnet({ chainId: 8453, examples: [HONEST, TRAP] })
  service = await startFaultyService({ devnet, limits: LIMITS, concurrency: 5 * CONCURRENCY_OF_SILENCE })
  for (const path of ROUTES) {
    for (const token of [HONEST, TRAP]) {
      const { text } = await service.ask([devnet.url], path, addressOf(token))
      truths.set(`${path} ${token}`, readVerdict(path, JSON.parse(text)))
    }
  }
}, 60_000)

afterAll(async () => {
  await service?.stop()
  await devnet?.stop()
})

const addressOf = (name: string) =>
  devnet.examples.find((example) => example.name === name)?.targetContractAddress ?? '0x'

test('without faults the trap is told from the honest token', () => {
  const [simulate, honeypot] = ROUTES
  expect(truths.get(`${simulate} ${TRAP}`)).toMatchObject({ isGuilty: true, isComplete: true })
  expect(truths.get(`${simulate} ${HONEST}`)).toMatchObject({ isGuilty: false, isComplete: true })
  expect(truths.get(`${honeypot} ${TRAP}`)).toMatchObject({ isGuilty: true, isComplete: true })
  expect(truths.get(`${honeypot} ${HONEST}`)).toMatchObject({ isGuilty: false, isComplete: true })
})

const FAULTS: [title: string, faultOn: (method: string) => Fault | undefined][] = [
  ...Object.entries(EXCHANGE_FAULTS).map(([name, exchange]) =>
    faultOfAll(name, (method) => ({ name, method, exchange })),
  ),
  ...Object.entries(ANSWER_FAULTS).map(([name, answer]) => faultOfAll(name, (method) => ({ name, method, answer }))),
  ...LIES.map((lie) => faultOfAll(`${lie.method}: ${lie.name}`, (method) => (method === lie.method ? lie : undefined))),
]

function faultOfAll(title: string, faultOn: (method: string) => Fault | undefined): (typeof FAULTS)[number] {
  return [title, faultOn]
}

test.concurrent.each(FAULTS)(
  '%s: a valid answer in time, and never a false verdict',
  async (title, faultOn) => {
    const turn = FAULTS.findIndex(([name]) => name === title)
    const all = Object.entries(METHODS).flatMap(([method, limitations], i) => {
      const fault = faultOn(method)
      if (fault === undefined || UNDETECTABLE.has(`${method}: ${fault.name}`)) return []
      return [1, 2].map((nodes) => cellOf({ method, limitations, fault, nodes, index: turn + i + nodes }))
    })
    expect(all.length).toBeGreaterThan(0)
    expect(await runAll(someOf(all, SHARE, turn))).toEqual([])
  },
  300_000,
)

const KILL: Fault = { name: 'killed', exchange: (reply) => void reply.destroy() }
const MIDWAY_FAULTS: Fault[] = [
  KILL,
  ...['no answer ever', 'cut in the middle', 'an HTML page', 'HTTP 500', 'HTTP 429, come back in an hour'].map(
    (name) => {
      const exchange = EXCHANGE_FAULTS[name]
      if (exchange === undefined) throw new RangeError(name)
      return { name, exchange }
    },
  ),
  ...['error -32603', 'missing trie node', 'the answer is missing', 'text that is no hex'].map((name) => {
    const answer = ANSWER_FAULTS[name]
    if (answer === undefined) throw new RangeError(name)
    return { name, answer }
  }),
]

test.concurrent.each(MIDWAY_FAULTS)(
  '$name in the middle of a request: with a second node it is not lost',
  async (fault) => {
    const cells = someOf([0, 1, 2, 3, 4], SHARE, MIDWAY_FAULTS.indexOf(fault)).flatMap((honestExchanges) =>
      [0, 1].map((place) =>
        cellOf({
          method: `after ${honestExchanges} exchanges, node ${place + 1}`,
          limitations: ['debug_traceCall', 'eth_getStorageValues'],
          fault,
          nodes: 2,
          index: MIDWAY_FAULTS.indexOf(fault) + 2 * honestExchanges + place,
          honestExchanges,
          place,
        }),
      ),
    )
    expect(await runAll(cells)).toEqual([])
  },
  300_000,
)

interface Cell {
  method: string
  limitations: readonly Limitation[]
  fault: Fault
  nodes: number
  path: AnalysisPath
  token: string
  /** Goes well this often before the fault begins. */
  honestExchanges: number
  /** Where the bad node stands in the list. */
  place: number
}

function cellOf(
  cell: Omit<Cell, 'path' | 'token' | 'honestExchanges' | 'place'> & { index: number } & Partial<Cell>,
): Cell {
  const [path, token] = TURNS[cell.index % TURNS.length] ?? TURNS[0]
  return { honestExchanges: 0, place: 0, ...cell, path, token }
}

/** Runs the cells a few at a time and lists those where something was not as it must be. */
async function runAll(cells: readonly Cell[]): Promise<string[]> {
  const wrong: string[] = []
  const queue = cells.values()
  const work = async () => {
    for (const cell of queue) {
      const complaint = await runCell(cell)
      if (complaint) wrong.push(`${cell.method}, ${cell.nodes} nodes, ${cell.path}, ${cell.token}: ${complaint}`)
    }
  }
  const isSilent = cells.every(({ fault }) => SILENT.test(fault.name))
  await Promise.all(Array.from({ length: isSilent ? CONCURRENCY_OF_SILENCE : CONCURRENCY }, work))
  return wrong
}

async function runCell({ limitations, fault, nodes, path, token, honestExchanges, place }: Cell) {
  const bad = await startFaultProxy(devnet.url)
  try {
    bad.inject(
      ...(honestExchanges > 0 ? [startAfter(bad, honestExchanges, fault)] : [fault]),
      ...limitedNode(...limitations),
    )
    const good = nodes === 2 ? [devnet.url] : []
    const urls = place === 0 ? [bad.url, ...good] : [...good, bad.url]
    const answer = await service.ask(urls, path, addressOf(token))
    return complain(answer, { path, truth: truths.get(`${path} ${token}`), mustMatch: nodes === 2 })
  } finally {
    await bad.close()
  }
}

/** The same fault, from a certain HTTP request on. */
function startAfter({ seen }: FaultProxy, exchanges: number, fault: Fault): Fault {
  if ('exchange' in fault)
    return {
      ...fault,
      async exchange(reply, honest, calls) {
        if (seen.http > exchanges) return fault.exchange(reply, honest, calls)
        reply.writeHead(200, { 'content-type': 'application/json' }).end(await honest())
      },
    }
  if ('answer' in fault)
    return { ...fault, answer: (honest, call) => (seen.http > exchanges ? fault.answer(honest, call) : honest) }
  return fault
}

/** What an answer claims, put so that both routes can be compared with what is true. */
interface Verdict {
  /** Says that the token traps its holders. */
  isGuilty: boolean
  /** All that could be found out was; otherwise a reason is given. */
  isComplete: boolean
  /** What is found in code, worst first in this order. */
  trustStatus: string
  titles: readonly string[]
  /** Everything that the verdict rests on. */
  evidence: unknown
}

interface Expectation {
  path: AnalysisPath
  truth: Verdict | undefined
  mustMatch: boolean
}

function complain({ status, text, elapsedMs }: Answer, { path, truth, mustMatch }: Expectation): string | undefined {
  if (elapsedMs > DEADLINE_MS) return `took ${Math.round(elapsedMs)} ms`
  const body = JSON.parse(text) as { success?: unknown; errorReason?: unknown }
  if (/https?:|127\.0\.0\.1/.test(text)) return 'tells where the node is'
  if (body.success !== true) {
    const isEnvelope = body.success === false && typeof body.errorReason === 'string' && body.errorReason !== ''
    if (!isEnvelope || status !== 500) return `not an envelope: ${status} ${text.slice(0, 200)}`
    return mustMatch ? `lost the request: ${text.slice(0, 200)}` : undefined
  }
  const verdict = readVerdict(path, body)
  if (truth === undefined || status !== 200) return `status ${status}`
  if (mustMatch) {
    const [got, expected] = [verdict, truth].map((each) => JSON.stringify(each))
    return got === expected ? undefined : `another verdict: ${got} instead of ${expected}`
  }
  if (verdict.isGuilty && !truth.isGuilty) return 'guilty by the fault'
  if (verdict.isComplete && verdict.isGuilty !== truth.isGuilty) return 'kinder by the fault'
  if (verdict.titles.some((title) => !truth.titles.includes(title))) return `found by the fault: ${verdict.titles}`
  const isUnknown = verdict.trustStatus === UNKNOWN_CODE && !verdict.isComplete
  return verdict.trustStatus === truth.trustStatus || isUnknown ? undefined : `${verdict.trustStatus} by the fault`
}

/** What is said of code that could not be read. */
const UNKNOWN_CODE = 'Medium Risk'

function readVerdict(path: AnalysisPath, body: unknown): Verdict {
  return path === ROUTES[0] ? readSimulation(body as SimulationBody) : readHoneypot(body as HoneypotBody)
}

interface SimulationBody {
  checks: {
    simulateResult: { success: boolean; isHoneypot: boolean; errorReason: string; inconclusive: string | null }
    byteCodeResult: { trustStatus: string; complete: boolean; riskFlags: { title: string }[] }
    transactionHistoryResult: { success: boolean; activityPulse: string | null }
  }
}

function readSimulation({ checks }: SimulationBody): Verdict {
  const { simulateResult: simulate, byteCodeResult: code, transactionHistoryResult: history } = checks
  return {
    isGuilty: simulate.isHoneypot,
    isComplete: simulate.inconclusive === null && code.complete,
    trustStatus: code.trustStatus,
    titles: code.riskFlags.map(({ title }) => title),
    evidence: [simulate.success, simulate.errorReason, history.success, history.activityPulse],
  }
}

interface HoneypotBody {
  honeypotResponse: {
    isHoneypot: boolean
    isTimeHoneypot: boolean
    inconclusive: string | null
    riskScore: number
    buyTax: number
    sellTax: number
    timeTravelResults: { riskScore: number; buyTax: number; sellTax: number; errorReason: string }[]
  }
}

function readHoneypot({ honeypotResponse: report }: HoneypotBody): Verdict {
  const windows = report.timeTravelResults.map(({ riskScore, buyTax, sellTax }) => [riskScore, buyTax, sellTax])
  return {
    isGuilty: report.isHoneypot || report.isTimeHoneypot,
    isComplete: report.inconclusive === null,
    trustStatus: '',
    titles: [],
    evidence: [report.riskScore, report.buyTax, report.sellTax, windows],
  }
}

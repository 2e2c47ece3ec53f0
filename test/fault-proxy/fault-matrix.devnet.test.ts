import { afterAll, beforeAll, expect, test } from 'vitest'
import { ethereum } from '../../src/chains/ethereum.js'
import { createSystemClock } from '../../src/clock.js'
import { type Anvil, startAnvil } from '../../src/devnet/anvil.js'
import { createDevnetNode } from '../../src/devnet/node.js'
import { BaseError } from '../../src/errors.js'
import { type Address, toPaddedHex } from '../../src/hex.js'
import { getTransaction } from '../../src/rpc/methods.js'
import { createLogReader } from '../../src/rpc/read-logs.js'
import { createRpcClient, type RpcClient } from '../../src/rpc/rpc-client.js'
import { openState, type ReadAhead } from '../../src/state/rpc-state-source.js'
import type { StateMiss } from '../../src/state/state-reader.js'
import { someOf } from '../some-of.js'
import { type Fault, startFaultProxy } from './fault-proxy.js'
import { type Limitation, limitedNode } from './limited-node.js'
import { ANSWER_FAULTS, EXCHANGE_FAULTS, LIES } from './node-faults.js'

/**
 * Every fault, on every method that is used, with one node and with two, from the start and in the
 * middle of a job. What must hold in each cell: the job ends in time, with the right answer or with
 * a designed error; with two nodes it ends with the right answer, whichever of them is bad.
 */

const TOKEN = '0x00000000000000000000000000000000000c0de0'
const SECOND = '0x00000000000000000000000000000000000c0de1'
const TRADER = '0x00000000000000000000000000000000000b0b00'
/** Shorter than in service, so that thousands of cells take a minute. */
const CALL_TIMEOUT_MS = 800
const DEADLINE_MS = 6_000
const LIMITS = { callTimeoutMs: CALL_TIMEOUT_MS, maxAnswerBytes: 1_000_000 }
/** Cells of one fault that run side by side; Vitest runs five faults at once. */
const CONCURRENCY = 6

const account = (address: Address): StateMiss => ({ kind: 'account', address })
const slot = (address: Address, key: bigint): StateMiss => ({ kind: 'storage', address, slot: key })

const PLAN: ReadAhead = {
  key: 'job',
  seeds: [account(TOKEN), account(TRADER), slot(TOKEN, 0n), slot(TOKEN, 1n), slot(SECOND, 0n)],
  traces: [{ from: TRADER, balance: 1n, calls: [{ to: TOKEN, data: toPaddedHex(3n, 32) }] }],
}
const MISSES = [account(SECOND), slot(SECOND, 5n), slot(TOKEN, 3n), { kind: 'blockHash', number: 1n } as const]

interface Cell {
  rpc: RpcClient
  /** Called between the first read and the second. */
  midway(): void
}

/** What is done with the nodes: something that uses the method, and the whole of what it found. */
type Job = (cell: Cell) => Promise<unknown>

const readState: Job = async ({ rpc, midway }) => {
  const budget = rpc.createBudget({ deadlineMs: DEADLINE_MS })
  const state = await openState({ suspect: 'chain', rpc, chain: ethereum, plan: PLAN, budget })
  midway()
  await state.load(MISSES)
  const { accounts, code, storage, blockHashes } = state.asked()
  const wanted = [...PLAN.seeds, ...MISSES]
  return {
    block: state.block,
    hash: blockHashes.get(1n),
    values: wanted.map((miss) => {
      if (miss.kind === 'storage') return storage.get(miss.address)?.get(miss.slot)
      const known = miss.kind === 'account' ? accounts.get(miss.address) : undefined
      return known && { ...known, code: Buffer.from(code.get(known.codeHash) ?? []).toString('hex') }
    }),
  }
}

let sent: `0x${string}`

const readTransaction: Job = async ({ rpc, midway }) => {
  const options = () => ({ suspect: 'chain' as const, budget: rpc.createBudget({ deadlineMs: DEADLINE_MS }) })
  await rpc.call(getTransaction(sent), options())
  midway()
  return rpc.call(getTransaction(sent), options())
}

let head: { number: bigint; hash: `0x${string}` }

const readHistory: Job = async ({ rpc, midway }) => {
  const reader = createLogReader({ rpc })
  const query = {
    address: TOKEN,
    suspect: TOKEN,
    topics: [],
    fromBlock: 0n,
    toBlock: head.number,
    toBlockHash: head.hash,
  } as const
  const options = () => ({ budget: rpc.createBudget({ deadlineMs: DEADLINE_MS / 2 }) })
  await reader.read(query, options())
  midway()
  return reader.read(query, options())
}

/** Each method, on a kind of node that makes us use it. */
const METHODS: Record<string, { limitations: Limitation[]; job: Job }> = {
  eth_getBlockByNumber: { limitations: [], job: readState },
  eth_chainId: { limitations: [], job: readState },
  eth_getTransactionCount: { limitations: ['debug_traceCall'], job: readState },
  eth_call: { limitations: ['debug_traceCall', 'eth_getStorageValues'], job: readState },
  eth_getStorageValues: { limitations: ['debug_traceCall'], job: readState },
  debug_traceCall: { limitations: [], job: readState },
  eth_getBalance: { limitations: ['overrides', 'eth_getStorageValues'], job: readState },
  eth_getCode: { limitations: ['overrides', 'eth_getStorageValues'], job: readState },
  eth_getStorageAt: { limitations: ['overrides', 'eth_getStorageValues', 'block hash'], job: readState },
  eth_getLogs: { limitations: [], job: readHistory },
  eth_getTransactionByHash: { limitations: [], job: readTransaction },
}

/**
 * Truth and lie look the same here: `0x` is what an honest node says of an account without code,
 * and a node without overrides has no other way to be asked. docs/operating.md tells operators so.
 * `null` is what one says of a transaction that it has forgotten.
 */
const UNDETECTABLE = new Set(['eth_getCode: a bare 0x', 'eth_getTransactionByHash: null result'])

/** One cell in so many, others each day. */
const SHARE = 16
const PLACES = ['alone', 'first of two', 'second of two'] as const
const TIMES = ['from the start', 'midway'] as const

let anvil: Anvil
let truth: Map<Job, unknown>

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 1 })
  const node = createDevnetNode(anvil.url)
  // Logs the first word of calldata, and reads the slot that it names.
  await node.call('anvil_setCode', TOKEN, '0x5f35545f35806000a1')
  await node.call('anvil_setCode', SECOND, '0x6001')
  await node.call('anvil_setStorageAt', TOKEN, toPaddedHex(0n, 32), toPaddedHex(11n, 32))
  await node.call('anvil_setStorageAt', TOKEN, toPaddedHex(3n, 32), toPaddedHex(13n, 32))
  await node.call('anvil_setStorageAt', SECOND, toPaddedHex(5n, 32), toPaddedHex(15n, 32))
  const [from] = await node.call<Address[]>('eth_accounts')
  for (let i = 0; i < 3; i += 1)
    sent = await node.call('eth_sendTransaction', { from, to: TOKEN, data: toPaddedHex(9n, 32) })
  await node.call('evm_mine')
  await node.call('evm_mine')
  const block = await node.call<{ number: `0x${string}`; hash: `0x${string}` }>('eth_getBlockByNumber', 'latest', false)
  head = { number: BigInt(block.number), hash: block.hash }
  truth = new Map()
  for (const job of [readState, readHistory, readTransaction]) {
    const rpc = createClient([anvil.url])
    truth.set(job, await job({ rpc, midway: () => {} }))
    await rpc.close()
  }
})

afterAll(() => anvil.stop())

const createClient = (urls: readonly string[]) =>
  createRpcClient({ urls, chainId: 1, clock: createSystemClock(), limits: LIMITS })

test('the job finds what is there', () => {
  expect(truth.get(readState)).toMatchObject({
    values: [{ code: '5f35545f35806000a1' }, { balance: 0n }, 11n, 0n, 0n, { code: '6001' }, 15n, 13n, undefined],
  })
  expect(truth.get(readHistory)).toMatchObject({ logs: [{}, {}, {}], truncated: undefined })
  expect(truth.get(readTransaction)).toMatchObject({ to: TOKEN, nonce: 2n })
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

test.concurrent.each(FAULTS)('%s: never a wrong answer, nor none', (title, faultOn) =>
  runCells(
    faultOn,
    FAULTS.findIndex(([name]) => name === title),
  ),
)

/**
 * Runs the fault on every method, place and time, and lists the cells where something was not as it
 * must be.
 */
async function runCells(faultOn: (method: string) => Fault | undefined, turn = 0): Promise<void> {
  const all = Object.entries(METHODS).flatMap(([method, kind]) => {
    const fault = faultOn(method)
    if (fault === undefined || UNDETECTABLE.has(`${method}: ${fault.name}`)) return []
    return PLACES.flatMap((place) => TIMES.map((time) => ({ ...kind, method, fault, place, time })))
  })
  const cells = someOf(all, SHARE, turn)
  const wrong: string[] = []
  const queue = cells.values()
  const work = async () => {
    for (const cell of queue) {
      const complaint = await runCell(cell)
      if (complaint) wrong.push(`${cell.method}, ${cell.place}, ${cell.time}: ${complaint}`)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  expect(cells.length).toBeGreaterThan(0)
  expect(wrong).toEqual([])
}

interface CellOptions {
  limitations: Limitation[]
  job: Job
  fault: Fault
  place: (typeof PLACES)[number]
  time: (typeof TIMES)[number]
}

async function runCell({ limitations, job, fault, place, time }: CellOptions): Promise<string | undefined> {
  const bad = await startFaultProxy(anvil.url)
  const limits = limitedNode(...limitations)
  const inject = () => bad.inject(fault, ...limits)
  bad.inject(...limits)
  if (time === 'from the start') inject()
  const urls = { alone: [bad.url], 'first of two': [bad.url, anvil.url], 'second of two': [anvil.url, bad.url] }[place]
  const rpc = createClient(urls)
  const start = performance.now()
  try {
    const found = await job({ rpc, midway: inject })
    expect(found).toEqual(truth.get(job))
  } catch (error) {
    if (!(error instanceof BaseError)) return `${error}`
    if (place !== 'alone') return `lost the request: ${error.message} <- ${error.cause}`
    if (/https?:|127\.0\.0\.1/.test(error.shortMessage)) return `tells too much: ${error.shortMessage}`
  } finally {
    await rpc.close()
    await bad.close()
  }
  const elapsedMs = performance.now() - start
  return elapsedMs > DEADLINE_MS + CALL_TIMEOUT_MS ? `took ${Math.round(elapsedMs)} ms` : undefined
}

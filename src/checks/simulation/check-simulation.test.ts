import { afterAll, describe, expect, test } from 'vitest'
import { threadsOfWorker } from '../../../test/threads-of-worker.js'
import { ethereum } from '../../chains/ethereum.js'
import { createManualClock } from '../../clock.js'
import type { Address } from '../../hex.js'
import { createSimulator } from '../../simulation/simulator.js'
import { createMemoryStateSource } from '../../state/memory-state-source.js'
import { BlockMismatchError, type StateSource, StateUnavailableError } from '../../state/state-source.js'
import { createBytecodeJudge } from '../bytecode/bytecode-judge.js'
import { isFailed } from '../settle.js'
import { createCheckSimulation } from './check-simulation.js'

const ACCOUNT: Address = '0x00000000000000000000000000000000000a11ce'
const target = { chain: ethereum, address: ACCOUNT }

const simulator = createSimulator({ threads: threadsOfWorker().trades })
const bytecodeJudge = createBytecodeJudge({ threads: threadsOfWorker().codes })
afterAll(async () => {
  await simulator.close()
  await bytecodeJudge.close()
})

/** A block that the nodes drop as soon as it is read. */
const goneState = (): StateSource => ({
  ...createMemoryStateSource(),
  load: () => Promise.reject(new StateUnavailableError(new BlockMismatchError())),
})

function setUp(states: StateSource[]) {
  const failures: string[] = []
  let opened = 0
  const execute = createCheckSimulation({
    openState: async () => states[opened++] ?? createMemoryStateSource(),
    readShares: () => Promise.reject(new StateUnavailableError(new Error('not needed here'))),
    readTransfers: async () => ({ logs: [], coveredFrom: 0n, coveredSince: 0, samples: [] }),
    simulator,
    bytecodeJudge,
    clock: createManualClock(),
    traderSecret: new Uint8Array(32),
    onCheckFailure: (check) => failures.push(check),
  })
  return { execute, failures, opened: () => opened }
}

describe('a block that is replaced during the request', () => {
  test('is left for the new head, and the client notices nothing', async () => {
    const { execute, failures, opened } = setUp([goneState()])
    const { trade, bytecode, history } = await execute(target)
    expect([trade, bytecode, history].some(isFailed)).toBe(false)
    expect(opened()).toBe(2)
    expect(failures).toEqual([])
  })

  test('twice in a row is given up, and said for each check', async () => {
    const { execute, failures, opened } = setUp([goneState(), goneState()])
    const { trade, bytecode } = await execute(target)
    expect(trade).toEqual({ failed: true, errorReason: 'Chain state is not available' })
    expect(isFailed(bytecode)).toBe(true)
    expect(opened()).toBe(2)
    expect(failures.toSorted()).toEqual(['bytecode', 'simulate'])
  })

  test('has no substitute in a replay', async () => {
    const { execute, opened } = setUp([goneState()])
    const { trade } = await execute({ ...target, blockNumber: 7n })
    expect(isFailed(trade)).toBe(true)
    expect(opened()).toBe(1)
  })
})

test('a check that fails leaves the others alone', async () => {
  const { execute } = setUp([])
  const broken = createCheckSimulation({
    openState: async () => createMemoryStateSource(),
    readShares: () => Promise.reject(new StateUnavailableError(new Error('not needed here'))),
    readTransfers: () => Promise.reject(new StateUnavailableError(new Error('no logs'))),
    simulator,
    bytecodeJudge,
    clock: createManualClock(),
    traderSecret: new Uint8Array(32),
    onCheckFailure: () => {},
  })
  const whole = await execute(target)
  const { history, trade, bytecode } = await broken(target)
  expect(history).toMatchObject({ failed: true })
  expect({ trade, bytecode }).toEqual({ trade: whole.trade, bytecode: whole.bytecode })
})

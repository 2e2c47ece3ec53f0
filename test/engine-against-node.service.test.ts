import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ethereum } from '../src/chains/ethereum.js'
import { examplePlans } from '../src/devnet/examples.js'
import type { CallFrame } from '../src/evm/inspector.js'
import { toQuantity } from '../src/hex.js'
import { type ServiceOnDevnet, startServiceOnDevnet } from './service-on-devnet.js'

interface Answer {
  checks: {
    simulateResult: {
      steps: { name: string; branch: string; gasUsed: string; waitedSeconds: number }[]
      simulation: { calls: CallFrame[] }
    }
  }
}

/**
 * Geth and the engine give the outermost frame the whole gas limit, anvil what is left of it behind
 * the intrinsic gas.
 */
const OUTER_GAS = { gas: '' }

const PATH = '/api/simulate/execute-simulation'

/** Between two transactions of our trader: a block of the chain. */
const STEP_SECONDS = BigInt(ethereum.blockTimeMs / 1_000)

/**
 * Every step that a report shows is sent to a real node, which must do the same to the last unit of
 * gas and in the same frames.
 */
describe('what the engine simulates, a node executes', () => {
  let service: ServiceOnDevnet
  beforeAll(async () => {
    service = await startServiceOnDevnet({ chainId: 1 })
  })
  afterAll(() => service?.stop())

  const names = examplePlans.filter(({ chainIds }) => chainIds.includes(1)).map(({ name }) => name)
  test.each(names)('%s', async (name) => {
    const { node } = service.devnet
    const head = await node.call<{ timestamp: string; baseFeePerGas: string }>('eth_getBlockByNumber', 'latest', false)
    const answer = await service.post<Answer>(PATH, service.addressOf(name), { only: true })
    const { steps, simulation } = answer.checks.simulateResult
    const main = steps.filter(({ branch }) => branch === 'main')
    const before = await node.call<string>('evm_snapshot')
    let time = BigInt(head.timestamp)
    for (const [i, expected] of simulation.calls.entries()) {
      time += STEP_SECONDS + BigInt(main[i]?.waitedSeconds ?? 0)
      await node.call('evm_setNextBlockTimestamp', toQuantity(time))
      await node.call('anvil_setNextBlockBaseFeePerGas', head.baseFeePerGas)
      const { trace, gasUsed } = await execute(expected)
      expect(trace).toEqual({ ...withoutEmpty(expected), ...OUTER_GAS })
      expect(gasUsed).toBe(BigInt(main[i]?.gasUsed ?? 0))
    }
    await node.call('evm_revert', before)
  })

  async function execute({ from, to, value, gas, input }: CallFrame) {
    const { node } = service.devnet
    await node.call('anvil_setBalance', from, toQuantity(10n ** 20n))
    await node.call('anvil_impersonateAccount', from)
    const request = {
      from,
      to,
      value,
      gas,
      data: input,
      maxFeePerGas: toQuantity(10n ** 11n),
      maxPriorityFeePerGas: '0x1',
    }
    const receipt = await node.call<{ transactionHash: string; gasUsed: string }>('eth_sendTransactionSync', request)
    const trace = await node.call<CallFrame>('debug_traceTransaction', receipt.transactionHash, {
      tracer: 'callTracer',
    })
    return { trace: { ...withoutEmpty(trace), ...OUTER_GAS }, gasUsed: BigInt(receipt.gasUsed) }
  }
})

/**
 * The wire names every field; a node leaves out what is empty, and does not decode reasons the same
 * way everywhere.
 */
function withoutEmpty({ calls, output, value, revertReason: _, ...frame }: CallFrame): object {
  return {
    ...frame,
    value: value ?? '0x0',
    output: output ?? '0x',
    ...(calls && calls.length > 0 && { calls: calls.map(withoutEmpty) }),
  }
}

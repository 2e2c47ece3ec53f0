import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../../../src/devnet/anvil.js'
import type { BlockEnvironment } from '../../../src/evm/block-environment.js'
import { createCodeCache } from '../../../src/evm/code.js'
import { HOT_AT_ONCE } from '../../../src/evm/heat.js'
import { createTestRpc, type TestRpc } from '../rpc.js'
import { world } from './generated-program.js'
import { type Outcome, readAnvilBlock, runOnAnvil, runOnEthereumjs, runOurs } from './peers.js'

/**
 * Worlds of three programs each. `ASSAY_FUZZ_PROGRAMS=100000 npx vitest run test/conformance/fuzz`
 * takes about five minutes.
 */
const PROGRAMS = Number(process.env.ASSAY_FUZZ_PROGRAMS ?? 1_500)
/** Worlds in one request to anvil: HTTP then costs next to nothing. */
const BATCH = 50
/** `@ethereumjs/evm` is some twenty times as slow. */
const ETHEREUMJS_SHARE = 10
const TIMEOUT_MS = 3_600_000

describe('generated programs', () => {
  let anvil: Anvil
  let rpc: TestRpc
  let block: BlockEnvironment

  beforeAll(async () => {
    anvil = await startAnvil({ chainId: 1, baseFeePerGas: 0n, gasLimit: 60_000_000n })
    rpc = createTestRpc(anvil.url)
    await rpc.call('anvil_setCoinbase', '0x00000000000000000000000000000000c01ba5e0')
    await rpc.call('evm_mine')
    block = await readAnvilBlock(rpc, 1)
  })

  afterAll(async () => {
    await anvil.stop()
  })

  test('run as on anvil: every frame, its gas, its output and its logs', { timeout: TIMEOUT_MS }, async () => {
    const batch = fc.array(world, { minLength: 1, maxLength: BATCH, size: 'max' })
    let compared = 0
    let succeeded = 0
    const property = fc.asyncProperty(batch, async (worlds) => {
      const theirs = await runOnAnvil(rpc, worlds)
      const ours = worlds.map((one) => runOurs(one, block))
      expect(ours).toEqual(theirs)
      const hot = worlds.map((one) => runOurs(one, block, createCodeCache(HOT_AT_ONCE)))
      expect(hot, 'where all is hot').toEqual(theirs)
      compared += ours.length
      succeeded += ours.filter(({ failure }) => failure === undefined).length
    })
    // Batches have any length up to `BATCH`.
    while (compared < PROGRAMS) {
      const numRuns = Math.ceil((PROGRAMS - compared) / BATCH)
      await fc.assert(property, { numRuns, interruptAfterTimeLimit: TIMEOUT_MS, markInterruptAsFailure: true })
    }
    // Programs that fail at once would compare nothing.
    expect(succeeded / compared).toBeGreaterThan(0.4)
  })

  test('run as on @ethereumjs/evm: gas, output and outcome', { timeout: TIMEOUT_MS }, async () => {
    const property = fc.asyncProperty(world, async (one) => {
      const theirs = await runOnEthereumjs(one, block)
      const { output = '0x', failure, gasUsed, ...ours } = runOurs(one, block)
      expect({ output, failure, gasUsed: BigInt(gasUsed), logs: countLogs(ours) }).toEqual(theirs)
    })
    await fc.assert(property, { numRuns: Math.ceil(PROGRAMS / ETHEREUMJS_SHARE), interruptAfterTimeLimit: TIMEOUT_MS })
  })
})

function countLogs({ logs = [], calls }: Pick<Outcome, 'logs' | 'calls'>): number {
  return logs.length + calls.reduce((sum, call) => sum + countLogs(call), 0)
}

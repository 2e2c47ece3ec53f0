import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CodeCache, createCodeCache } from '../../src/evm/code.js'
import { createEvm } from '../../src/evm/create-evm.js'
import { HOT_AT_ONCE } from '../../src/evm/heat.js'
import { createCallTraceInspector } from '../../src/evm/inspectors/call-trace.js'
import { createStorageAccessInspector } from '../../src/evm/inspectors/storage-access.js'
import { TEST_BLOCK } from '../../src/evm/testing.js'
import { bytesToHex, toPaddedHex } from '../../src/hex.js'
import { createAllocatedState } from './allocated-state.js'
import { CALLER, CONTRACTS, type World, world } from './fuzz/generated-program.js'
import { allocationOf } from './fuzz/peers.js'

/** All that can be told of a run, and where it ends when it may take so many steps. */
function outcomeOf(one: World, steps: number, codeCache?: CodeCache) {
  const evm = createEvm({
    state: createAllocatedState(allocationOf(one), (number) => toPaddedHex(number, 32)),
    block: TEST_BLOCK,
    hardfork: 'osaka',
    limits: { steps, wallClockMs: 60_000, precompileMicros: 60_000_000 },
    ...(codeCache && { codeCache }),
  })
  const trace = createCallTraceInspector({ withLog: true })
  const storage = createStorageAccessInspector()
  const data = bytesToHex(one.calldata)
  const transaction = { from: CALLER, to: CONTRACTS[0] ?? '0x', data, gasLimit: BigInt(one.gas), gasPrice: 0n }
  try {
    const result = evm.transact(transaction, [trace, storage])
    return { result, tree: trace.finish(), storage: storage.finish(), misses: evm.misses }
  } catch (error) {
    return { error: String(error), misses: evm.misses }
  }
}

test('generated programs do the same where they are hot: frames, gas, logs, storage, and steps', () => {
  const steps = fc.oneof(fc.constant(6_900_000), fc.integer({ min: 1, max: 3_000 }))
  const seen = { ended: 0, resisted: 0 }
  const property = fc.property(world, steps, (one, most) => {
    const interpreted = outcomeOf(one, most)
    expect(outcomeOf(one, most, createCodeCache(HOT_AT_ONCE))).toEqual(interpreted)
    if (interpreted.error === undefined) seen.ended += 1
    else seen.resisted += 1
  })
  fc.assert(property, { numRuns: 1_000 })
  expect(seen.ended).toBeGreaterThan(300)
  expect(seen.resisted).toBeGreaterThan(30)
})

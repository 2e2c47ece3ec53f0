import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ethereum } from '../../src/chains/ethereum.js'
import { createSystemClock } from '../../src/clock.js'
import { type Anvil, startAnvil } from '../../src/devnet/anvil.js'
import { createDevnetNode } from '../../src/devnet/node.js'
import { BaseError } from '../../src/errors.js'
import { type Address, toPaddedHex } from '../../src/hex.js'
import { createRpcClient } from '../../src/rpc/rpc-client.js'
import { openState } from '../../src/state/rpc-state-source.js'
import type { StateMiss } from '../../src/state/state-reader.js'
import { type FaultProxy, type ProxyAnswer, startFaultProxy } from '../fault-proxy/fault-proxy.js'
import { limitedNode } from '../fault-proxy/limited-node.js'
import { fuzz, patience } from './runs.js'

const CONTRACT: Address = '0x00000000000000000000000000000000000c0de0'
const HOLDER: Address = '0x00000000000000000000000000000000000a11ce'
const SLOTS = [0n, 5n, 1n << 255n]
const clock = createSystemClock()

let anvil: Anvil
let proxy: FaultProxy

beforeAll(async () => {
  anvil = await startAnvil({ chainId: 1 })
  const node = createDevnetNode(anvil.url)
  await node.call('anvil_setCode', CONTRACT, '0x5f545f5260205ff3')
  await node.call('anvil_setBalance', HOLDER, '0x4563918244f40000')
  for (const slot of SLOTS) await node.call('anvil_setStorageAt', CONTRACT, toPaddedHex(slot, 32), toPaddedHex(7n, 32))
  await node.call('anvil_mine', '0x3')
  proxy = await startFaultProxy(anvil.url)
})
afterAll(async () => {
  await proxy.close()
  await anvil.stop()
})

/** Everything that the state of a block can be asked, of a node that nobody has met before. */
async function readAll() {
  const limits = { maxHeadAgeMs: Number.POSITIVE_INFINITY }
  const rpc = createRpcClient({ urls: [proxy.url], chainId: 1, clock, limits })
  try {
    const state = await openState({ suspect: 'chain', rpc, chain: ethereum })
    const { number, hash, timestamp } = state.block
    const misses: StateMiss[] = [
      { kind: 'account', address: CONTRACT },
      { kind: 'account', address: HOLDER },
      ...SLOTS.map((slot): StateMiss => ({ kind: 'storage', address: CONTRACT, slot })),
      { kind: 'blockHash', number: number - 1n },
    ]
    await state.load(misses)
    const account = state.account(CONTRACT)
    return {
      block: { number, hash, timestamp },
      account,
      code: account && state.code(account.codeHash),
      holder: state.account(HOLDER),
      slots: SLOTS.map((slot) => state.storage(CONTRACT, slot)),
      parent: state.blockHash(number - 1n),
    }
  } finally {
    await rpc.close()
  }
}

/**
 * What no value of the protocol looks like. A well-formed lie is another matter: no parser can see
 * it.
 */
const BREAKS: readonly ((value: unknown) => unknown)[] = [
  () => null,
  () => true,
  () => -1,
  () => 1e308,
  () => '',
  () => '0xzz',
  () => [],
  () => ({}),
  () => [[[[]]]],
  (value) => (typeof value === 'string' ? value.replace(/^0x/, '') : undefined),
  (value) => (typeof value === 'string' ? `${value}\n` : undefined),
  (value) => (typeof value === 'string' ? `${value}${'0'.repeat(70)}` : undefined),
  () => undefined,
]

interface Mutation {
  /** Which of the places in the answer, counted from the top. */
  place: number
  change: number
  /** Whether the answer to the probe is spared, so that what comes after it is tried as well. */
  spares: number
}

/**
 * Changes one value of an answer in place, wherever it stands; the answer itself is a place too.
 */
function breakAnswer(answer: ProxyAnswer, { place, change }: Mutation): ProxyAnswer {
  const places: [holder: Record<string, unknown>, name: string][] = []
  const visit = (holder: Record<string, unknown>) => {
    for (const [name, value] of Object.entries(holder)) {
      places.push([holder, name])
      if (typeof value === 'object' && value !== null) visit(value as Record<string, unknown>)
    }
  }
  const broken = structuredClone(answer)
  visit(broken)
  const [holder, name] = places[place % places.length] ?? []
  if (holder !== undefined && name !== undefined) {
    const value = BREAKS[change % BREAKS.length]?.(holder[name])
    if (value === undefined) delete holder[name]
    else holder[name] = value
  }
  return broken
}

const styles = [[], limitedNode('eth_getStorageValues'), limitedNode('overrides', 'debug_traceCall')]

test('whatever is broken in the answers of a node, state is read right or not at all', {
  timeout: patience(120_000),
}, async () => {
  const mutation: fc.Arbitrary<Mutation> = fc.record({ place: fc.nat(400), change: fc.nat(40), spares: fc.nat(12) })
  proxy.inject()
  const truth = await readAll()
  expect(truth.slots).toEqual([7n, 7n, 7n])
  let failed = 0
  const property = fc.asyncProperty(mutation, fc.constantFrom(...styles), async (each, style) => {
    let calls = 0
    proxy.inject(...style, {
      name: 'one broken value',
      answer(honest) {
        calls += 1
        return calls <= each.spares ? honest : breakAnswer(honest, each)
      },
    })
    const outcome = await readAll().catch((error: unknown) => error)
    if (outcome instanceof Error) {
      failed += 1
      expect(outcome).toBeInstanceOf(BaseError)
    } else expect(outcome).toEqual(truth)
  })
  await fc.assert(property, fuzz(80))
  expect(failed).toBeGreaterThan(0)
})

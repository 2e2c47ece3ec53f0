import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDevnetNode, type DevnetNode } from '../../src/devnet/node.js'
import { type Address, type Hex, toPaddedHex } from '../../src/hex.js'
import { type ServiceOnDevnet, startServiceOnDevnet } from '../service-on-devnet.js'

const LONG = 120_000
const FACETS = 10_000
const addressAt = (index: number): Address => toPaddedHex(0xd1a_0000n + BigInt(index), 20)
const FACET = addressAt(1_000)

const BEACON_SLOT = 'a3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50'
/** Hands the call data to the account on the stack, and answers as it does. */
const DELEGATE = '365f5f375f5f365f845af4503d5f5f3e3d5ff3'
/** Asks the account in the EIP-1967 slot for `implementation()`, and runs what it says. */
const BEACON_PROXY: Hex = `0x635c60da1b60e01b5f5260205f60045f7f${BEACON_SLOT}545afa505f51${DELEGATE}`
/** Answers `implementation()` with one address. */
const beaconOf = (target: Address): Hex => `0x5f3560e01c635c60da1b146011575f5ffd5b73${target.slice(2)}5f5260205ff3`
/** Runs what a mapping has for the selector, as EIP-2535 has it. */
const MAPPED: Hex = `0x5f3560e01c5f525f60205260405f2054${DELEGATE}`
/** Runs what is stored in slot 0, in slot 1 and so on, one after the other, for each call. */
const LOOPED: Hex = '0x365f5f375f5b80545f5f365f845af45050600101806127101160055700'

const word = (value: bigint | Address) => toPaddedHex(BigInt(value), 32)
const bytes = (value: number, length: number) => toPaddedHex(BigInt(value), length).slice(2)

/** A dispatcher in which each of so many selectors has a facet of its own, named in the code. */
function dispatcher(facets: number): Hex {
  const head = '5f3560e01c'
  const [entryBytes, tailBytes] = [12, 21 + 1 + DELEGATE.length / 2]
  const first = head.length / 2 + facets * entryBytes + 3
  const entries = Array.from(
    { length: facets },
    (_, i) => `8063${bytes(i + 1, 4)}1462${bytes(first + i * tailBytes, 3)}57`,
  )
  const tails = Array.from({ length: facets }, (_, i) => `5b73${addressAt(2_000 + i).slice(2)}${DELEGATE}`)
  return `0x${head}${entries.join('')}5f5ffd${tails.join('')}`
}

const [SELF, LEFT, RIGHT, CIRCLE, ANSWERS_CIRCLE, HONEST, ANSWERS_FACET, MAPPING, LOOP, MANY, TOO_MANY] = Array.from(
  { length: 11 },
  (_, i) => addressAt(i),
) as [Address, Address, Address, Address, Address, Address, Address, Address, Address, Address, Address]

const CODES: readonly [Address, Hex][] = [
  [SELF, BEACON_PROXY],
  [LEFT, BEACON_PROXY],
  [RIGHT, BEACON_PROXY],
  [CIRCLE, BEACON_PROXY],
  [ANSWERS_CIRCLE, beaconOf(CIRCLE)],
  [HONEST, BEACON_PROXY],
  [ANSWERS_FACET, beaconOf(FACET)],
  [MAPPING, MAPPED],
  [LOOP, LOOPED],
  [MANY, dispatcher(400)],
  [TOO_MANY, dispatcher(FACETS)],
  // Does nothing, for any caller.
  [FACET, '0x60015f5260205ff3'],
]
const BEACONS: readonly [Address, Address][] = [
  [SELF, SELF],
  [LEFT, RIGHT],
  [RIGHT, LEFT],
  [CIRCLE, ANSWERS_CIRCLE],
  [HONEST, ANSWERS_FACET],
]

interface Answer {
  success: boolean
  checks: {
    simulateResult: { isHoneypot: boolean }
    byteCodeResult: {
      trustStatus: string
      complete: boolean
      gaps: string[]
      proxy: { address: string | null }[]
    }
  }
}

/** What runs in its place is named so often, or in such a circle, that reading never ends. */
describe('delegation without end', { timeout: LONG }, () => {
  let service: ServiceOnDevnet
  let node: DevnetNode
  beforeAll(async () => {
    service = await startServiceOnDevnet({ chainId: 1, examples: ['clean'] })
    node = createDevnetNode(service.devnet.url)
    for (const [address, code] of CODES) await node.call('anvil_setCode', address, code)
    const store = (address: Address, slot: Hex, value: Hex) => ({
      method: 'anvil_setStorageAt',
      params: [address, slot, value],
    })
    await node.batch(BEACONS.map(([proxy, beacon]) => store(proxy, `0x${BEACON_SLOT}`, word(beacon))))
    for (let at = 0; at < FACETS; at += 1_000) {
      const slots = Array.from({ length: 1_000 }, (_, i) => BigInt(at + i))
      await node.batch(slots.map((slot) => store(LOOP, word(slot), word(addressAt(2_000 + Number(slot))))))
    }
    await node.call('evm_mine')
  }, LONG)
  afterAll(() => service?.stop())

  const simulate = (address: Address) => service.post<Answer>('/api/simulate/execute-simulation', address)

  test.each([
    ['a beacon proxy that is its own beacon', SELF],
    ['two that are each other’s beacons', LEFT],
    ['a diamond that keeps its facets in a mapping', MAPPING],
    ['a diamond that tries ten thousand facets for each call', LOOP],
    ['a diamond with four hundred facets in its code', MANY],
    ['a diamond with ten thousand facets in its code', TOO_MANY],
  ])('%s gets a report that calls it neither safe nor a trap, and says what is missing', async (_, target) => {
    const { success, checks } = await simulate(target)
    expect(success).toBe(true)
    expect(checks.simulateResult.isHoneypot).toBe(false)
    expect(checks.byteCodeResult).toMatchObject({ trustStatus: 'Medium Risk', complete: false })
    expect(checks.byteCodeResult.gaps).not.toEqual([])
  })

  test.each([
    ['a beacon that answers is followed', HONEST, FACET],
    ['a beacon that names the proxy that asks it is followed once', CIRCLE, CIRCLE],
  ])('%s', async (_, target, delegate) => {
    const { trustStatus, gaps, proxy } = (await simulate(target)).checks.byteCodeResult
    expect([trustStatus, gaps, proxy.map(({ address }) => address?.toLowerCase())]).toEqual([
      'Medium Risk',
      [],
      [delegate],
    ])
  })

  test('what is left unread says so', async () => {
    const { checks } = await simulate(MANY)
    expect(checks.byteCodeResult).toMatchObject({
      complete: false,
      gaps: expect.arrayContaining(['delegates beyond the bound']),
    })
  })
})

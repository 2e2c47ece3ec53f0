import { expect, test } from 'vitest'
import { hexToBytes } from '../hex.js'
import { readFacts } from './facts.js'
import { storageKeyOf } from './guards.js'
import { PROXY_SLOTS, readBeaconAnswer, readDesignator, readProxy } from './proxy.js'

const LOGIC = '0x1111111111111111111111111111111111111111'
const SHORT = '0x0000000000000000000000000000000000abcdef'
const target = LOGIC.slice(2)

/** Forwards every call to the address that `load` leaves on the stack. */
function forwarder(load: string): string {
  const before = `365f5f375f5f365f${load}5af43d5f5f3e5f3d91`
  const jump = (before.length / 2 + 4).toString(16).padStart(2, '0')
  return `0x${before}60${jump}57fd5bf3`
}
const slot = (of: bigint) => forwarder(`7f${of.toString(16).padStart(64, '0')}54`)

test.each([
  [
    'EIP-1167 as the standard writes it',
    `0x363d3d373d3d3d363d73${target}5af43d82803e903d91602b57fd5bf3`,
    'clone',
    LOGIC,
  ],
  ['a clone with PUSH0 (EIP-3855)', `0x365f5f375f5f365f73${target}5af43d5f5f3e5f3d91602a57fd5bf3`, 'clone', LOGIC],
  [
    'a clone of a vanity address with a shortened push',
    '0x363d3d373d3d3d363d62abcdef5af43d82803e903d91601a57fd5bf3',
    'clone',
    SHORT,
  ],
  ['Vyper’s forwarder', `0x366000600037611000600036600073${target}5af4602c57600080fd5b6110006000f3`, 'clone', LOGIC],
  ['EIP-1967', slot(PROXY_SLOTS.implementation), 'eip1967', LOGIC],
  ['EIP-1822', slot(PROXY_SLOTS.proxiable), 'eip1822', LOGIC],
  ['ZeppelinOS', slot(PROXY_SLOTS.zeppelinImplementation), 'zeppelinos', LOGIC],
  ['the first variable, as Safe does', forwarder('5f54'), 'slot', LOGIC],
  ['a slot of its own making', slot(0xabcdef0123456789n), 'slot', LOGIC],
  ['a packed variable', forwarder(`60085460081c73${'ff'.repeat(20)}16`), 'slot', undefined],
  [
    'a table by selector (EIP-2535)',
    forwarder('5f3560e01c5f5260076020526040 5f2054'.replace(' ', '')),
    'mapping',
    undefined,
  ],
  ['an address from call data', forwarder('5f35'), 'calldata', undefined],
])('%s', (_, code, kind, address) => {
  const [delegation, ...others] = readProxy(readFacts(hexToBytes(code)), () => BigInt(LOGIC))
  expect(others).toEqual([])
  expect(delegation?.kind).toBe(kind)
  if (address !== undefined) expect(delegation?.target).toBe(address)
})

test('a beacon is asked at the address in its slot', () => {
  const load = `635c60da1b5f5260205f6004601c7f${PROXY_SLOTS.beacon.toString(16)}545afa505f51`
  const [delegation] = readProxy(readFacts(hexToBytes(forwarder(load))), () => BigInt(LOGIC))
  expect(delegation).toMatchObject({ kind: 'beacon', beacon: LOGIC, slot: PROXY_SLOTS.beacon })
})

test('an ordinary call is no delegation', () => {
  expect(readProxy(readFacts(hexToBytes(`0x5f5f5f5f5f73${target}5af100`)), () => 0n)).toEqual([])
})

test('an EIP-7702 designator is 23 bytes', () => {
  expect(readDesignator(hexToBytes(`0xef0100${target}`))).toBe(LOGIC)
  expect(readDesignator(hexToBytes(`0xef0100${target}00`))).toBeUndefined()
  expect(readDesignator(hexToBytes(`0xef0200${target}`))).toBeUndefined()
})

/**
 * Answers `implementation()` with what `load` leaves on the stack and `proxyType()` with 2
 * (upgradeable), and forwards the rest (EIP-897).
 */
function delegateProxy(load: string): string {
  const answer = `${load}5f5260205ff3`
  const head = '5f3560e01c80635c60da1b1461001f57634555d5c914'
  const implementation = 0x1f
  const forwardAt = implementation + 1 + answer.length / 2
  const typeAt = forwardAt + 1 + 64
  const place = (at: number) => at.toString(16).padStart(4, '0')
  const start = `${head}61${place(typeAt)}5761${place(forwardAt)}56`.padEnd(2 * implementation, '0')
  const forward = `5b365f5f375f5f365f${load}5af400`.padEnd(2 * (typeAt - forwardAt), '0')
  return `0x${start}5b${answer}${forward}5b60025f5260205ff3`
}

test.each([
  ['a variable', delegateProxy('600554'), 'slot', 5n],
  ['a slot with a hashed name', delegateProxy(`7f${'ab'.repeat(32)}54`), 'slot', BigInt(`0x${'ab'.repeat(32)}`)],
])('EIP-897: what `implementation()` answers from %s is what runs', (_, code, kind, slot) => {
  const facts = readFacts(hexToBytes(code))
  expect(facts.gaps).toEqual([])
  expect(facts.functions.map(({ selector }) => selector)).toEqual([undefined, '0x4555d5c9', '0x5c60da1b'])
  expect(readProxy(facts, (of) => (of === slot ? BigInt(LOGIC) : 0n))).toMatchObject([
    { kind, slot, target: LOGIC, selector: undefined },
  ])
  expect(readBeaconAnswer(facts).map(storageKeyOf)).toMatchObject([{ op: 'const', value: slot }])
})

test('EIP-897: a getter alone runs no foreign code', () => {
  const getter = `0x5f3560e01c635c60da1b1460115760${'00'.repeat(3)}5b6005545f5260205ff3`
  expect(readProxy(readFacts(hexToBytes(getter)), () => BigInt(LOGIC))).toEqual([])
})

import { expect, test } from 'vitest'
import type { Address } from '../../../hex.js'
import { checkCase, testDetector } from '../detector.conformance.js'
import { hiddenProxy } from './hidden-proxy.js'

const LOGIC: Address = '0x1111111111111111111111111111111111111111'
const BEACON: Address = '0x2222222222222222222222222222222222222222'
const EIP1967 = '360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
const KILL = '0x33ff'
/** EIP-1167 minimal clone. */
const clone = (target: Address) => `0x363d3d373d3d3d363d73${target.slice(2)}5af43d82803e903d91602b57fd5bf3`
/** Forwards everything to the address in `slot`. */
const forwarder = (slot: string) => `0x365f5f375f5f365f7f${slot}545af43d5f5f3e5f3d91603757fd5bf3`

testDetector(hiddenProxy, {
  flags: [
    { name: 'a minimal clone', code: clone(LOGIC), accounts: { [LOGIC]: '0x00' }, level: 'LOW' },
    {
      name: 'an EIP-1967 proxy',
      code: forwarder(EIP1967),
      storage: { [`0x${EIP1967}`]: BigInt(LOGIC) },
      accounts: { [LOGIC]: '0x00' },
    },
    { name: 'a delegatecall to an address from call data', code: '0x5f5f5f5f5f355af400', level: 'HIGH' },
    {
      name: 'an EIP-7702 designator',
      code: `0xef0100${LOGIC.slice(2)}`,
      accounts: { [LOGIC]: '0x00' },
      level: 'MEDIUM',
    },
    {
      name: 'a proxy whose logic lets any address exchange it',
      code: forwarder(EIP1967),
      storage: { [`0x${EIP1967}`]: BigInt(LOGIC) },
      accounts: { [LOGIC]: `0x5f357f${EIP1967}5500` },
      level: 'HIGH',
    },
  ],
  ignores: [
    { name: '0xf4 inside push data', code: '0x60f400' },
    { name: 'a delegatecall behind a stop', code: '0x005f5f5f5f5f355af400' },
    { name: 'an ordinary call', code: `0x5f5f5f5f5f73${LOGIC.slice(2)}5af100` },
  ],
})

test('judges the code behind a clone with the clone', async () => {
  const report = await checkCase({ name: 'clone', code: clone(LOGIC), accounts: { [LOGIC]: KILL } })
  expect(report.riskFlags.map(({ id }) => id)).toEqual(['kill-switch', 'hidden-proxy'])
  expect(report.riskFlags[0]?.evidence[0]?.address).toBe(LOGIC)
  expect(report.riskFlags[0]?.severity).toBe('critical')
})

test('asks a beacon for the code', async () => {
  // calls `implementation()` (0x5c60da1b) of the beacon and delegates to the answer
  const code = `0x635c60da1b60e01b5f5260205f60045f73${BEACON.slice(2)}5afa505f5f5f5f5f515af400`
  // if the selector is `implementation()`, return storage[0]
  const beacon = '0x5f3560e01c635c60da1b14600f57005b5f545f5260205ff3'
  const report = await checkCase({ name: 'beacon', code, accounts: { [BEACON]: beacon } })
  expect(report.proxy[0]).toMatchObject({ kind: 'beacon' })
  expect(report.riskFlags[0]?.severity).toBe('medium')
})

test('two proxies that point at each other end', async () => {
  const report = await checkCase({
    name: 'a cycle',
    code: clone(LOGIC),
    accounts: { [LOGIC]: clone('0x00000000000000000000000000000000deadc0de') },
  })
  expect(report.proxy).toHaveLength(2)
})

import { describe, expect, test } from 'vitest'
import { SAFE_SINGLETONS, SAFE_SLOTS } from '../../bytecode/safe.js'
import { mappingSlot } from '../../dex/mapping-slot.js'
import type { Address } from '../../hex.js'
import { checkCase } from './detector.conformance.js'

const LOGIC: Address = '0x1111111111111111111111111111111111111111'
const ADMIN: Address = '0x2222222222222222222222222222222222222222'
const IMPLEMENTATION = '360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
const ADMIN_SLOT = 'b53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103'

const forwarder = (load: string) => {
  const before = `365f5f375f5f365f${load}5af43d5f5f3e5f3d91`
  return `0x${before}60${(before.length / 2 + 4).toString(16).padStart(2, '0')}57fd5bf3`
}
/** if (caller == storage[admin]) storage[implementation] = calldata[0]; stop */
const LOGIC_CODE = `0x7f${ADMIN_SLOT}543314602857005b5f357f${IMPLEMENTATION}5500`

/** A dispatcher of getters: each returns a word computed by `load`. */
function getters(table: Record<string, string>): string {
  const entries = Object.entries(table)
  const head = 5 + entries.length * 11 + 1
  let code = '5f3560e01c'
  let at = head
  let bodies = ''
  for (const [selector, load] of entries) {
    code += `8063${selector}1461${at.toString(16).padStart(4, '0')}57`
    const body = `5b${load}5f5260205ff3`
    bodies += body
    at += body.length / 2
  }
  return `0x${code}00${bodies}`
}

const noteFor = async (
  admin: string | undefined,
  words: Record<string, bigint> = {},
  holder: bigint = BigInt(ADMIN),
) => {
  const { riskFlags } = await checkCase({
    name: 'a proxy',
    code: forwarder(`7f${IMPLEMENTATION}54`),
    storage: { [`0x${IMPLEMENTATION}`]: BigInt(LOGIC), [`0x${ADMIN_SLOT}`]: holder },
    accounts: { [LOGIC]: LOGIC_CODE, ...(admin !== undefined && { [ADMIN]: admin }) },
    storageOf: { [ADMIN]: words },
  })
  return riskFlags.find(({ id }) => id === 'hidden-proxy')?.evidence[0]?.note
}

test('an admin without code is one account', async () => {
  expect(await noteFor(undefined)).toMatch('exchanged by one account')
})

test('an account that delegates by EIP-7702 is named as such', async () => {
  expect(await noteFor(`0xef0100${LOGIC.slice(2)}`)).toMatch('exchanged by one delegated account')
})

describe('a Safe', () => {
  const [genuine = '0x'] = SAFE_SINGLETONS
  const safe = (words: Record<string, bigint>) =>
    noteFor(forwarder('5f54'), { '0x0': BigInt(genuine), '0x3': 5n, '0x4': 3n, ...words })
  const module = `0x${SAFE_SLOTS.firstModule.toString(16)}`

  test('is named with its signatures, and one signature of many is an account', async () => {
    expect(await safe({})).toMatch('multisig (3 of 5 signatures)')
    expect(await safe({ [module]: 1n })).toMatch('multisig (3 of 5 signatures)')
    expect(await safe({ '0x4': 1n })).toMatch('exchanged by one account')
  })

  test.each([
    ['whose threshold is above its owners', { '0x4': 6n }],
    ['that runs other logic than the genuine one', { '0x0': BigInt(LOGIC) }],
    ['that a module may act for alone', { [module]: BigInt(LOGIC) }],
  ] as [string, Record<string, bigint>][])('%s is no multisig', async (_, words) => {
    expect(await safe(words)).toMatch('another contract')
  })

  test('keeps the first of its modules where its map of them begins', () => {
    expect(SAFE_SLOTS.firstModule).toBe(mappingSlot(1n, 1n))
  })
})

test('a timelock is named with its delay, and one without delay is just a contract', async () => {
  const timelock = getters({ f27a0c92: '600254', '01d5062a': '5f' })
  expect(await noteFor(timelock, { '0x2': 86_400n })).toMatch('timelock (86400 seconds)')
  expect(await noteFor(timelock, { '0x2': 0n })).toMatch('another contract')
})

test('a delay without anything to schedule is no timelock', async () => {
  expect(await noteFor(getters({ f27a0c92: '600254' }), { '0x2': 86_400n })).toMatch('another contract')
})

test('behind a ProxyAdmin its owner is looked at', async () => {
  const proxyAdmin = getters({ '8da5cb5b': '5f54', '9623609d': '5f' })
  expect(await noteFor(proxyAdmin, { '0x0': 0x1234567890n })).toMatch('exchanged by one account')
  expect(await noteFor(proxyAdmin, { '0x0': 0n })).toMatch('renounced')
})

test('an admin slot that is empty leaves nothing to exchange', async () => {
  const { riskFlags } = await checkCase({
    name: 'a proxy without an admin',
    code: forwarder(`7f${IMPLEMENTATION}54`),
    storage: { [`0x${IMPLEMENTATION}`]: BigInt(LOGIC) },
    accounts: { [LOGIC]: LOGIC_CODE },
  })
  const flag = riskFlags.find(({ id }) => id === 'hidden-proxy')
  expect(flag?.threatLevel).toBe('LOW')
  expect(flag?.evidence[0]?.holder).toBe('no address')
})

import { encodeDeployData } from 'viem'
import { expect, test } from 'vitest'
import { readFacts } from '../../bytecode/facts.js'
import { readPackaged } from '../../devnet/artifacts.js'
import type { Address } from '../../hex.js'
import { readExpectations } from '../bytecode/expectations.conformance.js'
import { deploy } from '../bytecode/test-state.conformance.js'
import { readPrincipal } from './principal.js'

const OWNER: Address = '0x00000000000000000000000000000000000a11ce'

function principalOf(creationCode: `0x${string}`) {
  const { state, address, code } = deploy(creationCode)
  return readPrincipal(readFacts(code), (slot) => state.storage(address, slot))
}

test('is the owner of a ProxyAdmin', () => {
  const admin = readPackaged('@openzeppelin/contracts/build/contracts/ProxyAdmin.json')
  expect(principalOf(encodeDeployData({ ...admin, args: [OWNER] }))).toBe(OWNER)
})

test('is the owner where he alone can make it call', () => {
  expect(principalOf(readExpectations().get('ArbitraryCall')?.creationCode ?? '0x')).toMatch(/^0x1/)
})

test('is none where any address can make it call', () => {
  expect(principalOf(readExpectations().get('NativeForwarder')?.creationCode ?? '0x')).toBeUndefined()
})

test('is none where roles decide', () => {
  const controller = readPackaged('@openzeppelin/contracts/build/contracts/TimelockController.json')
  expect(principalOf(encodeDeployData({ ...controller, args: [60n, [OWNER], [OWNER], OWNER] }))).toBeUndefined()
})

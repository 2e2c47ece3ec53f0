import { keccak_256 } from '@noble/hashes/sha3.js'
import { describe, expect, test } from 'vitest'
import { readBenign } from '../checks/bytecode/benign.conformance.js'
import { readFixtures } from '../checks/bytecode/expectations.conformance.js'
import { deploy } from '../checks/bytecode/test-state.conformance.js'
import { type Address, bytesToHex, type Hex } from '../hex.js'
import { findArgumentTypes } from './argument-types.js'
import { hashWords } from './evaluate.js'
import { readFacts } from './facts.js'
import { membershipSlot, readHolder, writersOfPrivilege } from './privilege.js'
import { readPrivilegedFunctions } from './privileged-functions.js'

const DEPLOYER: Address = '0x1000000000000000000000000000000000000001'
const STRANGER: Address = '0x2000000000000000000000000000000000000002'

const selectorOf = (signature: string): Hex =>
  bytesToHex(keccak_256(new TextEncoder().encode(signature)).subarray(0, 4))

function read(name: string) {
  const fixture = readFixtures().find((found) => found.name === name)
  if (fixture === undefined) throw new Error(`no fixture ${name}`)
  const { state, address, code } = deploy(fixture.creationCode)
  const facts = readFacts(code)
  const functions = readPrivilegedFunctions(facts)
  return {
    facts,
    functions,
    storage: (slot: bigint) => state.storage(address, slot),
    find: (signature: string) => functions.find((fn) => fn.selector === selectorOf(signature)),
  }
}

describe('privileged functions', () => {
  test('name the setter of a list, its holder, and the gate that reads it', () => {
    const { facts, storage, find } = read('Blacklist')
    const list = find('list(address,bool)')
    expect(list?.access).toBe('holder')
    const [privilege] = list?.privileges ?? []
    expect(privilege).toMatchObject({ kind: 'slot', slot: 0n, shift: 0, variable: '0x0' })
    expect(privilege && readHolder(facts, privilege, storage)).toBe(DEPLOYER)
    const [change] = list?.changes ?? []
    expect(change).toMatchObject({ kind: 'transfer', variable: '0x4[]' })
    expect(change?.fields.map(({ uses }) => [...uses])).toEqual([['gate']])
    expect(list?.arguments.map(({ offset, kind, isKey }) => ({ offset, kind, isKey }))).toEqual([
      { offset: 4n, kind: 'address', isKey: true },
      { offset: 36n, kind: 'boolean', isKey: false },
    ])
  })

  test('name who can hand the privilege on', () => {
    const { facts, find } = read('Blacklist')
    const [privilege] = find('list(address,bool)')?.privileges ?? []
    const writers = privilege === undefined ? [] : writersOfPrivilege(facts, privilege)
    expect(writers.map(({ fn }) => fn.selector)).toEqual([selectorOf('transferOwnership(address)')])
    expect(find('transferOwnership(address)')?.changes.map(({ kind }) => kind)).toEqual(['holder'])
  })

  test('give the constants that an argument is compared with, only where there are any', () => {
    const [bounded] = read('ModifiableFeeTwin').find('setFee(uint256)')?.arguments ?? []
    expect(bounded).toMatchObject({ kind: 'number', constants: [5n] })
    const [free] = read('ModifiableFee').find('setFee(uint256)')?.arguments ?? []
    expect(free).toMatchObject({ kind: 'number', constants: [] })
  })

  test('tell what of the transfer path a field feeds', () => {
    const change = read('ModifiableFee').find('setFee(uint256)')?.changes[0]
    expect(change?.kind).toBe('transfer')
    expect(change?.fields.flatMap(({ uses }) => [...uses])).toContain('amount')
  })

  test('see that a stored delegate is code', () => {
    const upgrade = read('StoredLogic').find('upgrade(address)')
    expect(upgrade?.changes.map(({ kind }) => kind)).toEqual(['code'])
    expect(upgrade?.privileges.map(({ slot }) => slot)).toEqual([1n])
  })

  test('find what any address can do to the books', () => {
    const { functions } = read('HiddenMintOpen')
    const open = functions.filter(({ access }) => access === 'anyone')
    expect(open.flatMap(({ changes }) => changes.map(({ kind }) => kind))).toContain('balance')
  })

  test('leave out what any holder does with a plain token', () => {
    const { functions } = read('BlacklistTwin')
    const selectors = functions.map(({ selector }) => selector)
    for (const own of ['transfer(address,uint256)', 'approve(address,uint256)', 'balanceOf(address)']) {
      expect(selectors).not.toContain(selectorOf(own))
    }
  })

  test('give the word that lists a member of a role', () => {
    const roles = readBenign().find(({ name }) => name === 'OpenZeppelin Roles')
    const facts = readFacts(roles?.code ?? new Uint8Array())
    const pause = readPrivilegedFunctions(facts).find(({ selector }) => selector === selectorOf('pause()'))
    const [privilege] = pause?.privileges ?? []
    expect(privilege?.kind).toBe('role')
    if (privilege === undefined) return
    const role = BigInt(bytesToHex(keccak_256(new TextEncoder().encode('P'))))
    // _roles[role].hasRole[account]: the mapping's slot differs between versions, its shape does
    // not.
    const base = [...Array(12).keys()].map((slot) => hashWords([BigInt(STRANGER), hashWords([role, BigInt(slot)])]))
    expect(base).toContain(membershipSlot(facts, privilege, STRANGER, () => 0n))
    expect(writersOfPrivilege(facts, privilege).map(({ fn }) => fn.selector)).toContain(
      selectorOf('grantRole(bytes32,address)'),
    )
  })

  test('are empty for code that is no contract', () => {
    expect(readPrivilegedFunctions(readFacts(new Uint8Array()))).toEqual([])
    expect(readPrivilegedFunctions(readFacts(Uint8Array.of(0xfe, 0x60)))).toEqual([])
  })
})

describe('argument types', () => {
  test('are those that the function was written with', () => {
    const { facts } = read('Blacklist')
    const types = findArgumentTypes(facts.program.code)
    expect(types.get(selectorOf('list(address,bool)'))).toBe('address,bool')
    expect(types.get(selectorOf('owner()'))).toBe('')
  })

  test('are unknown for what is no code', () => {
    expect(findArgumentTypes(new Uint8Array())).toEqual(new Map())
  })
})

import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ethereum } from '../../chains/ethereum.js'
import { createEvm } from '../../evm/create-evm.js'
import { type Address, EMPTY_CODE_HASH, type Hex, ZERO_ADDRESS } from '../../hex.js'
import type { StateReader } from '../../state/state-reader.js'
import type { StateSource } from '../../state/state-source.js'
import { checkBytecode } from './check-bytecode.js'
import { createTestState } from './detector.conformance.js'
import type { Detector } from './detector.js'
import type { BytecodeReport } from './report.js'

/** A compiled contract of `contracts/detectors/` with what its documentation promises. */
export interface Fixture {
  name: string
  creationCode: Hex
  expected: readonly string[]
  ignored: readonly string[]
}

const GENERATED = resolve(import.meta.dirname, '../../../contracts/generated')
const DEPLOYER: Address = '0x1000000000000000000000000000000000000001'

interface Artifact {
  contractName: string
  source: string
  bytecode: Hex
  devdoc: Record<string, unknown>
}

/** Every contract of `contracts/` that says what detectors are to find in it. */
export function readFixtures(): Fixture[] {
  const artifacts = readdirSync(GENERATED)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(GENERATED, name), 'utf8')) as Artifact)
  const names = (tag: unknown) => (typeof tag === 'string' ? tag.split(',').map((name) => name.trim()) : [])
  return artifacts
    .filter(({ source }) => source.startsWith('contracts/detectors/'))
    .map(({ contractName, bytecode, devdoc }) => ({
      name: contractName,
      creationCode: bytecode,
      expected: names(devdoc['custom:expect']),
      ignored: names(devdoc['custom:ignore']),
    }))
}

const nobodyKnown: StateReader = {
  account: () => ({ balance: 0n, nonce: 0n, codeHash: EMPTY_CODE_HASH }),
  code: () => new Uint8Array(),
  storage: () => 0n,
  blockHash: () => '0x00',
}

/** Runs the constructor on our own EVM, so that owners and switches hold what they would hold on a chain, and judges the result. */
export function checkDeployed(creationCode: Hex): Promise<BytecodeReport> {
  const { state, address } = deploy(creationCode)
  return checkBytecode({ state, address, chain: ethereum })
}

export function deploy(creationCode: Hex): { state: StateSource; address: Address; code: Uint8Array } {
  const { block } = createTestState({ name: 'block', code: '0x' })
  const evm = createEvm({
    state: nobodyKnown,
    block: { ...block, coinbase: ZERO_ADDRESS, baseFeePerGas: 0n, blobBaseFee: 1n, prevRandao: `0x${'00'.repeat(32)}` },
    hardfork: 'cancun',
  })
  evm.setBalance(DEPLOYER, 10n ** 20n)
  const { createdAddress, error } = evm.transact({
    from: DEPLOYER,
    data: creationCode,
    gasLimit: 20_000_000n,
    gasPrice: 0n,
  })
  if (createdAddress === undefined) throw new Error(`the constructor failed: ${error}`)
  const address = createdAddress
  const code = evm.code(address)
  const base = createTestState({ name: 'deployed', code: '0x' })
  return {
    address,
    code,
    state: {
      ...base,
      load: async () => {},
      account: (of) => evm.account(of),
      code: () => code,
      storage: (of, slot) => evm.storage(of, slot),
    },
  }
}

/** Every example that names the detector: found where it is expected, and nothing worse than a curiosity where it is to be ignored. */
export function testFixtures({ id }: Detector): void {
  const fixtures = readFixtures()
  const named = fixtures.filter(({ expected, ignored }) => expected.includes(id) || ignored.includes(id))
  test('has an example and a harmless twin', () => {
    expect(named.some(({ expected }) => expected.includes(id))).toBe(true)
    expect(named.some(({ ignored }) => ignored.includes(id))).toBe(true)
  })
  for (const { name, creationCode, expected } of named) {
    const wanted = expected.includes(id)
    test(`${wanted ? 'flags' : 'ignores'} ${name}`, async () => {
      const flag = (await checkDeployed(creationCode)).riskFlags.find((found) => found.id === id)
      if (!wanted) expect(flag?.threatLevel ?? 'LOW').toBe('LOW')
      else {
        expect(flag?.threatLevel).toMatch(/HIGH|MEDIUM/)
        expect(flag?.evidence[0]?.pc).toBeTypeOf('number')
      }
    })
  }
}

import { expect, test } from 'vitest'
import { ethereum } from '../../chains/ethereum.js'
import type { Hex } from '../../hex.js'
import type { BytecodeReport } from './bytecode-report.js'
import { checkBytecode } from './check-bytecode.js'
import type { Detector } from './detector.js'
import { readFixtures } from './expectations.conformance.js'
import { deploy } from './test-state.conformance.js'

/**
 * Runs the constructor on our own EVM, so that owners and switches hold what they would hold on a
 * chain, and judges the result.
 */
export function checkDeployed(creationCode: Hex): BytecodeReport {
  const { state, address } = deploy(creationCode)
  return checkBytecode({ state, address, chain: ethereum })
}

/**
 * Every example that names the detector: found where it is expected, and nothing worse than a
 * curiosity where it is to be ignored.
 */
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

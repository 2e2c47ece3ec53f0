import { expect, test } from 'vitest'
import { ethereum } from '../../chains/ethereum.js'
import type { BytecodeReport, RiskFlag } from './bytecode-report.js'
import { checkBytecode } from './check-bytecode.js'
import type { Detector } from './detector.js'
import { type Case, createTestState, TARGET } from './test-state.conformance.js'

export const checkCase = (given: Case): BytecodeReport =>
  checkBytecode({ state: createTestState(given), address: TARGET, chain: ethereum })

export interface DetectorCases {
  flags: (Case & {
    /** Places that must be among the evidence. */
    at?: number[]
    level?: RiskFlag['threatLevel']
  })[]
  /** Harmless twins. */
  ignores: Case[]
}

/** A detector's table: what it must find, and what only looks like it. */
export function testDetector({ id }: Detector, { flags, ignores }: DetectorCases): void {
  for (const { at, level, ...given } of flags) {
    test(`flags ${given.name}`, async () => {
      const flag = (await checkCase(given)).riskFlags.find((found) => found.id === id)
      expect(flag, 'a flag').toBeDefined()
      if (level !== undefined) expect(flag?.threatLevel).toBe(level)
      expect(flag?.evidence.map(({ pc }) => pc)).toEqual(expect.arrayContaining(at ?? []))
    })
  }
  for (const given of ignores) {
    test(`ignores ${given.name}`, async () => {
      const { riskFlags } = await checkCase(given)
      expect(riskFlags.filter((flag) => flag.id === id)).toEqual([])
    })
  }
}

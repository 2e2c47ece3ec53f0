import { expect, test } from 'vitest'
import { readContract } from '../../../devnet/artifacts.js'
import { checkDeployed, testFixtures } from '../fixtures.conformance.js'
import { transferLimit } from './transfer-limit.js'

testFixtures(transferLimit)

test('tells of limits that are fixed in the code, as a curiosity', () => {
  const flagsOf = (name: string) => checkDeployed(readContract(name).bytecode).riskFlags
  expect(flagsOf('TransferLimitFixed').find(({ id }) => id === 'transfer-limit')?.threatLevel).toBe('LOW')
  expect(flagsOf('TransferLimitSpent').find(({ id }) => id === 'transfer-limit')?.threatLevel).toBe('LOW')
  expect(flagsOf('TransferLimitSpentTwin').some(({ id }) => id === 'transfer-limit')).toBe(false)
  // Who is asked about an amount is no limit of it.
  expect(flagsOf('ExternalTransferCall').some(({ id }) => id === 'transfer-limit')).toBe(false)
  expect(flagsOf('SwitchedFee').some(({ id }) => id === 'transfer-limit')).toBe(false)
})

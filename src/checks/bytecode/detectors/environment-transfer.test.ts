import { expect, test } from 'vitest'
import { readExpectations } from '../expectations.conformance.js'
import { checkDeployed, testFixtures } from '../fixtures.conformance.js'
import { environmentTransfer } from './environment-transfer.js'

testFixtures(environmentTransfer)

test.each([
  ['NarrowClock', false],
  ['NarrowClockTwin', true],
])('tells whether the clock comes so far: %s', async (name, comes) => {
  const { creationCode } = readExpectations().get(name) ?? expect.unreachable()
  const { riskFlags } = await checkDeployed(creationCode)
  expect(riskFlags.some(({ id }) => id === environmentTransfer.id)).toBe(comes)
})

import { expect, test } from 'vitest'
import { readExpectations } from '../expectations.conformance.js'
import { checkDeployed, testFixtures } from '../fixtures.conformance.js'
import { balanceSeizure } from './balance-seizure.js'

testFixtures(balanceSeizure)

test.each([
  ['BurnsByRole', false],
  ['BurnsByAnyone', true],
])('tells whose power it is where several ways ask for a role: %s', async (name, isOpen) => {
  const { creationCode } = readExpectations().get(name) ?? expect.unreachable()
  const { riskFlags } = await checkDeployed(creationCode)
  const [evidence] = riskFlags.find(({ id }) => id === balanceSeizure.id)?.evidence ?? []
  expect(evidence?.holder === 'anyone').toBe(isOpen)
})

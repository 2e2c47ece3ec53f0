import { expect, test } from 'vitest'
import { readExpectations } from '../expectations.conformance.js'
import { checkDeployed, testFixtures } from '../fixtures.conformance.js'
import { transferCooldown } from './transfer-cooldown.js'

testFixtures(transferCooldown)

test.each([
  ['the last move is asked to be past', 'TransferCooldownOfOrder', 0],
  ['the last move is asked to be of an earlier block', 'TransferCooldownOfBlock', 1],
])('%s', async (_, name, count) => {
  const { riskFlags } = await checkDeployed(readExpectations().get(name)?.creationCode ?? '0x')
  expect(riskFlags.filter(({ id }) => id === transferCooldown.id)).toHaveLength(count)
})

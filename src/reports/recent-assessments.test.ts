import { expect, test } from 'vitest'
import { sampleChecks, sampleHoneypot } from '../../test/http/sample-checks.js'
import { samplePhishing } from '../../test/http/sample-phishing.js'
import { ethereum } from '../chains/ethereum.js'
import type { AnalysisTarget } from '../checks/target.js'
import { createAssess } from './assess.js'
import { rememberAssessments } from './recent-assessments.js'

const TARGET: AnalysisTarget = { chain: ethereum, address: '0x00000000000000000000000000000000000000aa' }
const HASH = `0x${'1'.repeat(64)}` as const

function setUp() {
  let count = 0
  const head = { hash: HASH as string }
  const { recall, keep } = rememberAssessments({ headOf: () => head.hash })
  const checks = {
    async simulation() {
      count += 1
      return { ...sampleChecks, block: { ...sampleChecks.block, hash: HASH } }
    },
    honeypot: async () => sampleHoneypot,
    phishing: async () => samplePhishing,
  }
  const assess = createAssess(checks, { onFailure: () => expect.unreachable(), recall, reviews: [keep] })
  return { assess: (target: AnalysisTarget) => assess(target, 'simulation'), head, count: () => count }
}

test('what is asked again at the same head is not assessed again, until there is another', async () => {
  const { assess, head, count } = setUp()
  await assess(TARGET)
  await assess(TARGET)
  expect(count()).toBe(1)
  head.hash = `0x${'2'.repeat(64)}`
  await assess(TARGET)
  expect(count()).toBe(2)
})

test('a whole trace, which can have megabytes, is not kept in memory', async () => {
  const { assess, count } = setUp()
  await assess({ ...TARGET, trace: 'full' })
  await assess({ ...TARGET, trace: 'full' })
  expect(count()).toBe(2)
})

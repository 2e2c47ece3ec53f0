import { afterAll, expect, test } from 'vitest'
import { threadsOfWorker } from '../../../test/threads-of-worker.js'
import { ethereum } from '../../chains/ethereum.js'
import { createBytecodeJudge } from './bytecode-judge.js'
import { createTestState, TARGET } from './test-state.conformance.js'

const judge = createBytecodeJudge({ threads: threadsOfWorker().codes })
afterAll(() => judge.close())

test('judges in a thread as it would here, fetching the state it turns out to need', async () => {
  const clone = `0x363d3d373d3d3d363d73${'11'.repeat(20)}5af43d82803e903d91602b57fd5bf3`
  const state = createTestState({
    name: 'a clone of a kill switch',
    code: clone,
    accounts: { [`0x${'11'.repeat(20)}`]: '0x33ff' },
  })
  const report = await judge.judge({ state, address: TARGET, chain: ethereum })
  expect(report.riskFlags[0]?.severity).toBe('critical')
  expect(report.riskFlags.map(({ id }) => id)).toEqual(['kill-switch', 'hidden-proxy'])
})

test.each(['0xef', '0xeff00000c0de'])('code that is no EVM program is not harmless: %s', async (code) => {
  const state = createTestState({ name: 'run by the chain itself', code })
  const report = await judge.judge({ state, address: TARGET, chain: ethereum })
  expect(report).toMatchObject({ complete: false, gaps: ['code that is not EVM code'] })
})

test('passes on why the state could not be read', async () => {
  const state = createTestState({ name: 'any', code: '0x00' })
  const failing = { ...state, load: () => Promise.reject(new Error('node is gone')) }
  await expect(judge.judge({ state: failing, address: TARGET, chain: ethereum })).rejects.toThrow('node is gone')
})

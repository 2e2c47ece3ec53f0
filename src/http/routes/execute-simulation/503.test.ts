import { expect, test } from 'vitest'
import { sampleChecks } from '../../../../test/http/sample-checks.js'
import { createTestApp, failure, request } from '../../../../test/http/test-app.js'
import { createSlots } from '../../../limits/slots.js'

test('more analyses than may run and wait', async () => {
  let release = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  const { post, issue } = await createTestApp({
    services: {
      slots: createSlots({ concurrency: 1, maxWaiting: 2 }),
      executeSimulation: () => gate.then(() => sampleChecks),
    },
  })
  const { key } = await issue({ tier: 'partner' })
  const headers = { authorization: `Bearer ${key}` }
  const waiting = [post(request(), { headers }), post(request(), { headers }), post(request(), { headers })]
  await new Promise(setImmediate)
  const refused = await post(request(), { headers })
  expect(refused.statusCode).toBe(503)
  expect(refused.json()).toEqual(failure('Service busy', 'busy'))
  expect(refused.headers['retry-after']).toBe('2')
  release()
  expect((await Promise.all(waiting)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  expect((await post(request(), { headers })).statusCode).toBe(200)
})

test('an analysis whose time ran out before its turn came was not a failure: come back', async () => {
  const { post } = await createTestApp({
    bounds: { analysisMs: 120, wrapUpMs: 60 },
    services: {
      slots: createSlots({ concurrency: 1, maxWaiting: 2 }),
      executeSimulation: () => new Promise(() => {}),
    },
  })
  const [begun, waited] = await Promise.all([post(request()), post(request())])
  expect(begun.json()).toEqual(failure('Simulation failed', 'simulation_failed'))
  expect(waited.json()).toEqual(failure('Service busy', 'busy'))
  expect(waited.headers['retry-after']).toBe('2')
})

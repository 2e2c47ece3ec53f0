import { describe, expect, test } from 'vitest'
import type { CallFrame } from '../../src/evm/inspector.js'
import { hasSharedData, readShared } from './shared-data.js'
import { runTracerFixture, type TracerFixture } from './tracer-fixture.js'

const fixtures = (file: string) =>
  hasSharedData() ? Object.entries(readShared<TracerFixture<CallFrame>>('call-tracer', file)) : []

describe.skipIf(!hasSharedData())("geth's call tracer tests", () => {
  test.each(fixtures('call_tracer.json.gz'))('%s', async (_, fixture) => {
    const { trace } = await runTracerFixture(fixture)
    expect(trace).toEqual(fixture.result)
  })
})

describe.skipIf(!hasSharedData())("geth's call tracer tests with logs", () => {
  test.each(fixtures('call_tracer_withLog.json.gz'))('%s', async (_, fixture) => {
    const { trace } = await runTracerFixture(fixture)
    // The older of these were written before geth numbered the logs.
    const isNumbered = JSON.stringify(fixture.result).includes('"index"')
    expect(isNumbered ? trace : withoutLogIndex(trace)).toEqual(fixture.result)
  })
})

function withoutLogIndex(trace: CallFrame): unknown {
  return JSON.parse(JSON.stringify(trace, (key, value: unknown) => (key === 'index' ? undefined : value)))
}

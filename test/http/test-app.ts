import { Writable } from 'node:stream'
import type { InjectOptions } from 'fastify'
import { createManualClock } from '../../src/clock.js'
import { createApp } from '../../src/http/app.js'
import { HTTP_BOUNDS, type HttpBounds } from '../../src/http/bounds.js'
import { createLog } from '../../src/http/log.js'
import type { Services } from '../../src/http/services.js'
import { issueKey, type KeyOrder } from '../../src/keys/issue.js'
import { createMemoryKeyStore } from '../../src/keys/memory-key-store.js'
import { createKeyVerifier } from '../../src/keys/verify.js'
import { createMemoryLimiter } from '../../src/limits/memory-limiter.js'
import { createSlots } from '../../src/limits/slots.js'
import { sampleChecks, sampleHoneypot } from './sample-checks.js'

/** An address that is a real token's, and lower case, so that it carries no checksum. */
export const TOKEN = '0x514910771af9ca656af840dff83e8264ecf986ca'
export const HONEYPOT = '/api/honeypot/honeypot-checks'
export const SIMULATE = '/api/simulate/execute-simulation'

export interface TestAppOptions {
  services?: Partial<Services>
  bounds?: Partial<HttpBounds>
}

/** The real application on stores in memory, a clock that is told to move, and an analysis that answers at once. */
export async function createTestApp({ services = {}, bounds = {} }: TestAppOptions = {}) {
  const clock = createManualClock()
  const store = createMemoryKeyStore()
  const lines: string[] = []
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const app = createApp(
    {
      config: { compat: false, engineVersion: '1.2.3', trustProxy: [] },
      clock,
      log: createLog({ level: 'trace', destination }),
      keys: createKeyVerifier({ store, clock }),
      limiter: createMemoryLimiter({ clock }),
      slots: createSlots({ concurrency: 4, maxWaiting: 64 }),
      dependencies: { database: store.ping },
      executeSimulation: async () => sampleChecks,
      checkHoneypot: async () => sampleHoneypot,
      ...services,
    },
    { ...HTTP_BOUNDS, ...bounds },
  )
  const issue = (order: Partial<KeyOrder> = {}) => issueKey({ store, clock }, { label: 'test', tier: 'free', ...order })
  const { key, record } = await issue()
  const post = (payload?: InjectOptions['payload'], options: InjectOptions = {}) =>
    app.inject({
      method: 'POST',
      url: SIMULATE,
      ...(payload !== undefined && { payload }),
      ...options,
      headers: {
        authorization: `Bearer ${key}`,
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...options.headers,
      },
    })
  return { app, clock, store, key, keyId: record.id, issue, post, logLines: lines }
}

export const request = (overrides: Record<string, unknown> = {}) => ({
  targetContractAddress: TOKEN,
  chainId: 1,
  ...overrides,
})

/** The body of every failure: the text twice, and its stable code. */
export const failure = (errorReason: string, code: string) => ({
  success: false,
  errorReason,
  error: errorReason,
  code,
})

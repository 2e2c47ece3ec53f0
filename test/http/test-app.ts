import { Writable } from 'node:stream'
import type { InjectOptions } from 'fastify'
import { createMemoryAccountStore } from '../../src/accounts/memory-account-store.js'
import { createSignIn } from '../../src/accounts/sign-in.js'
import { createWalletKeys } from '../../src/accounts/wallet-keys.js'
import { chains } from '../../src/chains/index.js'
import { createManualClock } from '../../src/clock.js'
import { createApp } from '../../src/http/app.js'
import { HTTP_BOUNDS, type HttpBounds } from '../../src/http/bounds.js'
import type { Services } from '../../src/http/services.js'
import { issueKey, type KeyOrder } from '../../src/keys/issue.js'
import { createMemoryKeyStore } from '../../src/keys/memory-key-store.js'
import { createKeyVerifier } from '../../src/keys/verify-key.js'
import { createMemoryLimiter } from '../../src/limits/memory-limiter.js'
import { createLog } from '../../src/log.js'
import { createAnswerCache } from '../../src/reports/answer-cache.js'
import { type Checks, createAssess } from '../../src/reports/assess.js'
import { createReportSeal } from '../../src/reports/seal.js'
import { RpcUnavailableError } from '../../src/rpc/rpc-client.js'
import { createConcurrencyLimit } from '../../src/scheduling/concurrency-limit.js'
import { sampleChecks, sampleHoneypot } from './sample-checks.js'
import { samplePhishing } from './sample-phishing.js'

/** An address that is a real token's, and lower case, so that it carries no checksum. */
export const TOKEN = '0x514910771af9ca656af840dff83e8264ecf986ca'
/** Where wallets sign in to the test application. */
export const ORIGIN = 'https://assay.example'
export const HONEYPOT = '/api/honeypot/honeypot-checks'
export const PHISHING = '/api/phishing/phishing-checks'
export const SIMULATE = '/api/simulate/execute-simulation'

export interface TestAppOptions {
  services?: Partial<Services & Checks>
  bounds?: Partial<HttpBounds>
}

/**
 * The real application on stores in memory, a clock that is told to move, and an analysis that
 * answers at once.
 */
export async function createTestApp({ services = {}, bounds = {} }: TestAppOptions = {}) {
  const clock = createManualClock()
  const store = createMemoryKeyStore()
  const accountStore = createMemoryAccountStore()
  const lines: string[] = []
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const all: Services = {
    config: {
      chains,
      compat: false,
      engineVersion: '1.2.3',
      examples: [],
      guestChecks: 0,
      privateWebhooks: false,
      publicOrigins: [ORIGIN],
      trustProxy: [],
    },
    clock,
    log: createLog({ level: 'trace', destination }),
    keys: createKeyVerifier({ store, clock }),
    signIn: createSignIn({
      store: accountStore,
      clock,
      origins: [ORIGIN],
      callNode: () => Promise.reject(new RpcUnavailableError(1, undefined)),
    }),
    walletKeys: createWalletKeys({ keyStore: store, accountStore, clock }),
    usage: { read: async () => new Map() },
    limiter: createMemoryLimiter({ clock }),
    slots: createConcurrencyLimit({ concurrency: 4, maxWaiting: 64 }),
    blame: (error) => error,
    answers: createAnswerCache({ headOf: () => undefined }),
    seals: createReportSeal({ traderSecret: new Uint8Array(32), signingKey: undefined }),
    batches: {
      create: () => Promise.reject(new Error('no batches here')),
      read: async () => undefined,
      list: async () => [],
      listWebhooks: async () => [],
      redeliver: async () => undefined,
    },
    watches: {
      create: () => Promise.reject(new Error('no watches here')),
      list: async () => [],
      listAlerts: async () => [],
      newestPlace: async () => 0,
      read: async () => undefined,
      remove: async () => false,
    },
    feed: {
      chainIds: [],
      listChanges: async () => [],
      listFollowed: async () => new Map(),
      listNewest: async () => ({ listings: [], omissions: [], place: 0 }),
      newestPlace: async () => 0,
    },
    contacts: {
      ways: [],
      order: async () => 'unknown-way',
      list: async () => [],
      remove: async () => false,
      areOf: async (_keyId, ids) => ids.length === 0,
      findByCode: async () => undefined,
      confirm: async () => undefined,
      findByStopToken: async () => undefined,
      stop: async () => false,
    },
    stats: {
      read: async () => ({ followed: 0, families: { codes: 0, copies: 0, hostile: 0, turned: 0 }, stages: [] }),
    },
    lookup: {
      findChains: async () => ({ chains: [], unanswered: [] }),
      resolve: async () => undefined,
    },
    savedReports: {
      save: () => Promise.reject(new Error('no reports are kept here')),
      find: async () => undefined,
      readAnswers: async () => undefined,
      list: async () => [],
      setVisibility: async () => false,
      remove: async () => false,
    },
    falseResults: { keep: () => Promise.reject(new Error('no false results are kept here')) },
    dependencies: { database: store.ping },
    assess: createAssess(
      {
        simulation: async () => sampleChecks,
        honeypot: async () => sampleHoneypot,
        phishing: async () => samplePhishing,
        ...services,
      },
      { onFailure: () => {}, ...(services.blame && { blame: services.blame }) },
    ),
    isKnown: () => false,
    checkSolanaToken: () => Promise.reject(new Error('no Solana node here')),
    ...services,
  }
  const app = createApp(all, { ...HTTP_BOUNDS, ...bounds })
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
  return { app, services: all, clock, store, accountStore, key, keyId: record.id, issue, post, logLines: lines }
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

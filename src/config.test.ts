import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { chains } from './chains/index.js'
import { ConfigError, readConfig } from './config.js'

test('an empty environment gives a service that can start', () => {
  const { engineVersion, dataDir, rpcUrls, chains: served, ...config } = readConfig({})
  expect(config).toMatchInlineSnapshot(`
    {
      "compat": false,
      "databaseUrl": undefined,
      "examples": [
        {
          "address": "0xdAC17F958D2ee523a2206206994597C13D831ec7",
          "chainId": 1,
          "name": "USDT on Ethereum",
        },
        {
          "address": "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
          "chainId": 8453,
          "name": "USDC on Base",
        },
        {
          "address": "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
          "chainId": 0,
          "name": "USDC on Solana",
        },
      ],
      "feedChains": [],
      "feedReadsBlocks": false,
      "followedVerdicts": 0,
      "guestChecks": 5,
      "host": "0.0.0.0",
      "logLevel": "info",
      "looksAtPending": false,
      "mail": undefined,
      "maxHeadAgeMs": 300000,
      "memoryMb": 512,
      "metricsHost": "127.0.0.1",
      "metricsPort": undefined,
      "otlpEndpoint": undefined,
      "port": 8080,
      "privateWebhooks": false,
      "publicOrigins": [
        "http://localhost:8080",
        "http://127.0.0.1:8080",
      ],
      "redisUrl": undefined,
      "secondOpinions": 100,
      "signingKey": undefined,
      "solanaRpcUrls": [
        "https://api.mainnet-beta.solana.com",
      ],
      "telegram": undefined,
      "trustProxy": [],
    }
  `)
  expect(engineVersion).toMatch(/^\d+\.\d+\.\d+/)
  expect(dataDir).toBe(resolve('data'))
  expect(served).toEqual(chains)
  expect(rpcUrls[1]).toEqual(chains[0]?.defaultRpcUrls)
})

test('every setting is read', () => {
  const config = readConfig({
    HOST: '::1',
    PORT: '0',
    ASSAY_RPC_1: 'http://127.0.0.1:8545, https://node.example/v2/key',
    ASSAY_RPC_SOL: 'https://solana.example',
    ASSAY_MAX_HEAD_AGE: '0',
    ASSAY_DATA_DIR: '/srv/assay',
    DATABASE_URL: 'postgres://assay@db/assay',
    REDIS_URL: 'rediss://cache:6380/1',
    ASSAY_PUBLIC_URL: 'https://assay.example/, http://LOCALHOST:80',
    ASSAY_COMPAT: '1',
    ASSAY_LOG_LEVEL: 'debug',
    ASSAY_TRUST_PROXY: '10.0.0.0/8, ::1',
  })
  expect(config).toMatchObject({
    host: '::1',
    port: 0,
    solanaRpcUrls: ['https://solana.example'],
    maxHeadAgeMs: Number.POSITIVE_INFINITY,
    dataDir: '/srv/assay',
    databaseUrl: 'postgres://assay@db/assay',
    redisUrl: 'rediss://cache:6380/1',
    publicOrigins: ['https://assay.example', 'http://localhost'],
    compat: true,
    logLevel: 'debug',
    trustProxy: ['10.0.0.0/8', '::1'],
  })
  expect(config.rpcUrls[1]).toEqual(['http://127.0.0.1:8545', 'https://node.example/v2/key'])
})

test('mail needs a server and a sender, and a bot its token', () => {
  const mail = { ASSAY_SMTP_URL: 'smtps://user:pass@mail.example', ASSAY_MAIL_FROM: 'Assay <alerts@assay.example>' }
  const bot = { ASSAY_TELEGRAM_TOKEN: '123:abcdefghijkl' }
  expect(readConfig({ ...mail, ...bot })).toMatchObject({
    mail: { url: mail.ASSAY_SMTP_URL, from: mail.ASSAY_MAIL_FROM },
    telegram: { token: bot.ASSAY_TELEGRAM_TOKEN, apiUrl: 'https://api.telegram.org' },
  })
  const problems = [
    { ASSAY_SMTP_URL: mail.ASSAY_SMTP_URL },
    { ...mail, ASSAY_MAIL_FROM: 'a@b.example\r\nBcc: c@d.example' },
    { ...mail, ASSAY_SMTP_URL: 'http://mail.example' },
    { ASSAY_TELEGRAM_TOKEN: 'abc/../def' },
  ]
  for (const env of problems) expect(() => readConfig(env)).toThrow(ConfigError)
})

test.each(['127', '65537', '1e3', '0', '512MB', '-512'])('no amount of memory: %s', (text) => {
  expect(() => readConfig({ ASSAY_MEMORY_MB: text })).toThrow('ASSAY_MEMORY_MB')
  expect(readConfig({ ASSAY_MEMORY_MB: '1024' }).memoryMb).toBe(1_024)
})

test('the operator chooses the examples of the first page', () => {
  const [token, mint] = [`0x${'aB'.repeat(20)}`, 'So11111111111111111111111111111111111111112']
  const { examples } = readConfig({ ASSAY_EXAMPLES: `1:${token}=Our token (v2), SOL:${mint}=Wrapped SOL` })
  expect(examples).toEqual([
    { name: 'Our token (v2)', chainId: 1, address: token },
    { name: 'Wrapped SOL', chainId: 0, address: mint },
  ])
  expect(readConfig({ ASSAY_EXAMPLES: '0' }).examples).toEqual([])
  const wrong = [
    ...[`1:${token}`, `1:${token}=`, `1:${mint}=A`, `SOL:${token}=A`, `7777:${token}=A`, `1:${token}=A,`],
    ...[`1:${token}=<b>`, `1:${token}=A\u202eB`, `1:${token}=${'A'.repeat(41)}`],
    Array.from({ length: 7 }, () => `1:${token}=A`).join(),
  ]
  for (const text of wrong) expect(() => readConfig({ ASSAY_EXAMPLES: text }), text).toThrow(ConfigError)
})

test('a blank value is the same as none', () => {
  expect(readConfig({ PORT: ' ', DATABASE_URL: '', ASSAY_RPC_1: '' })).toEqual(readConfig({}))
})

test('one error lists every problem and repeats no value', () => {
  const attempt = () =>
    readConfig({
      PORT: '65536',
      HOST: 'http://x',
      ASSAY_RPC_56: 'https://ok.example, wss://secret-key.example',
      DATABASE_URL: 'mysql://root:secret-password@db/x',
      REDIS_URL: 'localhost',
      ASSAY_PUBLIC_URL: 'https://x.example, https://x.example/app',
      ASSAY_COMPAT: 'yes',
      ASSAY_LOG_LEVEL: 'loud',
      ASSAY_TRUST_PROXY: 'everyone',
    })
  expect(attempt).toThrow(ConfigError)
  expect(attempt).toThrowErrorMatchingInlineSnapshot(`
    [ConfigError: The configuration cannot be used:
      - PORT must be a port number from 0 to 65535
      - HOST must be a host name or an IP address
      - ASSAY_RPC_56 must be one or more http(s) URLs, separated by commas
      - DATABASE_URL must be a postgres:// URL
      - REDIS_URL must be a redis:// or rediss:// URL
      - ASSAY_PUBLIC_URL must be one or more http(s) URLs without a path, separated by commas
      - ASSAY_COMPAT must be 0 or 1
      - ASSAY_LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent
      - ASSAY_TRUST_PROXY must be one or more IP addresses or CIDR ranges]
  `)
})

describe('trusted proxies', () => {
  test.each([
    ['127.0.0.1', ['127.0.0.1']],
    ['fd00::/8', ['fd00::/8']],
  ])('%s is accepted', (text, expected) => {
    expect(readConfig({ ASSAY_TRUST_PROXY: text }).trustProxy).toEqual(expected)
  })

  test.each(['true', '1', '10.0.0.0/', '10.0.0.0/-1', '10.0.0.0/33', 'fd00::/129', '10.0.0.0/8/8'])(
    '%s is refused',
    (text) => {
      expect(() => readConfig({ ASSAY_TRUST_PROXY: text })).toThrow('ASSAY_TRUST_PROXY')
    },
  )
})

test('the configuration cannot be changed afterwards', () => {
  const config = readConfig({})
  expect(Object.isFrozen(config) && Object.isFrozen(config.rpcUrls)).toBe(true)
})

test('.env.example explains exactly the settings that are read', () => {
  const seen = new Set<string>()
  readConfig(new Proxy({}, { get: (_, name) => void seen.add(String(name)) }))
  const example = readFileSync(resolve(import.meta.dirname, '../.env.example'), 'utf8')
  const explained = [...example.matchAll(/^(\w+)=/gm)].map(([, name]) => name)
  // One chain stands for all.
  const read = [...seen].filter((name) => name === 'ASSAY_RPC_1' || !/^ASSAY_RPC_\d+$/.test(name))
  expect(explained.toSorted()).toEqual(read.toSorted())
})

test('the values of .env.example are accepted', () => {
  const example = readFileSync(resolve(import.meta.dirname, '../.env.example'), 'utf8')
  const env = Object.fromEntries([...example.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]))
  expect(readConfig(env)).toEqual(readConfig({}))
})

test('the environment is read nowhere else', () => {
  const readers = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.(test|conformance|fuzz))\.ts$/.test(name))
    .filter((name) => readFileSync(join(import.meta.dirname, name), 'utf8').includes('process.env'))
  expect(readers).toEqual(['config.ts'])
})

test('the signing key is given by itself, on one line too, or by its file; nothing else is one', () => {
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim()
  const folder = mkdtempSync(join(tmpdir(), 'assay-key-'))
  const file = join(folder, 'key.pem')
  writeFileSync(file, pem)
  for (const value of [pem, pem.replaceAll('\n', '\\n'), file]) {
    expect(readConfig({ ASSAY_SIGNING_KEY: value }).signingKey).toBe(pem)
  }
  for (const value of [join(folder, 'none'), folder, '-----BEGIN secret']) {
    expect(() => readConfig({ ASSAY_SIGNING_KEY: value })).toThrow('ASSAY_SIGNING_KEY must be')
    expect(() => readConfig({ ASSAY_SIGNING_KEY: value })).not.toThrow(value)
  }
  rmSync(folder, { recursive: true })
})

import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import type { Chain } from './chains/chain.js'
import { ChainFileError, readChainFiles } from './chains/chain-file.js'
import { withChains } from './chains/index.js'
import { BaseError } from './errors.js'

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Everything an operator can set, checked and complete. */
export interface Config {
  readonly host: string
  readonly port: number
  /** Every EVM chain that is judged: those we know, and those of the operator's files. */
  readonly chains: readonly Chain[]
  /**
   * Node URLs by chain id, preferred first; the chain's public endpoints where the operator names
   * none.
   */
  readonly rpcUrls: Readonly<Record<number, readonly string[]>>
  readonly solanaRpcUrls: readonly string[]
  /**
   * A node whose newest block is older is out of step, and not used. `Infinity`: blocks may be of
   * any age, as on a local test chain.
   */
  readonly maxHeadAgeMs: number
  /** Absolute path of the folder for everything that must survive a restart. */
  readonly dataDir: string
  /** `postgres://…`; `undefined` means the embedded file under `dataDir`. */
  readonly databaseUrl: string | undefined
  /** `redis://…`; `undefined` means that limits are this process's own. */
  readonly redisUrl: string | undefined
  /**
   * Origins that people and wallets see, without a trailing slash; the preferred one first.
   * Sign-ins at any other are refused.
   */
  readonly publicOrigins: readonly string[]
  /** Accepts the field aliases that existing clients send. */
  readonly compat: boolean
  readonly logLevel: LogLevel
  /** Addresses and CIDR ranges of the proxies that may name the caller's address. */
  readonly trustProxy: readonly string[]
  /** Ed25519 private key in PEM; with it every report is signed. */
  readonly signingKey: string | undefined
  /** Port of `GET /metrics`; none without. */
  readonly metricsPort: number | undefined
  readonly metricsHost: string
  /**
   * Base URL of an OpenTelemetry collector (OTLP over HTTP), without a trailing slash; none
   * without.
   */
  readonly otlpEndpoint: string | undefined
  /** One in how many simulations a node is asked about again; 0 for none. */
  readonly secondOpinions: number
  /** Analyses an hour without key or session, for each address; 0 for none. */
  readonly guestChecks: number
  /** Lets webhooks go to private and loopback addresses. */
  readonly privateWebhooks: boolean
  /** Version of this package; every report names it. */
  readonly engineVersion: string
}

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the environment once. Throws one {@link ConfigError} that lists every problem, and never
 * repeats a value in it.
 */
export function readConfig(env: Environment = process.env): Config {
  const problems: string[] = []
  const read = <T>(name: string, fallback: T, parse: (text: string) => T | undefined, expected: string): T => {
    const text = env[name]?.trim() ?? ''
    if (text === '') return fallback
    const value = parse(text)
    if (value === undefined) problems.push(`${name} must be ${expected}`)
    return value ?? fallback
  }
  const readUrls = (name: string, fallback: readonly string[]) =>
    read(name, fallback, parseHttpUrls, 'one or more http(s) URLs, separated by commas')

  const chains = withChains(
    readOwnChains(read('ASSAY_CHAINS', [], parsePaths, 'paths of files, separated by commas'), problems),
  )
  const port = read('PORT', DEFAULT_PORT, parsePort, 'a port number from 0 to 65535')
  const config: Config = {
    host: read('HOST', '0.0.0.0', parseHost, 'a host name or an IP address'),
    port,
    chains,
    rpcUrls: Object.freeze(
      Object.fromEntries(chains.map(({ id, defaultRpcUrls }) => [id, readUrls(`ASSAY_RPC_${id}`, defaultRpcUrls)])),
    ),
    solanaRpcUrls: readUrls('ASSAY_RPC_SOL', SOLANA_PUBLIC_RPC_URLS),
    maxHeadAgeMs: read(
      'ASSAY_MAX_HEAD_AGE',
      DEFAULT_MAX_HEAD_AGE_MS,
      parseHeadAge,
      'a number of seconds, or 0 for any age',
    ),
    dataDir: resolve(read('ASSAY_DATA_DIR', 'data', parsePath, 'a path')),
    databaseUrl: read('DATABASE_URL', undefined, parseUrlOf(['postgres:', 'postgresql:']), 'a postgres:// URL'),
    redisUrl: read('REDIS_URL', undefined, parseUrlOf(['redis:', 'rediss:']), 'a redis:// or rediss:// URL'),
    publicOrigins: read(
      'ASSAY_PUBLIC_URL',
      ['localhost', '127.0.0.1'].map((host) => new URL(`http://${host}:${port}`).origin),
      parseOrigins,
      'one or more http(s) URLs without a path, separated by commas',
    ),
    compat: read('ASSAY_COMPAT', false, parseSwitch, '0 or 1'),
    logLevel: read('ASSAY_LOG_LEVEL', 'info', parseLogLevel, `one of ${LOG_LEVELS.join(', ')}`),
    trustProxy: read('ASSAY_TRUST_PROXY', [], parseAddressRanges, 'one or more IP addresses or CIDR ranges'),
    signingKey: read(
      'ASSAY_SIGNING_KEY',
      undefined,
      parseSigningKey,
      'an Ed25519 private key in PEM, or the path of a file with one',
    ),
    metricsPort: read('ASSAY_METRICS_PORT', undefined, parsePort, 'a port number from 0 to 65535'),
    metricsHost: read('ASSAY_METRICS_HOST', '127.0.0.1', parseHost, 'a host name or an IP address'),
    otlpEndpoint: read('OTEL_EXPORTER_OTLP_ENDPOINT', undefined, parseCollector, 'an http(s) URL'),
    secondOpinions: read('ASSAY_SECOND_OPINIONS', DEFAULT_SECOND_OPINIONS, parseCount, 'a whole number, or 0 for none'),
    guestChecks: read(
      'ASSAY_GUEST_CHECKS',
      DEFAULT_GUEST_CHECKS,
      parseGuestChecks,
      'a whole number up to 1000, or 0 for none',
    ),
    privateWebhooks: read('ASSAY_PRIVATE_WEBHOOKS', false, parseSwitch, '0 or 1'),
    engineVersion: readEngineVersion(),
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return Object.freeze(config)
}

const DEFAULT_PORT = 8080

/**
 * Chains do pause for a minute or two; a node that is this late is out of step, or the chain is
 * down.
 */
const DEFAULT_MAX_HEAD_AGE_MS = 300_000

/** So few that a metered node is not paid for it, and a few an hour of a service in use. */
const DEFAULT_SECOND_OPINIONS = 100

/** Enough to see what it is; a wallet signs in for more. */
const DEFAULT_GUEST_CHECKS = 5

/** Each address is remembered with so many times. */
const MAX_GUEST_CHECKS = 1_000

/** Solana's documented public endpoint for mainnet. */
const SOLANA_PUBLIC_RPC_URLS = ['https://api.mainnet-beta.solana.com']

/** More endpoints than this per chain are a mistake in the list. */
const MAX_URLS = 16

function parseCollector(text: string): string | undefined {
  const isUrl = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  return isUrl ? text.replace(/\/+$/, '') : undefined
}

function parsePort(text: string): number | undefined {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined
}

function parseHeadAge(text: string): number | undefined {
  if (!/^\d{1,9}$/.test(text)) return undefined
  return Number(text) === 0 ? Number.POSITIVE_INFINITY : Number(text) * 1_000
}

function parseCount(text: string): number | undefined {
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

function parseGuestChecks(text: string): number | undefined {
  const count = parseCount(text)
  return count !== undefined && count <= MAX_GUEST_CHECKS ? count : undefined
}

function parseHost(text: string): string | undefined {
  return isIP(text) !== 0 || /^[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?$/.test(text) ? text : undefined
}

function parsePath(text: string): string | undefined {
  return text.includes('\0') ? undefined : text
}

function parsePaths(text: string): readonly string[] | undefined {
  const paths = text.split(',').map((path) => path.trim())
  return paths.length <= MAX_CHAIN_FILES && paths.every((path) => path !== '' && !path.includes('\0'))
    ? paths
    : undefined
}

const MAX_CHAIN_FILES = 32

/** A file holds no secret: what is wrong in it is said by its place. */
function readOwnChains(paths: readonly string[], problems: string[]): readonly Chain[] {
  try {
    return readChainFiles(paths)
  } catch (error) {
    if (!(error instanceof ChainFileError)) throw error
    problems.push(...error.problems.map((problem) => `ASSAY_CHAINS: ${problem}`))
    return []
  }
}

function parseHttpUrls(text: string): readonly string[] | undefined {
  const urls = text.split(',').map((url) => url.trim())
  const isUrl = parseUrlOf(['http:', 'https:'])
  return urls.length <= MAX_URLS && urls.every((url) => isUrl(url) !== undefined) ? Object.freeze(urls) : undefined
}

function parseUrlOf(protocols: readonly string[]): (text: string) => string | undefined {
  return (text) => (URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text : undefined)
}

function parseOrigins(text: string): readonly string[] | undefined {
  const origins = text.split(',').map((origin) => parseOrigin(origin.trim()))
  const known = origins.filter((origin) => origin !== undefined)
  return origins.length <= MAX_URLS && known.length === origins.length ? Object.freeze(known) : undefined
}

function parseOrigin(text: string): string | undefined {
  if (parseUrlOf(['http:', 'https:'])(text) === undefined) return undefined
  const { origin, pathname, search, hash, username } = new URL(text)
  return pathname === '/' && search === '' && hash === '' && username === '' ? origin : undefined
}

function parseSwitch(text: string): boolean | undefined {
  return text === '0' || text === '1' ? text === '1' : undefined
}

function parseLogLevel(text: string): LogLevel | undefined {
  return LOG_LEVELS.find((level) => level === text)
}

function parseAddressRanges(text: string): readonly string[] | undefined {
  const ranges = text.split(',').map((range) => range.trim())
  return ranges.every(isAddressRange) ? Object.freeze(ranges) : undefined
}

function isAddressRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

/** The key itself, as secret stores give it, or the path of its file. */
function parseSigningKey(text: string): string | undefined {
  try {
    const pem = text.startsWith('-----BEGIN ') ? text.replaceAll('\\n', '\n') : readFileSync(text, 'utf8')
    return createPrivateKey(pem).asymmetricKeyType === 'ed25519' ? pem : undefined
  } catch {
    return undefined
  }
}

function readEngineVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return version
}

/**
 * The environment cannot be used. Lists every problem at once, and holds no values: some of them
 * are secrets.
 */
export class ConfigError extends BaseError {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`, {
      docs: 'docs/operating.md',
    })
    this.problems = problems
  }
}

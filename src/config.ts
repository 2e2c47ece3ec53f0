import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Chain } from './chains/chain.js'
import { ChainFileError, readChainFiles } from './chains/chain-file.js'
import { parseWireChainId, SOLANA_ID } from './chains/chain-id.js'
import { type ExampleTarget, parseExamples, WELL_KNOWN_EXAMPLES } from './chains/example-targets.js'
import { withChains } from './chains/index.js'
import { BaseError } from './errors.js'
import { PACKAGE_ROOT } from './package-root.js'
import {
  parseAddressRanges,
  parseBaseUrl,
  parseBotToken,
  parseCount,
  parseHeadAge,
  parseHost,
  parseHttpUrls,
  parseMemory,
  parseOrigins,
  parsePath,
  parsePort,
  parseSender,
  parseSigningKey,
  parseSwitch,
  parseUrlOf,
} from './setting-forms.js'

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
  /** What caches are sized by: megabytes that the process is given. */
  readonly memoryMb: number
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
  /** What the first page offers to look at. */
  readonly examples: readonly ExampleTarget[]
  /** Lets webhooks go to private and loopback addresses. */
  readonly privateWebhooks: boolean
  /** Looks also what transactions that wait would change of watched tokens. */
  readonly looksAtPending: boolean
  /** Of Solana the feed reads whole blocks. */
  readonly feedReadsBlocks: boolean
  /** Ids of the chains whose new markets are followed, and judged. */
  readonly feedChains: readonly number[]
  /** By which alerts go to mailboxes; by none without. */
  readonly mail: MailSettings | undefined
  /** Bot by which alerts go to chats; by none without. */
  readonly telegram: TelegramSettings | undefined
  /** Verdicts whose outcome is looked up later, at a time, besides those of watched tokens. */
  readonly followedVerdicts: number
  /** Version of this package; every report names it. */
  readonly engineVersion: string
}

export interface MailSettings {
  /** `smtp://` or `smtps://`, with the user and the password where the server wants them. */
  readonly url: string
  /** Who the mails are from: an address, or a name and an address in `<>`. */
  readonly from: string
}

export interface TelegramSettings {
  readonly token: string
  /** Without a trailing slash. */
  readonly apiUrl: string
}

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the environment once. Throws one {@link ConfigError} that lists every problem, and never
 * repeats a value in it. What `instead` names stands in place of the same setting.
 */
export function readConfig(env: Environment = process.env, instead: Environment = {}): Config {
  const problems: string[] = []
  const read = <T>(name: string, fallback: T, parse: (text: string) => T | undefined, expected: string): T => {
    const text = (instead[name] ?? env[name])?.trim() ?? ''
    if (text === '') return fallback
    const value = parse(text)
    if (value === undefined) problems.push(`${name} must be ${expected}`)
    return value ?? fallback
  }
  const readUrls = (name: string, fallback: readonly string[]) =>
    read(name, fallback, parseHttpUrls, 'one or more http(s) URLs, separated by commas')

  const smtpUrl = read('ASSAY_SMTP_URL', undefined, parseUrlOf(['smtp:', 'smtps:']), 'an smtp:// or smtps:// URL')
  const mailFrom = read('ASSAY_MAIL_FROM', undefined, parseSender, 'an e-mail address, or a name and <an address>')
  if ((smtpUrl === undefined) !== (mailFrom === undefined))
    problems.push('ASSAY_SMTP_URL and ASSAY_MAIL_FROM must be set together')
  const botToken = read('ASSAY_TELEGRAM_TOKEN', undefined, parseBotToken, 'the token of a bot, digits:letters')
  const botApi = read('ASSAY_TELEGRAM_URL', TELEGRAM_API_URL, parseBaseUrl, 'an http(s) URL')

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
    memoryMb: read('ASSAY_MEMORY_MB', DEFAULT_MEMORY_MB, parseMemory, 'a whole number of megabytes from 128 to 65536'),
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
    otlpEndpoint: read('OTEL_EXPORTER_OTLP_ENDPOINT', undefined, parseBaseUrl, 'an http(s) URL'),
    secondOpinions: read('ASSAY_SECOND_OPINIONS', DEFAULT_SECOND_OPINIONS, parseCount, 'a whole number, or 0 for none'),
    guestChecks: read(
      'ASSAY_GUEST_CHECKS',
      DEFAULT_GUEST_CHECKS,
      parseGuestChecks,
      'a whole number up to 1000, or 0 for none',
    ),
    examples: read(
      'ASSAY_EXAMPLES',
      WELL_KNOWN_EXAMPLES,
      parseExamples(chains),
      'up to six of <chain>:<address>=<name>, separated by commas, or 0 for none',
    ),
    privateWebhooks: read('ASSAY_PRIVATE_WEBHOOKS', false, parseSwitch, '0 or 1'),
    looksAtPending: read('ASSAY_WATCH_PENDING', false, parseSwitch, '0 or 1'),
    feedChains: read('ASSAY_FEED', [], parseChainIds(chains), 'ids of chains, SOL for Solana, separated by commas'),
    feedReadsBlocks: read('ASSAY_FEED_BLOCKS', false, parseSwitch, '0 or 1'),
    mail: smtpUrl === undefined || mailFrom === undefined ? undefined : { url: smtpUrl, from: mailFrom },
    telegram: botToken === undefined ? undefined : { token: botToken, apiUrl: botApi },
    followedVerdicts: read('ASSAY_FOLLOWED_VERDICTS', 0, parseFollowed, 'a whole number up to 20000, or 0 for none'),
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

/** Half a gigabyte: the caches that this service was measured with. */
const DEFAULT_MEMORY_MB = 512

/** So few that a metered node is not paid for it, and a few an hour of a service in use. */
const DEFAULT_SECOND_OPINIONS = 100

/** Enough to see what it is; a wallet signs in for more. */
const DEFAULT_GUEST_CHECKS = 5

/** Each is judged twice more, after 7 and 30 days: some 1,300 analyses a day. */
const MAX_FOLLOWED_VERDICTS = 20_000

/** Each address is remembered with so many times. */
const MAX_GUEST_CHECKS = 1_000

/** Solana's documented public endpoint for mainnet. */
const SOLANA_PUBLIC_RPC_URLS = ['https://api.mainnet-beta.solana.com']

/** Telegram's own; an operator may run one of these servers himself. */
const TELEGRAM_API_URL = 'https://api.telegram.org'

function parseGuestChecks(text: string): number | undefined {
  const count = parseCount(text)
  return count !== undefined && count <= MAX_GUEST_CHECKS ? count : undefined
}

function parseFollowed(text: string): number | undefined {
  const count = parseCount(text)
  return count !== undefined && count <= MAX_FOLLOWED_VERDICTS ? count : undefined
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

const parseChainIds =
  (among: readonly Chain[]) =>
  (text: string): readonly number[] | undefined => {
    const known = [SOLANA_ID, ...among.map(({ id }) => id)]
    const found = text.split(',').map((id) => known.find((each) => each === parseWireChainId(id.trim())))
    const ids = found.filter((id) => id !== undefined)
    return ids.length === found.length ? Object.freeze([...new Set(ids)]) : undefined
  }

function parseLogLevel(text: string): LogLevel | undefined {
  return LOG_LEVELS.find((level) => level === text)
}

function readEngineVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8'))
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

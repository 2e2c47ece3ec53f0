import { readFileSync, statSync } from 'node:fs'
import { BaseError } from '../errors.js'
import type { Address, Hex } from '../hex.js'
import { type Chain, defineChain, hardforks } from './chain.js'
import { type Check, fields, flag, list, oneOf, text, toRecord, whole } from './check-json.js'
import { algebra, type Exchange, slipstream, solidly, uniswapV4, v2, v3 } from './exchanges.js'

/**
 * Reads files of chains that an operator adds as data. Throws {@link ChainFileError} with every
 * problem of all of them, each by its place.
 */
export function readChainFiles(paths: readonly string[]): Chain[] {
  const problems: string[] = []
  const chains = paths.flatMap((path) => parseChains(readText(path, problems), `${path}: `, problems))
  chains.forEach(({ id }, i) => {
    if (chains.findIndex((each) => each.id === id) < i) problems.push(`chain ${id} is named twice`)
  })
  if (problems.length > 0) throw new ChainFileError(problems)
  return chains
}

const MAX_FILE_BYTES = 256 * 1024
const MAX_CHAINS = 32

function readText(path: string, problems: string[]): string | undefined {
  try {
    if (statSync(path).size <= MAX_FILE_BYTES) return readFileSync(path, 'utf8')
    problems.push(`${path}: larger than ${MAX_FILE_BYTES} bytes`)
  } catch {
    problems.push(`${path}: cannot be read`)
  }
  return undefined
}

/** One chain, or a list. */
function parseChains(content: string | undefined, place: string, problems: string[]): Chain[] {
  if (content === undefined) return []
  const own: string[] = []
  const value = parseJson(content, own)
  const chains = Array.isArray(value)
    ? list(chain, MAX_CHAINS)(value, '', own)
    : value === undefined
      ? []
      : [chain(value, '', own)]
  problems.push(...own.slice(0, MAX_PROBLEMS).map((problem) => `${place}${problem}`))
  return own.length > 0 ? [] : chains
}

/** More are not read by a person. */
const MAX_PROBLEMS = 20

function parseJson(content: string, problems: string[]): unknown {
  try {
    return JSON.parse(content)
  } catch (error) {
    // Where, and not what: V8 quotes the text.
    const at = error instanceof Error ? /position \d+( \(line \d+ column \d+\))?/.exec(error.message)?.[0] : undefined
    problems.push(`not JSON${at ? ` at ${at}` : ''}`)
    return undefined
  }
}

const address: Check<Address> = (value, path, problems) =>
  text<Address>(/^0x[0-9a-fA-F]{40}$/, 'an address, 0x and 40 hex digits')(
    value,
    path,
    problems,
  ).toLowerCase() as Address
const hash = text<Hex>(/^0x[0-9a-f]{64}$/, '32 bytes, 0x and 64 lower-case hex digits')
const name = text<string>(/^[\x20-\x7e]{1,40}$/, '1 to 40 printable characters')
const symbol = text<string>(/^[A-Za-z0-9.$-]{1,16}$/, '1 to 16 letters or digits')
const second = whole(0, 10_000_000_000)
const hardfork = oneOf(...hardforks)

const factoryAndRouter = { name, factory: address, router: address }

/** What a deployment of each family says, and what of it follows from the family. */
const FAMILIES: Readonly<Record<Exchange['family'], Check<Exchange>>> = {
  v2: made(
    v2,
    fields(
      { ...factoryAndRouter, initCodeHash: hash, feeBps: whole(0, 1_000) },
      { pairKind: oneOf('uniswap', 'camelot') },
    ),
  ),
  v3: made(
    v3,
    fields(
      { ...factoryAndRouter, quoter: address },
      {
        poolKind: oneOf('uniswap', 'pancakeswap'),
        poolDeployer: address,
        routerTakesDeadline: flag,
        initCodeHash: hash,
        feeTiers: list(whole(1, 1_000_000), 16, 1),
        positionManager: address,
      },
    ),
  ),
  v4: made(
    uniswapV4,
    fields(
      { name, poolManager: address, positionManager: address, router: address },
      {
        permit2: address,
        tiers: list(fields({ fee: whole(0, 1_000_000), tickSpacing: whole(1, 32_767) }, {}), 16, 1),
      },
    ),
  ),
  solidly: made(solidly, fields({ ...factoryAndRouter, poolImplementation: address }, {})),
  slipstream: made(
    slipstream,
    fields({ ...factoryAndRouter, poolImplementation: address, tickSpacings: list(whole(1, 16_384), 16, 1) }, {}),
  ),
  algebra: made(algebra, fields({ ...factoryAndRouter, poolDeployer: address, initCodeHash: hash }, {})),
}

/** The fields that are checked are those that `make` takes. */
function made<T>(make: (deployment: T) => Exchange, check: Check<object>): Check<Exchange> {
  return (value, path, problems) => make(check(value, path, problems) as T)
}

const family = oneOf(...(Object.keys(FAMILIES) as Exchange['family'][]))

const exchange: Check<Exchange> = (value, path, problems) => {
  const { family: named, ...deployment } = toRecord(value) ?? {}
  return FAMILIES[family(named, `${path}.family`, problems)](deployment, path, problems)
}

const token = { symbol, address }

const facts = fields(
  {
    id: whole(1, 2 ** 52),
    name,
    slug: text<string>(/^[a-z0-9-]{1,32}$/, '1 to 32 lower-case letters, digits or dashes'),
    nativeSymbol: symbol,
    blockTimeMs: whole(50, 600_000),
    stack: oneOf('ethereum', 'op', 'own'),
    rpcUrls: list(text<string>(/^https?:\/\/[^\s"'<>]{1,200}$/, 'an http(s) URL'), 16, 1),
    wrappedNative: address,
    watchedTokens: list(fields({ ...token, decimals: whole(0, 36) }, {}), 32, 1),
    exchanges: list(exchange, 32),
    hardforks: list(fields({ name: hardfork, since: second }, {}), hardforks.length, 1),
    /** Where each of these is from, for those who read the file. */
    sources: list(text<string>(/^[^\p{Cc}]{1,400}$/u, 'a line of text'), 64, 1),
  },
  {
    numberSource: oneOf('block', 'l1'),
    numberTimeMs: whole(50, 600_000),
    blobSchedule: list(fields({ since: second, updateFraction: whole(1, 2 ** 40) }, {}), 32),
    engine: fields(
      {},
      { p256: fields({ since: hardfork, gas: whole(1, 100_000) }, {}), maxTransactionGas: whole(21_000, 2 ** 40) },
    ),
    wellKnownTokens: list(fields({ ...token, name }, {}), 64),
  },
)

const chain: Check<Chain> = (value, path, problems) => {
  const before = problems.length
  const read = facts(value, path, problems)
  if (problems.length > before) return read as unknown as Chain
  const { rpcUrls, sources: _, numberSource = 'block', numberTimeMs = read.blockTimeMs, blobSchedule, ...rest } = read
  const at = (field: string) => (path === '' ? field : `${path}.${field}`)
  if (rest.hardforks.some(({ since }, i) => since < (rest.hardforks[i - 1]?.since ?? 0)))
    problems.push(`${at('hardforks')}: expected the oldest first`)
  if (!rest.watchedTokens.some((each) => each.address === rest.wrappedNative))
    problems.push(`${at('watchedTokens')}: expected the wrapped native coin among them`)
  return defineChain({
    ...rest,
    numberSource,
    numberTimeMs,
    defaultRpcUrls: rpcUrls,
    ...(blobSchedule && {
      blobSchedule: blobSchedule.map((each) => ({ ...each, updateFraction: BigInt(each.updateFraction) })),
    }),
  })
}

/** A file of chains cannot be used. Lists every problem by its place, and no values. */
export class ChainFileError extends BaseError {
  override readonly name = 'ChainFileError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`ASSAY_CHAINS cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`, {
      docs: 'docs/chains.md',
    })
    this.problems = problems
  }
}

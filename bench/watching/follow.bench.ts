import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSystemClock } from '../../src/clock.js'
import { type Address, type Hex, toPaddedHex } from '../../src/hex.js'
import type { BlockHeader } from '../../src/rpc/block-header.js'
import type { RpcRequest } from '../../src/rpc/request.js'
import { openDatabase } from '../../src/stores/database.js'
import { createEvmChain } from '../../src/watching/evm-chain.js'
import { createChainFollower } from '../../src/watching/follow-chain.js'
import { createSqlWatchStore } from '../../src/watching/sql-watch-store.js'
import { fillStore } from './watched-tokens.js'

/**
 * `npm run bench:watching`: what following a chain costs when many tokens are watched. Blocks are
 * made up and told as a tracing node tells them, as JSON: most have writes that concern no verdict,
 * some change a word that decides. Prints processor time and requests a block, and whether each
 * planted change was told in its block and nothing else was. Ends with 1 where one was lost, late
 * or false.
 */
const TOKENS = Number(process.env.BENCH_TOKENS ?? 10_000)
const WORDS = 20
const BLOCKS = Number(process.env.BENCH_BLOCKS ?? 200)
/** Writes of a busy block of Ethereum that no verdict stands on. */
const OTHER_WRITES = 2_000
const PLANTED = 500
const CHAIN = 1

const tokenOf = (n: number): Address => toPaddedHex(0x7000_0000n + BigInt(n), 20)
const hashOf = (n: number): Hex => toPaddedHex(BigInt(n) + 1n, 32)
const header = (n: number) => ({ number: BigInt(n), hash: hashOf(n), parentHash: hashOf(n - 1) }) as BlockHeader
const word = (value: bigint | number): Hex => toPaddedHex(BigInt(value), 32)

/** Which tokens a block changes: each token at most once, spread over every fourth block. */
const plantedIn = (block: number) =>
  Array.from({ length: PLANTED }, (_, i) => i).filter(
    (i) => 4 * (1 + ((i * 7) % Math.floor((BLOCKS - 1) / 4))) === block,
  )

let answeredBytes = 0
function answerOf(block: number): unknown {
  const post: Record<string, { storage: Record<string, string> }> = {}
  for (let i = 0; i < OTHER_WRITES; i += 1) {
    // Every tenth is a watched token's own balance, in a slot that no verdict names.
    const account = i % 10 === 0 ? tokenOf((block * 131 + i) % TOKENS) : toPaddedHex(0x9000_0000n + BigInt(i), 20)
    post[account] ??= { storage: {} }
    post[account].storage[word(1_000_000 + block * OTHER_WRITES + i)] = word(i + 1)
  }
  for (const i of plantedIn(block)) {
    const token = tokenOf(i)
    post[token] ??= { storage: {} }
    post[token].storage[word(3)] = word(99)
  }
  const text = JSON.stringify([{ txHash: word(block), result: { pre: {}, post } }])
  answeredBytes += text.length
  return JSON.parse(text)
}

const dataDir = mkdtempSync(join(tmpdir(), 'assay-bench-watching-'))
const db = await openDatabase({ dataDir, databaseUrl: undefined })
try {
  const store = createSqlWatchStore(db)
  const clock = createSystemClock()
  const tokens = Array.from({ length: TOKENS }, (_, n) => tokenOf(n))
  const wordsOf = (address: Address) =>
    Array.from({ length: WORDS }, (_, i) => ({
      ...{ address, slot: BigInt(i), value: 1n, role: i < WORDS / 2 ? ('decides' as const) : ('moves' as const) },
    }))
  await fillStore(db, clock, { chainId: CHAIN, tokens, block: { number: 0n, hash: hashOf(0) }, wordsOf })

  let head = 0
  let requests = 0
  const call = async <T>({ method, params, parse }: RpcRequest<T>): Promise<T> => {
    requests += 1
    const [first] = params as [string]
    if (method === 'eth_getBlockByNumber') return header(first === 'latest' ? head : Number(first)) as T
    return parse(answerOf(Number(BigInt(first)) - 1))
  }
  const readWords = () => Promise.reject(new Error('no words need to be read here'))
  const follower = createChainFollower({
    ...{ chainId: CHAIN, chain: createEvmChain({ rpc: { call }, readWords }), store, holder: 'bench', clock },
  })
  const beganAt = process.cpuUsage()
  await follower.look()
  const indexed = process.cpuUsage(beganAt)

  const quiet: number[] = []
  const busy: number[] = []
  requests = 0
  for (head = 1; head < BLOCKS; head += 1) {
    const before = process.cpuUsage()
    await follower.look()
    const { user, system } = process.cpuUsage(before)
    const ms = (user + system) / 1_000
    ;(plantedIn(head).length === 0 ? quiet : busy).push(ms)
  }
  const told = await db.selectFrom('alerts').select(['address', 'body']).execute()
  const right = told.filter(({ address, body }) => {
    const i = Number(BigInt(address) - 0x7000_0000n)
    const block = Number((JSON.parse(body) as { origin: { block: { number: Hex } } }).origin.block.number)
    return plantedIn(block).includes(i)
  })
  const percentile = (values: readonly number[], share: number) =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]?.toFixed(1) ?? 'none'
  const report = [
    `${TOKENS} watched tokens, ${WORDS} words each, ${BLOCKS - 1} blocks with ${OTHER_WRITES} other writes each`,
    `index made in ${((indexed.user + indexed.system) / 1_000).toFixed(0)} ms of processor time`,
    `requests a block: ${(requests / (BLOCKS - 1)).toFixed(2)}; ${Math.round(answeredBytes / (BLOCKS - 1) / 1_000)} kB of changes a block`,
    `processor time of a block, ms: nothing changes p50 ${percentile(quiet, 0.5)}, p95 ${percentile(quiet, 0.95)}; something changes p50 ${percentile(busy, 0.5)}, p95 ${percentile(busy, 0.95)}`,
    `planted ${PLANTED}, told in their block ${right.length}, false ${told.length - right.length}, of ${OTHER_WRITES * (BLOCKS - 1)} other writes`,
  ]
  process.stdout.write(`${report.join('\n')}\n`)
  if (right.length !== PLANTED || told.length !== PLANTED) process.exitCode = 1
} finally {
  await db.destroy()
  rmSync(dataDir, { recursive: true, force: true })
}

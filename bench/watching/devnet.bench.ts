import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createSystemClock } from '../../src/clock.js'
import { startAnvil } from '../../src/devnet/anvil.js'
import { createDevnetNode } from '../../src/devnet/node.js'
import { type Address, type Hex, toPaddedHex, toQuantity } from '../../src/hex.js'
import type { VerdictDependencies } from '../../src/reports/dependencies.js'
import { createSeededRandom } from '../../src/simulation/random.js'
import { openDatabase } from '../../src/stores/database.js'
import { createTestSchemas, hasPostgres } from '../../test/postgres.js'
import type { LookCost } from './follow-process.js'
import { fillStore } from './watched-tokens.js'

/**
 * `npm run bench:watching:devnet`: a chain of anvil's with a block each two seconds, and many
 * watched tokens. Every second block changes words that verdicts stand on (fee, pause, list, owner,
 * implementation, the pool's coin, a foreign judge's word), and each many that none does, also of
 * watched tokens. With BENCH_KILLS two processes follow, on PostgreSQL or with BENCH_SQLITE=1 on
 * one file, and one of them is killed at random moments. Prints what a block costs where nothing
 * changes and where something does, with all looks since the block before it, how late alerts
 * come, and which were lost, doubled or false; ends with 1 where one was, or where, without
 * kills, one came later than two blocks, blocks in which nothing changes took more than 3 requests
 * on average, or one of them more than 200 ms.
 */
const TOKENS = Number(process.env.BENCH_TOKENS ?? 10_000)
const BLOCKS = Number(process.env.BENCH_BLOCKS ?? 125)
const PLANTED = Number(process.env.BENCH_PLANTED ?? 500)
const KILLS = Number(process.env.BENCH_KILLS ?? 0)
const ON_POSTGRES = KILLS > 0 && process.env.BENCH_SQLITE !== '1'
const BLOCK_MS = 2_000
/** Of a contract that is watched by none, and of watched tokens, in each block. */
const [OTHER_WRITES, OWN_WRITES] = [800, 10]
const OLD_BLOCKS = 80
/** Calls to the node in one request, so that a busy machine answers in time. */
const BATCH = 200
/** What a block may cost in which nothing changes that a verdict stands on. */
const [MAX_REQUESTS, MAX_CPU_MS] = [3, 200]
const CHAIN = 1
const SEED: Hex = `0x${'19'.repeat(32)}`

/** `sstore(calldataload(0), calldataload(32))` */
const SETS = '0x6020355f3555'
/** Writes i + 1 at each i from the first to before the second word of its data. */
const FILLS = '0x5f35602035905b8060010181556001018181106006570000'
const FILLER = toPaddedHex(0x9000_0000n, 20)
const tokenOf = (n: number): Address => toPaddedHex(0x7000_0000n + BigInt(n), 20)
const poolOf = (n: number): Address => toPaddedHex(0x8000_0000n + BigInt(n), 20)
const judgeOf = (n: number): Address => toPaddedHex(0x6000_0000n + BigInt(n % 100), 20)
const word = (value: bigint) => toPaddedHex(value, 32).slice(2)
const OWNER = 0xd4a1_e660_c916_8552_29e1_7120_90cc_fd8a_424a_2e33n

/** What verdicts stand on, and what each kind of change writes there. */
function wordsOf(token: Address, n: number): VerdictDependencies['words'] {
  const own = { address: token, role: 'decides' } as const
  return [
    ...[0n, 1n, 2n, 4n].map((slot) => ({ ...own, slot, value: 1n })),
    { address: token, slot: 3n, value: OWNER, role: 'guards' },
    { address: poolOf(n), slot: 0n, value: 10n ** 20n, role: 'liquidity' },
    { address: judgeOf(n), slot: BigInt(n), value: 1n, role: 'decides' },
    ...Array.from({ length: 13 }, (_, i) => ({ ...own, slot: 100n + BigInt(i), value: 1n, role: 'moves' as const })),
  ]
}
const CHANGES: Record<string, (n: number) => { to: Address; slot: bigint; value: bigint }> = {
  fee: (n) => ({ to: tokenOf(n), slot: 0n, value: 99n }),
  pause: (n) => ({ to: tokenOf(n), slot: 1n, value: 0n }),
  list: (n) => ({ to: tokenOf(n), slot: 2n, value: 7n }),
  owner: (n) => ({ to: tokenOf(n), slot: 3n, value: OWNER ^ 1n }),
  implementation: (n) => ({ to: tokenOf(n), slot: 4n, value: OWNER }),
  liquidity: (n) => ({ to: poolOf(n), slot: 0n, value: 10n ** 18n }),
  judge: (n) => ({ to: judgeOf(n), slot: BigInt(n), value: 0n }),
}

const random = createSeededRandom(SEED)
const below = (label: string, limit: number) => Number(random.between(label, 0n, BigInt(limit) - 1n))
const dataDir = mkdtempSync(join(tmpdir(), 'assay-bench-devnet-'))
const schemas = createTestSchemas('bench_watching')
const databaseUrl = ON_POSTGRES && (await hasPostgres()) ? await schemas.newUrl() : undefined
if (ON_POSTGRES && databaseUrl === undefined) throw new Error('no PostgreSQL; BENCH_SQLITE=1 goes without')
const db = await openDatabase({ dataDir, databaseUrl })
const anvil = await startAnvil({ chainId: CHAIN, gasLimit: 60_000_000n, accountCount: 1 })
const processes: ChildProcess[] = []
let peakRss = 0
/** Blocks that a process went through after its first look, which reads all tokens. */
const costs: { isQuiet: boolean; requests: number; cpuMs: number }[] = []

function startProcess(): ChildProcess {
  const env = {
    ...process.env,
    RPC_URL: anvil.url,
    DATA_DIR: dataDir,
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  }
  const child = fork(resolve(import.meta.dirname, 'follow-process.ts'), { execArgv: ['--import', 'tsx'], env })
  let isCounted = false
  let [requests, cpuMs] = [0, 0]
  child.on('message', (cost: LookCost) => {
    peakRss = Math.max(peakRss, cost.rss)
    ;[requests, cpuMs] = [requests + cost.requests, cpuMs + cost.cpuMs]
    if (cost.blocks === 0) return
    const { blocks, due } = cost
    const each = { isQuiet: due === 0, requests: requests / blocks, cpuMs: cpuMs / blocks }
    if (isCounted) costs.push(...Array.from({ length: blocks }, () => each))
    ;[requests, cpuMs, isCounted] = [0, 0, true]
  })
  return child
}

try {
  const node = createDevnetNode(anvil.url)
  const [from = '0x'] = await node.call<Address[]>('eth_accounts')
  await node.call('evm_setAutomine', false)
  const { hash } = await node.call<{ hash: Hex }>('eth_getBlockByNumber', 'latest', false)
  const block = { number: 0n, hash }
  // So that verdicts are old enough to be followed, and not read again. The node hashes all state
  // in each block, of which there is none yet.
  await node.call('anvil_mine', toQuantity(BigInt(OLD_BLOCKS)))
  const tokens = Array.from({ length: TOKENS }, (_, n) => tokenOf(n))
  const setters = [...tokens, ...tokens.map((_, n) => poolOf(n)), ...Array.from({ length: 100 }, (_, n) => judgeOf(n))]
  for (let at = 0; at < setters.length; at += BATCH)
    await node.batch(setters.slice(at, at + BATCH).map((to) => ({ method: 'anvil_setCode', params: [to, SETS] })))
  await node.call('anvil_setCode', FILLER, FILLS)
  // These are changed to zero, which a node tells by leaving them out.
  const ones = tokens.flatMap((token, n) => [[token, 1n] as const, [judgeOf(n), BigInt(n)] as const])
  for (let at = 0; at < ones.length; at += BATCH) {
    const part = ones.slice(at, at + BATCH)
    const params = part.map(([address, slot]) => [address, toPaddedHex(slot, 32), toPaddedHex(1n, 32)])
    await node.batch(params.map((each) => ({ method: 'anvil_setStorageAt', params: each })))
  }
  await fillStore(db, createSystemClock(), { chainId: CHAIN, tokens, block, wordsOf })
  processes.push(...Array.from({ length: KILLS > 0 ? 2 : 1 }, startProcess))
  // The first look begins at the head, once it has read all tokens.
  const begun = db.selectFrom('watch_chains').selectAll().where('place', '!=', '[]')
  while ((await begun.execute()).length === 0) await wait(100)
  await wait(BLOCK_MS)

  const planted = new Map<Address, { transaction: Hex; kind: string; minedAt: number }>()
  const kinds = Object.keys(CHANGES)
  const send = (to: Address, data: string, gas: bigint) =>
    node.call<Hex>('eth_sendTransaction', { from, to, data: `0x${data}`, gas: toQuantity(gas) })
  let killed = 0
  const killing = (async () => {
    for (; killed < KILLS; killed += 1) {
      await wait(below(`pause ${killed}`, 2 * BLOCK_MS * (BLOCKS / Math.max(1, KILLS))))
      const at = below(`victim ${killed}`, 2)
      processes[at]?.kill('SIGKILL')
      processes[at] = startProcess()
    }
  })()
  for (let n = 0; n < BLOCKS; n += 1) {
    const beganAt = Date.now()
    const first = BigInt(n * OTHER_WRITES)
    await send(FILLER, word(first) + word(first + BigInt(OTHER_WRITES)), 30_000_000n)
    for (let i = 0; i < OWN_WRITES; i += 1) {
      const token = tokenOf(below(`own ${n} ${i}`, TOKENS))
      await send(token, word(1_000_000n + BigInt(n * OWN_WRITES + i)) + word(1n), 60_000n)
    }
    const now: Address[] = []
    while (n % 2 === 1 && planted.size < Math.ceil(((n + 1) * PLANTED) / (BLOCKS - (BLOCKS % 2)))) {
      // Spread over all tokens, each once.
      const at = (planted.size * 7_919) % TOKENS
      const kind = kinds[planted.size % kinds.length] ?? ''
      const { to, slot, value } = CHANGES[kind]?.(at) ?? { to: FILLER, slot: 0n, value: 0n }
      planted.set(tokenOf(at), { transaction: await send(to, word(slot) + word(value), 60_000n), kind, minedAt: 0 })
      now.push(tokenOf(at))
    }
    await node.call('evm_mine')
    const minedAt = Date.now()
    for (const token of now) Object.assign(planted.get(token) ?? {}, { minedAt })
    await wait(Math.max(0, BLOCK_MS - (Date.now() - beganAt)))
  }
  await killing
  // A process that was killed last is replaced after its lease.
  await wait(KILLS > 0 ? 15_000 : 3 * BLOCK_MS)

  const told = await db.selectFrom('alerts').select(['address', 'body', 'at']).execute()
  const lags: number[] = []
  const seen = new Map<string, number>()
  let wrong = 0
  for (const { address, body, at } of told) {
    const plant = planted.get(address as Address)
    const { origin } = JSON.parse(body) as { origin: { transaction: Hex } | null }
    seen.set(address, (seen.get(address) ?? 0) + 1)
    if (plant === undefined || origin?.transaction !== plant.transaction) wrong += 1
    else lags.push((Number(at) - plant.minedAt) / BLOCK_MS)
  }
  const lost = [...planted.keys()].filter((token) => !seen.has(token)).length
  const doubled = [...seen.values()].filter((count) => count > 1).length
  const late = lags.filter((lag) => lag > 2).length
  const placed = (values: readonly number[], share: number, digits: number) =>
    values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]?.toFixed(digits) ??
    'none'
  const at = (share: number) => placed(lags, share, 2)
  const ofCost = (each: typeof costs) => {
    const [asked, took] = [each.map(({ requests }) => requests), each.map(({ cpuMs }) => cpuMs)]
    const mean = asked.reduce((sum, count) => sum + count, 0) / asked.length
    const text = `${asked.length}, ${mean.toFixed(2)} requests each, ${placed(asked, 1, 1)} at most; processor time p50 ${placed(took, 0.5, 1)}, p95 ${placed(took, 0.95, 1)}, at most ${placed(took, 1, 1)} ms`
    return { text, isWithin: mean <= MAX_REQUESTS && Number(placed(took, 1, 1)) <= MAX_CPU_MS }
  }
  const quiet = ofCost(costs.filter(({ isQuiet }) => isQuiet))
  const busy = ofCost(costs.filter(({ isQuiet }) => !isQuiet))
  process.stdout.write(
    [
      `${TOKENS} watched tokens, ${BLOCKS} blocks of ${BLOCK_MS / 1_000} s on ${databaseUrl ? 'PostgreSQL' : 'SQLite'}, ${(OTHER_WRITES + OWN_WRITES) * BLOCKS} writes that no verdict stands on, ${killed} kills`,
      `planted ${planted.size} (${kinds.join(', ')}): told with their transaction ${lags.length}, lost ${lost}, doubled ${doubled}, false ${wrong}`,
      `blocks until told: p50 ${at(0.5)}, p95 ${at(0.95)}, longest ${at(1)}; later than two blocks ${late}`,
      `blocks in which nothing changes: ${quiet.text}`,
      `blocks in which something does: ${busy.text}`,
      `the following process: ${Math.round(peakRss / 1_048_576)} MB at most`,
      '',
    ].join('\n'),
  )
  if (lost + doubled + wrong > 0 || (KILLS === 0 && (late > 0 || !quiet.isWithin))) process.exitCode = 1
} finally {
  for (const child of processes) child.kill('SIGKILL')
  await anvil.stop()
  await db.destroy()
  await schemas.drop()
  rmSync(dataDir, { recursive: true, force: true })
}

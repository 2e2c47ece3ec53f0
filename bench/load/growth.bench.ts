import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generations, readCompiledTraps } from '../../scripts/trap-compilers.js'
import { chains } from '../../src/chains/index.js'
import type { AnalysisTarget } from '../../src/checks/target.js'
import { readConfig } from '../../src/config.js'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.js'
import { type Address, type Hex, toPaddedHex } from '../../src/hex.js'
import { createServices, type OwnedServices } from '../../src/wiring/create-services.js'
import { listAll } from '../../test/traps/trap-market.js'
import { median, report } from '../speed/measure.js'

const ROUNDS = 9
const WARM_UP_ROUNDS = 3
/** Until the code of the engine is compiled. */
const FIRST_ROUNDS = 40
const CODE_KB = [1, 4, 8, 16, 24]
const CALLS = [0, 10, 100, 300]
const KNOWN_TOKENS = [50, 100, 200, 400]
/**
 * An ordinary token; one that reads the clock and never looks at it; one whose fee moves; one that
 * closes later.
 */
const CLOCKS = ['SellLimitTwin', 'BlockDiary', 'DelayedFeeTwin', 'PairSellBlock']
const TRAP_COMPILER = 1
const NOWHERE = 'http://127.0.0.1:1'
const PLACED_AT_ONCE = 50
const FIRST_ADDRESS = 0xc0de0000n
const FIRST_AMOUNT = 10n ** 15n

/**
 * Processor time of one analysis, threads included, as what is analysed grows. State is known, the
 * answer is not.
 */
export async function run(): Promise<void> {
  const devnet = await startDevnet({ chainId: 1, examples: ['taxed'] })
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-growth-'))
  const nodes = Object.fromEntries([...chains.map(({ id }) => id), 'SOL'].map((id) => [`ASSAY_RPC_${id}`, NOWHERE]))
  const config = readConfig({ ...nodes, ASSAY_RPC_1: devnet.url, ASSAY_DATA_DIR: dataDir, ASSAY_LOG_LEVEL: 'fatal' })
  const owned = await createServices(config, { looksAround: false })
  const stage = { devnet, ...owned.checks, close: owned.close }
  try {
    for (let round = 0; round < FIRST_ROUNDS; round += 1) {
      await owned.checks.honeypot(await askFor(devnet, devnet.examples[0]?.targetContractAddress ?? '0x'))
    }
    await growCode(stage)
    await growTrace(stage)
    await growWindows(stage)
    await growTokens(stage)
  } finally {
    await owned.close()
    await devnet.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

type Stage = OwnedServices['checks'] & { devnet: Devnet }
type Analyse = (target: AnalysisTarget) => Promise<object>

let amount = FIRST_AMOUNT

/**
 * Milliseconds of processor time, of this process and its threads. `prepare` comes before each
 * round and does not count.
 */
async function measureCpu(
  analyse: Analyse,
  devnet: Devnet,
  address: Address,
  prepare = async () => {},
): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    await prepare()
    const target = await askFor(devnet, address)
    const start = process.cpuUsage()
    await analyse(target)
    const { user, system } = process.cpuUsage(start)
    if (round >= WARM_UP_ROUNDS) times.push((user + system) / 1_000)
  }
  return median(times)
}

/**
 * At the newest block by its height: the head that requests share may be older than what the bench
 * has just placed.
 */
async function askFor({ chain, node }: Devnet, address: Address): Promise<AnalysisTarget> {
  amount += 1n
  return { chain, address, amount, blockNumber: BigInt(await node.call<Hex>('eth_blockNumber')) }
}

/** Dispatchers of as many functions as fit, each of which writes a slot of its own. */
async function growCode({ devnet, simulation }: Stage): Promise<void> {
  const address = toPaddedHex(FIRST_ADDRESS, 20)
  for (const kilobytes of CODE_KB) {
    let salt = 0
    const place = async () => {
      salt += 1
      const tail = salt.toString(16).padStart(2, '0')
      await devnet.node.call('anvil_setCode', address, `${dispatcherOf(kilobytes * 1_024)}${tail}`)
      await devnet.node.call('evm_mine')
    }
    const ms = await measureCpu(simulation, devnet, address, place)
    report(`code of ${kilobytes} KB, new each time`, ms, 'cpu ms', `${(ms / kilobytes).toFixed(1)} for each KB`)
  }
}

/**
 * `DUP1 PUSH4 selector EQ PUSH2 body JUMPI` for each function, then `STOP`, then `JUMPDEST CALLER
 * PUSH2 slot SSTORE STOP` for each.
 */
function dispatcherOf(bytes: number): Hex {
  const head = '5f3560e01c'
  const entryBytes = 11
  const bodyBytes = 7
  const functions = Math.floor((bytes - head.length / 2 - 1) / (entryBytes + bodyBytes))
  const bodies = head.length / 2 + functions * entryBytes + 1
  const hex = (value: number, length: number) => value.toString(16).padStart(length * 2, '0')
  const all = Array.from({ length: functions }, (_, i) => i)
  const entries = all.map((i) => `8063${hex(0x10000000 + i * 7_919, 4)}1461${hex(bodies + i * bodyBytes, 2)}57`)
  const code = all.map((i) => `5b3361${hex(i, 2)}5500`)
  return `0x${head}${entries.join('')}00${code.join('')}`
}

/** A token that trades, behind a proxy that makes so many calls before it passes each one on. */
async function growTrace({ devnet, simulation }: Stage): Promise<void> {
  const token = devnet.examples[0]?.targetContractAddress ?? '0x'
  const code = await devnet.node.call<Hex>('eth_getCode', token, 'latest')
  const implementation = toPaddedHex(FIRST_ADDRESS - 1n, 20)
  await devnet.node.call('anvil_setCode', implementation, code)
  for (const calls of CALLS) {
    await devnet.node.call('anvil_setCode', token, chattyProxyTo(implementation, calls))
    await devnet.node.call('evm_mine')
    const { trade } = await simulation(await askFor(devnet, token))
    if (!('success' in trade) || !trade.success) throw new Error(`the token with ${calls} calls did not trade`)
    const ms = await measureCpu(simulation, devnet, token)
    report(`${calls} calls in each call of the token`, ms, 'cpu ms')
  }
  await devnet.node.call('anvil_setCode', token, code)
}

/**
 * A loop of `STATICCALL` to the identity precompile; then the calldata goes to the implementation,
 * and its answer back.
 */
function chattyProxyTo(implementation: Address, calls: number): Hex {
  const loop = `61${calls.toString(16).padStart(4, '0')}5b8015601a575f5f5f5f60045afa506001900360035600`
  const pass = `5b50365f5f375f5f365f73${implementation.slice(2)}5af43d5f5f3e603f573d5ffd5b3d5ff3`
  const start = loop.length / 2
  const success = start + pass.length / 2 - 4
  return `0x${loop.replace('601a57', `60${start.toString(16).padStart(2, '0')}57`)}${pass.replace('603f57', `60${success.toString(16)}57`)}`
}

async function growWindows({ devnet, simulation, honeypot }: Stage): Promise<void> {
  const generation = generations[TRAP_COMPILER]
  const codes = generation && readCompiledTraps(generation)
  const offers = CLOCKS.map((name) => ({ name, creationCode: codes?.get(name) ?? '0x', after: [] }) as const)
  const addresses = await listAll(devnet, offers)
  for (const [i, name] of CLOCKS.entries()) {
    const address = addresses[i] ?? '0x'
    const one = await measureCpu(simulation, devnet, address)
    const { inconclusive } = await honeypot(await askFor(devnet, address))
    if (inconclusive !== undefined) throw new Error(`${name}: ${inconclusive}`)
    const windows = await measureCpu(honeypot, devnet, address)
    report(`${name}: now`, one, 'cpu ms')
    report(`${name}: now, in a day, in a week`, windows, 'cpu ms', `${(windows / one).toFixed(1)} times`)
  }
}

/** What a token costs that is known, when so many others are. */
async function growTokens({ devnet, simulation }: Stage): Promise<void> {
  const code = await devnet.node.call<Hex>('eth_getCode', devnet.examples[0]?.targetContractAddress, 'latest')
  const last = KNOWN_TOKENS.at(-1) ?? 0
  const tokens = Array.from({ length: last }, (_, i) => toPaddedHex(FIRST_ADDRESS + 1_000n + BigInt(i), 20))
  for (let at = 0; at < last; at += PLACED_AT_ONCE) {
    const part = tokens.slice(at, at + PLACED_AT_ONCE)
    await devnet.node.batch(
      part.map((token) => ({ method: 'anvil_setCode', params: [token, `${code}${token.slice(2)}`] })),
    )
  }
  await devnet.node.call('evm_mine')
  let known = 0
  for (const count of KNOWN_TOKENS) {
    const start = process.cpuUsage()
    const begun = known
    for (; known < count; known += 1) {
      const address = tokens[known]
      if (address !== undefined) await simulation(await askFor(devnet, address))
    }
    const { user, system } = process.cpuUsage(start)
    report(`a token that is new, after ${begun}`, (user + system) / 1_000 / (count - begun), 'cpu ms')
    const ms = await measureCpu(simulation, devnet, tokens[0] ?? '0x')
    report(
      `a token that is known, after ${count}`,
      ms,
      'cpu ms',
      `${(process.memoryUsage.rss() / 2 ** 20).toFixed(0)} MB resident`,
    )
  }
}

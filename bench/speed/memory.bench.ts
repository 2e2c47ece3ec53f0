import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { checkTrade } from '../../src/checks/trade/check-trade.js'
import { tradePlan } from '../../src/checks/trade/open-state.js'
import { createSystemClock } from '../../src/clock.js'
import { startDevnet } from '../../src/devnet/start-devnet.js'
import { type Address, type Hex, toPaddedHex } from '../../src/hex.js'
import { createRpcClient } from '../../src/rpc/rpc-client.js'
import { createSimulator } from '../../src/simulation/simulator.js'
import { openState } from '../../src/state/rpc-state-source.js'
import { createStateMemory } from '../../src/state/state-memory.js'

const TOKENS = Number(process.env.BENCH_TOKENS ?? 2_000)
/** A measurement after each such part of them. */
const PARTS = 4
const FIRST_ADDRESS = 0xc0de0000n
const PLACED_AT_ONCE = 100
setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/**
 * Judges thousands of tokens, no two with the same code, one after the other, with the caches as
 * large as in service: what the process holds after each quarter. They trade nowhere, so that a run
 * looks at every exchange.
 */
export async function run(): Promise<void> {
  const devnet = await startDevnet({ chainId: 1, examples: ['taxed'] })
  const { chain, node } = devnet
  const code = await node.call<Hex>('eth_getCode', devnet.examples[0]?.targetContractAddress, 'latest')
  const tokens = Array.from({ length: TOKENS }, (_, i): Address => toPaddedHex(FIRST_ADDRESS + BigInt(i), 20))
  for (let at = 0; at < TOKENS; at += PLACED_AT_ONCE) {
    const part = tokens.slice(at, at + PLACED_AT_ONCE)
    await node.batch(part.map((token) => ({ method: 'anvil_setCode', params: [token, `${code}${token.slice(2)}`] })))
  }
  await node.call('evm_mine')

  const clock = createSystemClock()
  const limits = { maxHeadAgeMs: Number.POSITIVE_INFINITY }
  const rpc = createRpcClient({ urls: [devnet.url], chainId: chain.id, clock, limits })
  const memory = createStateMemory({ clock, maxHeadShareMs: 0 })
  const simulator = createSimulator()
  const dependencies = { simulator, clock, traderSecret: Buffer.alloc(32, 1) }
  process.stdout.write('| tokens | in use, MB | resident, MB | states of blocks, MB | code, MB | read sets, MB |\n')
  process.stdout.write('| --- | --- | --- | --- | --- | --- |\n')
  for (const [i, address] of tokens.entries()) {
    if (i % (TOKENS / PARTS) === 0) await node.call('evm_mine')
    const state = await openState({
      suspect: 'chain',
      rpc,
      chain,
      memory,
      plan: tradePlan('simulate', { chain, address }),
    })
    await checkTrade(dependencies, { chain, address }, state)
    if ((i + 1) % (TOKENS / PARTS) === 0) print(i + 1, memory.stats())
  }
  await Promise.all([rpc.close(), simulator.close(), devnet.stop()])
}

function print(tokens: number, stats: { blockBytes: number; codeBytes: number; readSetBytes: number }): void {
  // What finalizers let go of is collected the second time.
  collectGarbage()
  collectGarbage()
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage()
  const { blockBytes, codeBytes, readSetBytes } = stats
  const cells = [heapUsed + arrayBuffers, rss, blockBytes, codeBytes, readSetBytes].map((n) => (n / 1e6).toFixed(1))
  process.stdout.write(`| ${tokens} | ${cells.join(' | ')} |\n`)
}

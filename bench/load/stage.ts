import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generations, readCompiledTraps } from '../../scripts/trap-compilers.js'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.js'
import type { Address, Hex } from '../../src/hex.js'
import { startFaultProxy } from '../../test/fault-proxy/fault-proxy.js'
import { type Limitation, limitedNode } from '../../test/fault-proxy/limited-node.js'
import { listAll } from '../../test/traps/trap-market.js'
import { compileService, issueKeys, type ServiceProcess, startService } from '../service-process.js'
import type { Question } from './lanes.js'

/**
 * The service as it is shipped, compiled and in a process of its own, on a devnet with tokens that
 * trade.
 */
export interface LoadStage {
  service: ServiceProcess
  devnet: Devnet
  /** Each with a pool of its own, and code that differs from the others' in its last bytes. */
  tokens: readonly Address[]
  /**
   * Partner keys with the highest limit there is; a bench that needs more a minute takes turns with
   * them.
   */
  keys: readonly string[]
  stop(): Promise<void>
}

export interface StageOptions {
  tokens: number
  keys: number
  /**
   * Seconds between blocks, as on a live chain; without it no block comes unless the bench mines
   * one.
   */
  blockEverySeconds?: number
  /** Without it, the service asks the chain itself. */
  node?: {
    /** How much later its answers come, as from a node elsewhere. */
    delayMs: number
    /** What it cannot do, as many public nodes. */
    limitations?: readonly Limitation[]
  }
}

/** An ordinary token with fees and a sale of them. */
const TOKEN = 'SwapBack'
const TRAP_COMPILER = 1
/** anvil takes no larger bodies than 2 MB. */
const PLACED_AT_ONCE = 50

export async function startStage({
  tokens: count,
  keys: keyCount,
  blockEverySeconds,
  node,
}: StageOptions): Promise<LoadStage> {
  compileService()
  const devnet = await startDevnet({ chainId: 1, examples: [] })
  const tokens = await placeTokens(devnet, count)
  if (blockEverySeconds !== undefined) await devnet.node.call('evm_setIntervalMining', blockEverySeconds)
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-load-'))
  const keys = await issueKeys(dataDir, keyCount)
  const proxy = node && (await startFaultProxy(devnet.url, node))
  proxy?.inject(...limitedNode(...(node?.limitations ?? [])))
  const service = await startService({ nodes: { 1: proxy?.url ?? devnet.url }, dataDir })
  return {
    service,
    devnet,
    tokens,
    keys,
    async stop() {
      await service.stop()
      await proxy?.close()
      await devnet.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function placeTokens(devnet: Devnet, count: number): Promise<Address[]> {
  const generation = generations[TRAP_COMPILER]
  const creationCode = generation && readCompiledTraps(generation)?.get(TOKEN)
  if (creationCode === undefined) throw new Error('contracts/traps has changed. Run: npm run compile:traps')
  const offers = Array.from({ length: count }, (_, i) => ({ name: `${TOKEN} ${i}`, creationCode, after: [] }))
  const tokens = await listAll(devnet, offers)
  for (let at = 0; at < count; at += PLACED_AT_ONCE) {
    const part = tokens.slice(at, at + PLACED_AT_ONCE)
    const codes = await devnet.node.batch<Hex>(
      part.map((token) => ({ method: 'eth_getCode', params: [token, 'latest'] })),
    )
    await devnet.node.batch(
      part.map((token, i) => ({ method: 'anvil_setCode', params: [token, `${codes[i]}${token.slice(2)}`] })),
    )
  }
  await devnet.node.call('evm_mine')
  return tokens
}

/** The body of a question on a token; another amount is another question. */
export function questionOf(target: string | undefined, { amount, only }: { amount?: bigint; only?: boolean } = {}) {
  const how = { ...(amount && { amount: String(amount) }), ...(only && { only }) }
  return JSON.stringify({ targetContractAddress: target, chainId: 1, ...how })
}

/** Questions that have no answer yet: the tokens and the keys in turn, another amount each time. */
export function askAnew({ tokens, keys }: Pick<LoadStage, 'tokens' | 'keys'>): () => Question {
  const token = inTurn(tokens)
  const key = inTurn(keys)
  return () => {
    lastAmount += 1n
    return { key: key(), body: questionOf(token(), { amount: lastAmount }) }
  }
}

/** No amount comes twice in a process: answers are remembered. */
let lastAmount = 10n ** 15n

/** Takes turns with the members of a list. */
export function inTurn<T>(list: readonly T[]): () => T {
  let turn = 0
  return () => {
    const item = list[turn % list.length]
    if (item === undefined) throw new RangeError('nothing to take turns with')
    turn += 1
    return item
  }
}

import { chains } from '../../src/chains/index.js'
import { createSystemClock } from '../../src/clock.js'
import { createLog } from '../../src/log.js'
import { createRpcClient } from '../../src/rpc/rpc-client.js'
import { openDatabase } from '../../src/stores/database.js'
import { createEvmChain } from '../../src/watching/evm-chain.js'
import { createChainFollower } from '../../src/watching/follow-chain.js'
import { createReadWords } from '../../src/watching/read-words.js'
import { createSqlWatchStore } from '../../src/watching/sql-watch-store.js'

/** What a look of a process cost, as it tells its parent. */
export interface LookCost {
  isHeld: boolean
  /** That it went through. */
  blocks: number
  /** Tokens that they changed. */
  due: number
  requests: number
  /** Of the whole process since the look before. */
  cpuMs: number
  rss: number
}

/**
 * A process that follows a chain as the service does, until it is killed: `devnet.bench.ts` starts
 * and kills it.
 */
const { RPC_URL = '', DATA_DIR = '', DATABASE_URL, CHAIN = '1' } = process.env
const clock = createSystemClock()
const chainId = Number(CHAIN)
const chain = chains.find(({ id }) => id === chainId)
if (!chain) throw new RangeError(`no chain ${chainId}`)
const db = await openDatabase({ dataDir: DATA_DIR, databaseUrl: DATABASE_URL })
const rpc = createRpcClient({
  urls: [RPC_URL],
  chainId,
  clock,
  log: createLog({ level: 'fatal' }),
  limits: { maxHeadAgeMs: Number.POSITIVE_INFINITY },
})
let requests = 0
const call: typeof rpc.call = (...question) => {
  requests += 1
  return rpc.call(...question)
}
const follower = createChainFollower({
  ...{ chainId, store: createSqlWatchStore(db), holder: `process ${process.pid}`, clock },
  chain: createEvmChain({ rpc: { call }, readWords: createReadWords(chain, rpc) }),
})
let before = process.cpuUsage()
for (;;) {
  const { isHeld, blocks, due } = await follower.look().catch((error: unknown) => {
    process.stderr.write(`${error}\n`)
    return { isHeld: false, blocks: 0, due: 0 }
  })
  const { user, system } = process.cpuUsage(before)
  const cost: LookCost = {
    ...{ isHeld, blocks, due, requests },
    cpuMs: (user + system) / 1_000,
    rss: process.memoryUsage().rss,
  }
  process.send?.(cost)
  requests = 0
  before = process.cpuUsage()
  await new Promise((resolve) => setTimeout(resolve, 1_000))
}

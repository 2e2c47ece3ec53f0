import { chains } from '../../src/chains/index.js'
import { createSystemClock } from '../../src/clock.js'
import { createLog } from '../../src/log.js'
import { createRpcClient } from '../../src/rpc/rpc-client.js'
import { openDatabase } from '../../src/stores/database.js'
import { createWatches } from '../../src/watching/create-watches.js'
import { createEvmChain } from '../../src/watching/evm-chain.js'
import { createChainFollower, type Followed } from '../../src/watching/follow-chain.js'
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
 * A process that watches a chain as the service does, with all that goes on beside looking, until
 * it is killed: `devnet.bench.ts` starts and kills it. Judges nothing.
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
const store = createSqlWatchStore(db)
const follower = createChainFollower({
  ...{ chainId, store, holder: `process ${process.pid}`, clock },
  chain: createEvmChain({ rpc: { call }, readWords: createReadWords(chain, rpc) }),
})
let before = process.cpuUsage()
/** Looks, and tells what all of the process has cost since the look before. */
async function look(): Promise<Followed> {
  const followed = await follower.look()
  const { user, system } = process.cpuUsage(before)
  const cost: LookCost = { ...followed, requests, cpuMs: (user + system) / 1_000, rss: process.memoryUsage().rss }
  process.send?.(cost)
  requests = 0
  before = process.cpuUsage()
  return followed
}
createWatches({
  ...{ store, clock, chainIds: [chainId], follow: () => ({ ...follower, look }) },
  // Takes what is due, as it is; what an analysis costs is another thing.
  async judgeAgain() {
    await store.claimDue([chainId], { now: clock.now(), leaseMs: 60_000 })
    return false
  },
  queue: { add: async () => {}, start: () => {}, depth: async () => 0, close: async () => {} },
  work: async () => undefined,
  onFailure: (error) => process.stderr.write(`${error}\n`),
}).start()

import { randomBytes } from 'node:crypto'
import type { Chain } from '../chains/chain.js'
import { createBytecodeJudge } from '../checks/bytecode/bytecode-judge.js'
import { shareJudgements } from '../checks/bytecode/share-judgements.js'
import { createReadTransfers } from '../checks/history/read-transfers.js'
import { createCheckHoneypot } from '../checks/honeypot/check-honeypot.js'
import { createTradeAsked } from '../checks/honeypot/share-asked-trades.js'
import type { JudgedBlocks } from '../checks/judged-blocks.js'
import { createReadShares } from '../checks/liquidity/read-shares.js'
import { createNativeTokenJudge } from '../checks/native-tokens/native-token-judge.js'
import { createReadB20 } from '../checks/native-tokens/read-b20.js'
import { createReadOrigin } from '../checks/origin/read-origin.js'
import { createCheckPhishing } from '../checks/phishing/check-phishing.js'
import { createReadRoleMembers } from '../checks/powers/read-role-members.js'
import { createRecipeMemory } from '../checks/powers/recipe-memory.js'
import { type CheckDependencies, createCheckSimulation } from '../checks/simulation/check-simulation.js'
import type { AnalysisTarget } from '../checks/target.js'
import { createReadMarketHints } from '../checks/trade/read-market-hints.js'
import type { Clock } from '../clock.js'
import type { Address } from '../hex.js'
import type { Log } from '../log.js'
import type { Metrics } from '../metrics/create-metrics.js'
import type { AssessOptions, Checks } from '../reports/assess.js'
import type { RpcClient } from '../rpc/rpc-client.js'
import type { Blame } from '../scheduling/machine-load.js'
import { createNodeEngines } from '../simulation/node-engine/create-node-engines.js'
import type { ReadNotes } from '../simulation/read-notes.js'
import { type RecordedSimulation, recordRuns } from '../simulation/record-runs.js'
import type { SecondOpinions } from '../simulation/second-opinion/create-second-opinions.js'
import { createSimulator, type RunThreads, type Simulator, startRunThreads } from '../simulation/simulator.js'
import { lend } from '../simulation/threads.js'
import { openState } from '../state/rpc-state-source.js'
import type { StateMemory } from '../state/state-memory.js'
import type { Tracing } from '../tracing/create-tracing.js'

export interface EvmChecksOptions {
  /** By chain. */
  rpcClients: ReadonlyMap<number, RpcClient>
  memory: StateMemory
  judged: JudgedBlocks
  clock: Clock
  log: Log
  metrics: Metrics
  tracing: Tracing
  /** Whether the honeypot check looks beyond the trade. */
  looksAround: boolean
  /** Asks nodes about some of the simulations; none without. */
  secondOpinions: SecondOpinions | undefined
  /** Finds out whether a check failed through the machine. */
  blame: Blame
  onStrayError(error: unknown): void
  /** What plays trades and reads codes; threads of its own without. */
  threads?: { trades: RunThreads; codes: RunThreads } | undefined
  /** Told of each simulation once it is over: for an operator who wants to know what it took. */
  onSimulation?: ((simulation: RecordedSimulation) => void) | undefined
}

export interface EvmChecks extends Checks {
  /** What the invented people of this process come from. */
  traderSecret: Uint8Array
  /** Whether what was found at a block holds for the head; see `AssessOptions`. */
  stands: NonNullable<AssessOptions['stands']>
  /** Runs that wait for a thread, and requests that wait for a connection. */
  queued(): number
  /** Lets go of the threads. */
  close(): Promise<void>
}

/** The checks of the chains with an EVM, on the real threads and nodes. */
export function createEvmChecks({
  looksAround,
  secondOpinions,
  onStrayError,
  threads,
  onSimulation,
  ...options
}: EvmChecksOptions): EvmChecks {
  const { rpcClients, clock, log, metrics, tracing, judged } = options
  const record = (made: Simulator) => noteReads(onSimulation ? recordRuns(made, clock, onSimulation) : made, judged)
  const nodeEngines = (chain: Chain) => {
    const rpc = rpcClients.get(chain.id)
    return rpc ? createNodeEngines({ rpc, chain }) : []
  }
  const trades = threads ? lend(threads.trades) : startRunThreads({ onStrayError })
  const ownSimulator = createSimulator({ threads: trades, onStrayError, nodeEngines, secondOpinions })
  const simulator = traceSimulator(record(ownSimulator), tracing)
  const bytecodeJudge = createBytecodeJudge({ threads: threads?.codes, onStrayError, record })
  const apart = createDependencies({ ...options, simulator, bytecodeJudge })
  const dependencies = { ...apart, tradeAsked: createTradeAsked(apart) }
  // A service that is asked nothing needs none; they start while the node tells of the block.
  const beginning =
    <Report>(run: (target: AnalysisTarget) => Promise<Report>) =>
    (target: AnalysisTarget) => {
      trades.begin()
      return run(target)
    }
  const observe = <Report>(check: string, run: (target: AnalysisTarget) => Promise<Report>) =>
    metrics.observe(
      check,
      tracing.observe(`analysis ${check}`, beginning(run), ({ chain }) => ({ 'assay.chain_id': chain.id })),
    )
  const recipes = createRecipeMemory()
  const onSweepFailure = (error: unknown) => log.warn({ error }, 'the powers over a token could not be tried')
  return {
    simulation: observe('simulation', createCheckSimulation(dependencies)),
    honeypot: observe('honeypot', createCheckHoneypot({ ...dependencies, recipes, looksAround, onSweepFailure })),
    phishing: observe('phishing', createCheckPhishing(dependencies)),
    traderSecret: dependencies.traderSecret,
    async stands(target, hash) {
      if (!judged.hasNews(target, hash)) return true
      const { chain, address, caller, signal } = target
      const rpc = clientOf(rpcClients, chain)
      const budget = rpc.createBudget({ signal, caller })
      const head = await openState({ rpc, chain, suspect: address, caller, memory: options.memory, budget })
      return head.block.hash === hash || (await judged.before(target, head)) !== undefined
    },
    queued() {
      const requests = [...rpcClients.values()].reduce((sum, rpc) => sum + rpc.queued(), 0)
      return simulator.queued() + bytecodeJudge.queued() + requests
    },
    async close() {
      await Promise.all([trades.close(), bytecodeJudge.close()])
    },
  }
}

type DependencyParts = Omit<
  EvmChecksOptions,
  'looksAround' | 'secondOpinions' | 'onStrayError' | 'threads' | 'onSimulation'
> &
  Pick<CheckDependencies, 'simulator' | 'bytecodeJudge'>

function createDependencies({
  rpcClients,
  memory,
  judged,
  simulator,
  bytecodeJudge,
  clock,
  log,
  metrics,
  tracing,
  blame,
}: DependencyParts): CheckDependencies {
  const rpcOf = (chain: Chain) => clientOf(rpcClients, chain)
  const readTransfers = tracing.observe('read transfers', createReadTransfers(rpcOf))
  return {
    openState: tracing.observe('open state', async ({ chain, address, blockNumber, isAnew, signal, caller }, plan) => {
      const rpc = rpcOf(chain)
      const budget = rpc.createBudget({ signal, caller })
      const options = { rpc, chain, suspect: address, blockNumber, caller, memory, plan, budget }
      const head = await openState(options)
      const isHead = blockNumber === undefined && !isAnew
      const at = isHead ? await judged.before({ chain, address }, head) : undefined
      return at === undefined ? head : openState({ ...options, at })
    }),
    readTransfers,
    readRoleMembers: tracing.observe('read role members', createReadRoleMembers(rpcOf)),
    readShares: tracing.observe('read shares', createReadShares(rpcOf)),
    readOrigin: tracing.observe('read origin', createReadOrigin(rpcOf)),
    readMarketHints: createReadMarketHints(rpcOf, readTransfers),
    simulator,
    bytecodeJudge: shareJudgements(createNativeTokenJudge(bytecodeJudge, createReadB20(rpcOf))),
    clock,
    blame,
    traderSecret: randomBytes(TRADER_SECRET_BYTES),
    onCheckFailure(check, error) {
      metrics.countExhaustion(check, error)
      metrics.countMachineBusy(check, error)
      log.warn({ check, error }, 'a check failed')
    },
  }
}

const TRADER_SECRET_BYTES = 32

function traceSimulator(simulator: Simulator, tracing: Tracing): Simulator {
  return {
    ...simulator,
    simulate(request) {
      const run = tracing.observe(`simulate ${request.scenario.name}`, () => simulator.simulate(request))
      return run()
    },
  }
}

export function clientOf(rpcClients: EvmChecksOptions['rpcClients'], { id }: Chain): RpcClient {
  const rpc = rpcClients.get(id)
  if (!rpc) throw new RangeError(`no client for chain ${id}`)
  return rpc
}

/** The same simulator, whose runs say what they read of a target. */
const noteReads = (simulator: Simulator, judged: JudgedBlocks): Simulator => ({
  ...simulator,
  simulate(request) {
    const { chain, state } = request
    const { suspect: address } = state
    if (address === 'chain') return simulator.simulate(request)
    const onReads = (notes: ReadNotes) => judged.note({ chain, address: address as Address }, state, notes)
    return simulator.simulate({ ...request, onReads })
  },
})

import type { Clock } from '../../clock.js'
import { readTokenMetadata, type TokenMetadata } from '../../dex/token-metadata.js'
import type { Blame } from '../../scheduling/machine-load.js'
import { createSharedWork } from '../../scheduling/shared-work.js'
import type { Simulator } from '../../simulation/simulator.js'
import type { BytecodeJudge } from '../bytecode/bytecode-judge.js'
import { checkHistory } from '../history/check-history.js'
import type { HistoryReport } from '../history/history-report.js'
import type { ReadTransfers } from '../history/read-transfers.js'
import { describeIdentity } from '../identity/token-identity.js'
import type { ReadShares } from '../liquidity/read-shares.js'
import { nameAtBlock } from '../name-at-block.js'
import type { ReadOrigin } from '../origin/read-origin.js'
import type { ReadRoleMembers } from '../powers/read-role-members.js'
import { isFailed, settle } from '../settle.js'
import type { AnalysisTarget } from '../target.js'
import { checkTrade, type TradeRound } from '../trade/check-trade.js'
import { isBlockGone, type OpenState, tradePlan } from '../trade/open-state.js'
import type { ReadMarketHints } from '../trade/read-market-hints.js'
import type { SimulationChecks } from './simulation-checks.js'

/** What the checks need of the world. */
export interface CheckDependencies {
  openState: OpenState
  readTransfers: ReadTransfers
  readShares: ReadShares
  readRoleMembers?: ReadRoleMembers
  readOrigin?: ReadOrigin
  readMarketHints?: ReadMarketHints
  tradeAsked?: TradeRound
  simulator: Simulator
  bytecodeJudge: BytecodeJudge
  clock: Clock
  /** Finds out whether a check failed through the machine. */
  blame?: Blame
  traderSecret: Uint8Array
  /** Told of each failed check, with everything that the client may not see. */
  onCheckFailure(check: CheckName | 'holders' | 'liquidity' | 'origin', error: unknown): void
}

/**
 * The three checks of one target at one block, side by side; each fails alone. Rejects only when
 * the block cannot be had.
 */
export function createCheckSimulation(
  dependencies: CheckDependencies,
): (target: AnalysisTarget) => Promise<SimulationChecks> {
  const { openState, bytecodeJudge, simulator, onCheckFailure, blame = asItIs } = dependencies
  const tokens = createSharedWork<TokenMetadata>({ maxEntries: MAX_KNOWN, isLasting: () => true })
  const histories = createSharedWork<KnownHistory>({ maxEntries: MAX_KNOWN, isLasting: ({ isWhole }) => isWhole })

  return async (target) => {
    const { chain, address, signal } = target
    const abort = { ...(signal && { signal }) }
    const plan = tradePlan('simulate', target)
    for (let mayMove = target.blockNumber === undefined; ; mayMove = false) {
      const state = await openState(target, plan)
      const failures: { check: CheckName; error: unknown }[] = []
      const tell = followWith(target)
      const alone = <T extends object>(check: CheckName, work: Promise<T>) => {
        const blamed = work.catch((error: unknown): never => {
          throw blame(error, signal)
        })
        return settle(blamed, (error) => void failures.push({ check, error })).then(tell(check))
      }
      const trading = alone('simulate', checkTrade(dependencies, target, state))
      const judgedPool = trading.then((report) => (isFailed(report) ? undefined : report.venue?.pool))
      const name = nameAtBlock(target, state)
      // What the token calls itself only decorates the answer.
      const metadata = tokens
        .get(
          name,
          () => simulator.simulate({ scenario: readTokenMetadata, input: address, chain, state, ...abort }),
          signal,
        )
        .catch(() => undefined)
      const readHistory = async (): Promise<KnownHistory> => {
        const report = await checkHistory(dependencies, target, state, judgedPool, metadata)
        const traded = await trading
        const isPoolKnown = !isFailed(traded) && traded.inconclusive === undefined
        return { report, isWhole: report.success && isPoolKnown && (await metadata) !== undefined }
      }
      const [trade, bytecode, history, said] = await Promise.all([
        trading,
        alone('bytecode', bytecodeJudge.judge({ state, address, chain, ...abort })),
        alone(
          'history',
          histories.get(name, readHistory, signal).then(({ report }) => report),
        ),
        metadata,
      ])
      // A block that was replaced meanwhile is left for the new head, once.
      if (mayMove && failures.some(({ error }) => isBlockGone(error))) continue
      for (const { check, error } of failures) onCheckFailure(check, error)
      const { number, hash, timestamp } = state.block
      const identity = said && describeIdentity({ chain, address }, said)
      return { block: { number, hash, timestamp }, trade, bytecode, history, identity }
    }
  }
}

/** What the logs of a week told; `isWhole`: they would tell others the same. */
interface KnownHistory {
  report: HistoryReport
  isWhole: boolean
}

/** Tokens at a block; a history has some 10 kB. */
const MAX_KNOWN = 128

const asItIs: Blame = (error) => error

type CheckName = 'simulate' | 'bytecode' | 'history'

/** Tells the watcher that the block is pinned, and then of each check that is over. */
function followWith({ onProgress }: AnalysisTarget) {
  onProgress?.({ step: 'block', success: true })
  return (step: CheckName) =>
    <T extends object>(report: T): T => {
      onProgress?.({ step, success: !isFailed(report) })
      return report
    }
}

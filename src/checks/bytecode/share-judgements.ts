import { createSharedWork } from '../../scheduling/shared-work.js'
import type { BytecodeJudge, BytecodeJudgeRequest } from './bytecode-judge.js'
import type { BytecodeReport } from './bytecode-report.js'

/** Codes at a block; a report has some kilobytes. */
const MAX_JUDGED = 256

/**
 * Finds out about a code at a block once for all who ask. What could not be read to its end is
 * found out again, but not by the checks of the same analysis, which have one signal.
 */
export function shareJudgements(judge: BytecodeJudge): BytecodeJudge {
  const judged = createSharedWork<BytecodeReport>({ maxEntries: MAX_JUDGED, isLasting: ({ complete }) => complete })
  const byAnalysis = new WeakMap<AbortSignal, Map<string, Promise<BytecodeReport>>>()
  const judgeOnce = (name: string, request: BytecodeJudgeRequest) =>
    judged.get(name, () => judge.judge(request), request.signal)
  return {
    ...judge,
    judge(request) {
      const { chain, address, state, signal } = request
      const name = `${chain.id} ${state.block.hash} ${address}`
      if (signal === undefined) return judgeOnce(name, request)
      const known = byAnalysis.get(signal) ?? new Map<string, Promise<BytecodeReport>>()
      byAnalysis.set(signal, known)
      const report = known.get(name) ?? judgeOnce(name, request)
      known.set(name, report)
      return report
    },
  }
}

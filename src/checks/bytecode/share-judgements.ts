import type { BytecodeJudge, BytecodeJudgeRequest } from './bytecode-judge.js'
import type { BytecodeReport } from './bytecode-report.js'

/**
 * Lets the checks of one analysis, which have one signal, share what is found out about a code at a
 * block.
 */
export function shareJudgements(judge: BytecodeJudge): BytecodeJudge {
  const byAnalysis = new WeakMap<AbortSignal, Map<string, Promise<BytecodeReport>>>()
  return {
    ...judge,
    judge(request) {
      const { signal } = request
      if (signal === undefined) return judge.judge(request)
      const known = byAnalysis.get(signal) ?? new Map<string, Promise<BytecodeReport>>()
      byAnalysis.set(signal, known)
      const name = nameOf(request)
      const report = known.get(name) ?? judge.judge(request)
      known.set(name, report)
      return report
    },
  }
}

const nameOf = ({ chain, address, state }: BytecodeJudgeRequest) => `${chain.id} ${address} ${state.block.hash}`

import { keepCompiled } from '../../keep-compiled.js'
import type { Inspector, Log } from '../inspector.js'

/** Collects the logs that stand: those of failed frames are dropped, as the chain does. */
export function createLogsInspector(): Inspector<Log[]> {
  const logs: Log[] = []
  /** How many logs there were when each open frame began. */
  const marks: number[] = []
  return keepCompiled('logs', {
    onCall() {
      marks.push(logs.length)
    },
    onCallEnd({ error }) {
      const mark = marks.pop() ?? 0
      if (error !== undefined) logs.length = mark
    },
    onLog(log) {
      logs.push(log)
    },
    finish: () => logs,
  })
}

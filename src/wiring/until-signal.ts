/**
 * Waits for the signal to stop. A second one ends the process at once, for a user who does not want
 * to wait.
 */
export function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      for (const other of SIGNALS) {
        process.removeListener(other, stop)
        process.once(other, () => process.exit(EXIT_AFTER_SIGNAL))
      }
      resolve(signal)
    }
    for (const signal of SIGNALS) process.once(signal, stop)
  })
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const

/** What shells give a process that SIGINT ended. */
const EXIT_AFTER_SIGNAL = 130

import { startLoops, type Turn } from './start-loops.js'

export interface LoopRunner {
  /** Fires when it is closed. */
  readonly signal: AbortSignal
  start(turns: readonly Turn[]): void
  /** Ends all turns, and then does `afterwards`, once; resolves when that is over. */
  close(afterwards: (isStarted: boolean) => Promise<unknown>): Promise<void>
}

/** Loops with an end, for a service that may be closed twice, and before it was started. */
export function createLoopRunner(onFailure: (error: unknown) => void): LoopRunner {
  const controller = new AbortController()
  const { signal } = controller
  let loops: Promise<void> | undefined
  let closed: Promise<void> | undefined
  return {
    signal,
    start(turns) {
      loops = startLoops({ signal, onFailure }, turns)
    },
    close(afterwards) {
      closed ??= (async () => {
        controller.abort()
        await loops
        await afterwards(loops !== undefined)
      })()
      return closed
    },
  }
}

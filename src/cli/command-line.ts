import type { Environment } from '../config.js'

/** What a command may touch of the outside world. */
export interface CommandLine {
  /** Settings instead of the environment's. */
  env?: Environment
  write(text: string): unknown
  writeError(text: string): unknown
  /** Whether what is written goes to a terminal that shows colours. */
  colour?: boolean
  /** Whether a person watches the error output. */
  progress?: boolean
  /** What the command exits with when nothing fails. */
  setExitCode?(code: number): void
  /** Ends what goes on until it is told to stop; the process's signals without it. */
  untilStopped?(): Promise<unknown>
}

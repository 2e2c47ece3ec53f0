import type { Environment } from '../config.js'
import type { ServiceThreads } from '../wiring/create-services.js'

/** What a command may touch of the outside world. */
export interface CommandLine {
  /** Settings instead of the environment's. */
  env?: Environment
  write(text: string): unknown
  writeError(text: string): unknown
  /** All of the standard input, or as much of it as so many characters. */
  readInput?(maxChars: number): Promise<string>
  /** Whether what is written goes to a terminal that shows colours. */
  colour?: boolean
  /** Whether a person watches the error output. */
  progress?: boolean
  /** What the command exits with when nothing fails. */
  setExitCode?(code: number): void
  /** Ends what goes on until it is told to stop; the process's signals without it. */
  untilStopped?(): Promise<unknown>
  /** Threads that run already and outlive the command; it starts its own without. */
  threads?: ServiceThreads
}

import { setTimeout as sleep } from 'node:timers/promises'
import { BaseError } from '../errors.js'
import { untilSignal } from '../wiring/until-signal.js'
import type { CommandLine } from './command-line.js'

/**
 * Looks again and again until it is told to stop, and writes what differs from the last time. A
 * look that fails is said in a line, and followed by the next.
 */
export async function repeat(
  { write, writeError, untilStopped = untilSignal }: CommandLine,
  look: () => Promise<string>,
  seconds: number,
): Promise<void> {
  const controller = new AbortController()
  const { signal } = controller
  void untilStopped().then(() => controller.abort())
  let last: string | undefined
  while (!signal.aborted) {
    try {
      const text = await look()
      if (text !== last) write(text)
      last = text
    } catch (error) {
      if (!(error instanceof BaseError)) throw error
      writeError(`assay: ${error.message}\n`)
    }
    await sleep(seconds * 1_000, undefined, { signal }).catch(() => {})
  }
}

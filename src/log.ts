import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'
import type { LogLevel } from './config.js'
import { BaseError } from './errors.js'
import { toSourceLines } from './source-lines.js'

export type Log = Logger

/**
 * One JSON object per line. What a caller sent (headers, URL, body) is never handed to it, and the
 * usual names of secrets are blanked anyway. Lines that cannot be written wait within a bound, the
 * next ones are lost, and how many is said when there is room again: no log is worth an answer.
 */
export function createLog({ level, destination }: { level: LogLevel; destination?: DestinationStream }): Log {
  if (destination === undefined) return createBoundedLog(level)
  return pino(
    {
      level,
      base: null,
      timestamp: createTimestamp(),
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: describeError },
      redact: { paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`]), censor: '[secret]' },
    },
    destination,
  )
}

/** To standard output. */
function createBoundedLog(level: LogLevel): Log {
  const maxLength = MAX_WAITING_BYTES
  const destination = pino.destination({ sync: false, minLength: WRITE_BYTES, periodicFlush: WRITE_MS, maxLength })
  const log = createLog({ level, destination })
  let lost = 0
  destination.on('drop', () => {
    lost += 1
  })
  // A full disk. Without a listener it would end the process, and the last lines, which are written
  // at the end of it, are tried without end.
  const { flushSync } = destination
  destination.on('error', () => {
    destination.flushSync = () => {}
  })
  // What could not be written was tried again with a later line.
  destination.on('drain', () => {
    destination.flushSync = flushSync
    if (lost === 0) return
    log.warn({ lost }, 'lines of the log were lost')
    lost = 0
  })
  return log
}

/**
 * Some ten thousand lines: a disk that is full for minutes on a quiet service, a reader that hangs
 * for a second on a busy one.
 */
const MAX_WAITING_BYTES = 4 * 1_024 * 1_024

/**
 * A write for each line costs a busy process more than the line. What waits is written when the
 * process ends, unless it is killed outright.
 */
const WRITE_BYTES = 8 * 1_024
/** A person who watches does not notice. */
const WRITE_MS = 100

/** Many lines of a busy process fall into one millisecond; its text is made once. */
function createTimestamp(): () => string {
  let at = 0
  let text = ''
  return () => {
    const now = Date.now()
    if (now !== at) text = `,"time":"${new Date(now).toISOString()}"`
    at = now
    return text
  }
}

const SECRET_NAMES = ['authorization', 'key', 'apiKey', 'cookie', 'signature']

/** The standard form, with our `details` and without a second copy of the message. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) }
  const { stack, type } = stdSerializers.err(error)
  return {
    type,
    stack: stack && toSourceLines(stack),
    ...(error instanceof BaseError && error.details !== undefined && { details: error.details }),
  }
}

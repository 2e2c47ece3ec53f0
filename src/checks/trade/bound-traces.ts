import type { CallFrame, Log } from '../../evm/inspector.js'
import type { Hex } from '../../hex.js'
import type { TraceLength } from '../target.js'
import type { RoundTripFacts } from './round-trip-facts.js'

interface TraceBounds {
  /** Of each input, output and data of a log. */
  pieceBytes: number
  /** Of all calls and of all logs of a report, as characters of JSON. */
  callChars: number
  logChars: number
}

const BOUNDS: Readonly<Record<TraceLength, TraceBounds>> = {
  // Calldata of a routed swap has one to three kilobytes, and the call trees of a whole round trip
  // 100 kB.
  short: { pieceBytes: 4_096, callChars: 512 * 1_024, logChars: 256 * 1_024 },
  // As much as the engine records of one piece. Asked for one report at a time.
  full: { pieceBytes: 64 * 1_024, callChars: 4 * 1_024 * 1_024, logChars: 2 * 1_024 * 1_024 },
}

/** A frame and a log without their data. */
const FRAME_CHARS = 350
const LOG_CHARS = 450

/**
 * The facts with traces cut to their bound, before they leave the thread: hostile code cannot make
 * a report larger than that.
 */
export function boundTraces(facts: RoundTripFacts, length: TraceLength = 'short'): RoundTripFacts {
  const bounds = BOUNDS[length]
  const returned = cut(facts.returnData, bounds.pieceBytes)
  const { logs, areAll } = boundLogs(facts.logs, bounds)
  const { calls, isTruncated } = boundCalls(facts.calls, bounds)
  return {
    ...facts,
    returnData: returned.data,
    ...(returned.bytes !== undefined && { returnDataBytes: returned.bytes }),
    calls,
    logs,
    isTruncated: isTruncated || !areAll || returned.bytes !== undefined,
  }
}

/** Outer frames first, so that what is left out is what lies deepest. */
function boundCalls(roots: readonly CallFrame[], { pieceBytes, callChars }: TraceBounds) {
  const calls: CallFrame[] = []
  let left = callChars
  let isTruncated = false
  const waiting: { frame: CallFrame; parent?: CallFrame }[] = roots.map((frame) => ({ frame }))
  for (const { frame, parent } of waiting) {
    if (left < FRAME_CHARS) {
      isTruncated = true
      if (parent) parent.isTruncated = true
      continue
    }
    const shown = cutFrame(frame, pieceBytes)
    if (shown.isTruncated) isTruncated = true
    left -= FRAME_CHARS + shown.input.length + (shown.output?.length ?? 0) + reasonChars(shown)
    if (parent) parent.calls ??= []
    const siblings = parent?.calls ?? calls
    siblings.push(shown)
    for (const inner of frame.calls ?? []) waiting.push({ frame: inner, parent: shown })
  }
  return { calls, isTruncated }
}

function cutFrame({ calls: _, logs: __, ...frame }: CallFrame, pieceBytes: number): CallFrame {
  const input = cut(frame.input, pieceBytes)
  const output = frame.output === undefined ? undefined : cut(frame.output, pieceBytes)
  const isCut = input.bytes !== undefined || output?.bytes !== undefined
  return {
    inputBytes: input.bytes,
    outputBytes: output?.bytes,
    ...frame,
    input: input.data,
    ...(output && { output: output.data }),
    ...(isCut && { isTruncated: true }),
  }
}

/** At worst each character is written as an escape of six. */
const reasonChars = ({ revertReason = '' }: CallFrame) => revertReason.length * 6

function boundLogs(all: readonly Log[], { pieceBytes, logChars }: TraceBounds) {
  const logs: Log[] = []
  let left = logChars
  let areAll = true
  for (const log of all) {
    if (left < LOG_CHARS) return { logs, areAll: false }
    const { data, bytes } = cut(log.data, pieceBytes)
    left -= LOG_CHARS + data.length
    logs.push(bytes === undefined ? log : { ...log, data, dataBytes: bytes })
    if (bytes !== undefined) areAll = false
  }
  return { logs, areAll }
}

/** The beginning of long data, and how long it was. */
function cut(data: Hex, maxBytes: number): { data: Hex; bytes?: number } {
  const chars = 2 + maxBytes * 2
  if (data.length <= chars) return { data }
  return { data: data.slice(0, chars) as Hex, bytes: (data.length - 2) / 2 }
}

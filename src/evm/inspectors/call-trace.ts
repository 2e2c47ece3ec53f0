import { bytesToHex, toQuantity } from '../../hex.js'
import { faults } from '../faults.js'
import type { CallEndEvent, CallFrame, Inspector } from '../inspector.js'
import { decodeRevertReason } from '../revert-reason.js'

export interface CallTraceOptions {
  /** Adds each frame's logs, as geth's `withLog` does. */
  withLog?: boolean
  /** Bytes of calldata and output kept in all; frames count too. */
  maxBytes?: number
}

/** Call trees of real trades take some 100 KB. */
const MAX_TRACE_BYTES = 4 * 1024 * 1024
/** What a frame costs without its data. */
const FRAME_BYTES = 512
/** What a shortened input keeps: enough to see what was called. */
const SHORT_INPUT_BYTES = 68

export interface CallTraceInspector extends Inspector<CallFrame> {
  /** The trace outgrew its bound: later frames are left out or have their data cut. What the run did is not affected. */
  readonly isTruncated: boolean
}

/**
 * Records the call tree of one transaction exactly as geth's `callTracer` writes it. Watching another transaction begins a new tree.
 *
 * @example
 * const trace = createCallTraceInspector()
 * evm.transact(tx, [trace])
 * const root = trace.finish()
 */
export function createCallTraceInspector({
  withLog = false,
  maxBytes = MAX_TRACE_BYTES,
}: CallTraceOptions = {}): CallTraceInspector {
  let root: CallFrame | undefined
  let open: CallFrame[] = []
  let bytesLeft = maxBytes
  let isTruncated = false
  /** Frames below one that was left out, itself included. */
  let skipped = 0
  let gasLimit = 0n
  /** Logs that stand so far, and how many there were when each open frame began. */
  let logCount = 0
  let logMarks: number[] = []

  const keep = (bytes: Uint8Array, least: number): Uint8Array => {
    const kept = bytes.length <= bytesLeft ? bytes : bytes.subarray(0, least)
    if (kept.length < bytes.length) isTruncated = true
    bytesLeft -= kept.length
    return kept
  }

  return {
    get isTruncated() {
      return isTruncated
    },
    onTransaction(limit) {
      gasLimit = limit
      root = undefined
      open = []
      bytesLeft = maxBytes
      isTruncated = false
      skipped = 0
      logCount = 0
      logMarks = []
    },
    onCall({ kind, from, to, value, gas, input, depth }) {
      logMarks.push(logCount)
      const parent = open.at(-1)
      if (skipped > 0 || (parent !== undefined && bytesLeft < FRAME_BYTES)) {
        skipped += 1
        isTruncated = true
        return
      }
      bytesLeft -= FRAME_BYTES
      const frame: CallFrame = {
        type: kind,
        from,
        to,
        gas: toQuantity(depth === 0 ? gasLimit : gas),
        gasUsed: '0x0',
        input: bytesToHex(keep(input, SHORT_INPUT_BYTES)),
      }
      if (kind !== 'STATICCALL') frame.value = toQuantity(value)
      if (parent === undefined) root = frame
      else if (parent.calls === undefined) parent.calls = [frame]
      else parent.calls.push(frame)
      open.push(frame)
    },
    onCallEnd(event) {
      const mark = logMarks.pop()
      if (event.error !== undefined && mark !== undefined) logCount = mark
      if (skipped > 0) {
        skipped -= 1
        return
      }
      const frame = open.pop()
      if (frame === undefined) return
      frame.gasUsed = toQuantity(event.gasUsed)
      endFrame(frame, event, keep)
    },
    onLog({ address, topics, data }) {
      const index = toQuantity(logCount)
      logCount += 1
      const frame = open.at(-1)
      if (!withLog || frame === undefined || skipped > 0) return
      if (bytesLeft < data.length) {
        isTruncated = true
        return
      }
      bytesLeft -= data.length
      frame.logs ??= []
      frame.logs.push({ address, topics, data, index, position: toQuantity(frame.calls?.length ?? 0) })
    },
    onTransactionEnd({ gasUsed }) {
      if (root === undefined) return
      root.gasUsed = toQuantity(gasUsed)
      if (withLog) dropFailedLogs(root)
    },
    finish() {
      if (root === undefined) throw new Error('the call trace inspector has watched no transaction')
      if (isTruncated) root.isTruncated = true
      return root
    },
  }
}

type Keep = (bytes: Uint8Array, least: number) => Uint8Array

function endFrame(frame: CallFrame, { kind, output, error }: CallEndEvent, keep: Keep): void {
  if (error === undefined) {
    if (output.length > 0) frame.output = bytesToHex(keep(output, 0))
    return
  }
  frame.error = error
  if (kind === 'CREATE' || kind === 'CREATE2') delete frame.to
  if (error !== faults.reverted || output.length === 0) return
  frame.output = bytesToHex(keep(output, 0))
  const reason = decodeRevertReason(frame.output)
  if (reason !== undefined) frame.revertReason = reason
}

/** What a failed frame and those below it have logged never happened. */
function dropFailedLogs(root: CallFrame): void {
  const open: { frame: CallFrame; hasFailed: boolean }[] = [{ frame: root, hasFailed: false }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { frame } = next
    const hasFailed = next.hasFailed || frame.error !== undefined
    if (hasFailed) delete frame.logs
    for (const call of frame.calls ?? []) open.push({ frame: call, hasFailed })
  }
}

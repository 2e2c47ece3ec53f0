import { bytesToHex, toQuantity } from '../../hex.js'
import { faults } from '../faults.js'
import type { CallEndEvent, CallFrame, Inspector } from '../inspector.js'
import { decodeRevertReason } from '../revert-reason.js'

export interface CallTraceOptions {
  /** Adds each frame's logs, as geth's `withLog` does. */
  withLog?: boolean
  /** Bytes of calldata and output kept in all; frames count too. */
  maxBytes?: number
  /** Of one input or output; the beginning of a longer one is kept. */
  maxPieceBytes?: number
}

/** Call trees of real trades take some 100 KB. */
const MAX_TRACE_BYTES = 4 * 1024 * 1024
/**
 * No honest call brings as much; a loop that passes a megabyte around would fill the whole bound
 * with four of them.
 */
const MAX_PIECE_BYTES = 64 * 1024
/** What a frame costs without its data. */
const FRAME_BYTES = 512
/** What is kept when there is no room: enough to see what was called. */
const LEAST_BYTES = { input: 68, output: 0 }

export interface CallTraceInspector extends Inspector<CallFrame> {
  /**
   * The trace outgrew its bound: later frames are left out or have their data cut. What the run did
   * is not affected.
   */
  readonly isTruncated: boolean
}

/**
 * Records the call tree of one transaction exactly as geth's `callTracer` writes it. Watching
 * another transaction begins a new tree.
 *
 * @example
 * const trace = createCallTraceInspector()
 * evm.transact(tx, [trace])
 * const root = trace.finish()
 */
export function createCallTraceInspector({
  withLog = false,
  maxBytes = MAX_TRACE_BYTES,
  maxPieceBytes = MAX_PIECE_BYTES,
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

  const keep = (frame: CallFrame, piece: 'input' | 'output', bytes: Uint8Array) => {
    const whole = Math.min(bytes.length, maxPieceBytes)
    const kept = bytes.subarray(0, whole <= bytesLeft ? whole : LEAST_BYTES[piece])
    bytesLeft -= kept.length
    frame[piece] = bytesToHex(kept)
    if (kept.length === bytes.length) return
    frame[`${piece}Bytes`] = bytes.length
    frame.isTruncated = true
    isTruncated = true
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
        input: '0x',
      }
      keep(frame, 'input', input)
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

type Keep = (frame: CallFrame, piece: 'input' | 'output', bytes: Uint8Array) => void

function endFrame(frame: CallFrame, { kind, output, error }: CallEndEvent, keep: Keep): void {
  if (error === undefined) {
    if (output.length > 0) keep(frame, 'output', output)
    return
  }
  frame.error = error
  if (kind === 'CREATE' || kind === 'CREATE2') delete frame.to
  if (error !== faults.reverted || output.length === 0) return
  keep(frame, 'output', output)
  const reason = decodeRevertReason(frame.output ?? '0x')
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

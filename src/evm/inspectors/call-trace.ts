import { toQuantity } from '../../hex.js'
import { copyInto } from '../../instructions/bytes.js'
import { keepCompiled } from '../../keep-compiled.js'
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
/** What is kept of an input when there is no room: enough to see what was called. */
const LEAST_INPUT_BYTES = 68

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
  let root: KeptFrame | undefined
  let open: KeptFrame[] = []
  let bytesLeft = maxBytes
  let isTruncated = false
  /** Frames below one that was left out, itself included. */
  let skipped = 0
  let gasLimit = 0n
  /** Logs that stand so far, and how many there were when each open frame began. */
  let logCount = 0
  let logMarks: number[] = []
  let written: CallFrame | undefined

  const keep = (bytes: Uint8Array, least: number): Piece => {
    const whole = Math.min(bytes.length, maxPieceBytes)
    const length = whole <= bytesLeft ? whole : Math.min(least, whole)
    bytesLeft -= length
    if (length < bytes.length) isTruncated = true
    const { chunk, at } = copy(bytes, length)
    return { chunk, at, length, of: bytes.length }
  }

  return keepCompiled('call trace', {
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
      written = undefined
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
      const frame: KeptFrame = {
        kind,
        from,
        to,
        value,
        gas: depth === 0 ? gasLimit : gas,
        gasUsed: 0n,
        input: keep(input, LEAST_INPUT_BYTES),
        output: undefined,
        error: undefined,
        calls: undefined,
        logs: undefined,
      }
      if (parent === undefined) root = frame
      else if (parent.calls === undefined) parent.calls = [frame]
      else parent.calls.push(frame)
      open.push(frame)
    },
    onCallEnd({ gasUsed, output, error }) {
      const mark = logMarks.pop()
      if (error !== undefined && mark !== undefined) logCount = mark
      if (skipped > 0) {
        skipped -= 1
        return
      }
      const frame = open.pop()
      if (frame === undefined) return
      frame.gasUsed = gasUsed
      frame.error = error
      if (output.length > 0 && (error === undefined || error === faults.reverted)) frame.output = keep(output, 0)
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
      if (root !== undefined) root.gasUsed = gasUsed
    },
    finish() {
      if (root === undefined) throw new Error('the call trace inspector has watched no transaction')
      if (written !== undefined) return written
      written = writeFrame(root)
      if (withLog) dropFailedLogs(written)
      if (isTruncated) written.isTruncated = true
      return written
    },
  })
}

/** A frame as it was seen: most trees are looked at by no one, so that it is written when asked. */
interface KeptFrame extends Pick<CallEndEvent, 'kind' | 'from' | 'to' | 'value' | 'gas' | 'gasUsed' | 'error'> {
  input: Piece
  output: Piece | undefined
  calls: KeptFrame[] | undefined
  logs: CallFrame['logs'] | undefined
}

/** The beginning of some bytes, copied, and how many they were. */
interface Piece {
  chunk: Buffer
  at: number
  length: number
  of: number
}

/** What traces copy, one piece after the other: some dozen trades' data. */
const CHUNK_BYTES = 64 * 1_024
let chunk = Buffer.alloc(0)
let used = 0

function copy(bytes: Uint8Array, length: number): Pick<Piece, 'chunk' | 'at'> {
  if (used + length > chunk.length) {
    chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, length))
    used = 0
  }
  const at = used
  used += length
  copyInto(chunk, at, bytes, 0, length)
  return { chunk, at }
}

/** Deep as the engine's own bound on nesting at most. */
function writeFrame(kept: KeptFrame): CallFrame {
  const { kind, from, to, value, gas, gasUsed, input, output, error, calls, logs } = kept
  const isFailedCreation = error !== undefined && (kind === 'CREATE' || kind === 'CREATE2')
  const frame: CallFrame = {
    type: kind,
    from,
    ...(!isFailedCreation && { to }),
    gas: toQuantity(gas),
    gasUsed: toQuantity(gasUsed),
    input: '0x',
  }
  writePiece(frame, 'input', input)
  if (kind !== 'STATICCALL') frame.value = toQuantity(value)
  if (logs !== undefined) frame.logs = logs
  if (calls !== undefined) frame.calls = calls.map(writeFrame)
  if (error !== undefined) frame.error = error
  if (output === undefined) return frame
  writePiece(frame, 'output', output)
  const reason = error === undefined ? undefined : decodeRevertReason(frame.output ?? '0x')
  if (reason !== undefined) frame.revertReason = reason
  return frame
}

function writePiece(frame: CallFrame, name: 'input' | 'output', { chunk, at, length, of }: Piece): void {
  frame[name] = `0x${chunk.toString('hex', at, at + length)}`
  if (length === of) return
  frame[`${name}Bytes`] = of
  frame.isTruncated = true
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

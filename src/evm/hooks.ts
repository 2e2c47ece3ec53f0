import type { Address } from '../hex.js'
import type { Word } from '../instructions/word.js'
import { type Frame, NO_BYTES } from './frame.js'
import type { CallEndEvent, CallEvent, CallKind, Inspector, Log } from './inspector.js'
import { StepWindow } from './step-window.js'
import type { TransactionResult } from './transaction.js'

/**
 * All inspectors of a run as the interpreter calls them. A run without inspectors has no `Hooks` at
 * all.
 */
export interface Hooks {
  /**
   * What to call before each opcode; `undefined` if no inspector watches any. The interpreter
   * brings the window up to date first.
   */
  readonly steps: readonly (((event: StepWindow) => void) | undefined)[] | undefined
  readonly window: StepWindow
  transaction(gasLimit: bigint): void
  transactionEnd(result: TransactionResult): void
  call(start: CallStart): void
  /** The end of the call announced last, or of `frame`. */
  callEnd(gasUsed: number, output: Uint8Array, error: string | undefined, frame?: Frame): void
  selfdestruct(frame: Frame, beneficiary: Address, balance: bigint): void
  log(log: Log, depth: number): void
  storageRead: ((frame: Frame, slot: Word, value: Word) => void) | undefined
  storageWrite: ((frame: Frame, slot: Word, value: Word, previous: Word) => void) | undefined
}

export interface CallStart {
  kind: CallKind
  depth: number
  from: Address
  to: Address
  value: Word
  gas: number
  input: Uint8Array
  codeAddress: Address
  isStatic: boolean
}

/** `outermost` is the frame that will step first. */
export function createHooks(inspectors: readonly Inspector[], outermost: Frame): Hooks | undefined {
  if (inspectors.length === 0) return undefined
  const onCall = inspectors.filter(({ onCall }) => onCall !== undefined)
  const onCallEnd = inspectors.filter(({ onCallEnd }) => onCallEnd !== undefined)
  const onLog = inspectors.filter(({ onLog }) => onLog !== undefined)
  const onRead = inspectors.filter(({ onStorageRead }) => onStorageRead !== undefined)
  const onWrite = inspectors.filter(({ onStorageWrite }) => onStorageWrite !== undefined)
  // One event per depth, reused: the end of a frame repeats its start.
  const events: CallEndEvent[] = []
  const eventAt = (depth: number): CallEndEvent => {
    const known = events[depth]
    if (known !== undefined) return known
    const made = createCallEvent()
    events[depth] = made
    return made
  }
  let latest = 0
  const watchesCalls = onCall.length + onCallEnd.length > 0

  const hooks: Hooks = {
    steps: stepsByOpcode(inspectors),
    window: new StepWindow(outermost),
    transaction(gasLimit) {
      for (const inspector of inspectors) inspector.onTransaction?.(gasLimit)
    },
    transactionEnd(result) {
      for (const inspector of inspectors) inspector.onTransactionEnd?.(result)
    },
    call(start) {
      if (!watchesCalls) return
      latest = start.depth
      const event = eventAt(latest)
      event.kind = start.kind
      event.depth = start.depth
      event.from = start.from
      event.to = start.to
      event.value = BigInt(start.value)
      event.gas = BigInt(start.gas)
      event.input = start.input
      event.codeAddress = start.codeAddress
      event.isStatic = start.isStatic
      for (const inspector of onCall) inspector.onCall?.(event as CallEvent)
    },
    callEnd(gasUsed, output, error, frame) {
      if (onCallEnd.length === 0) return
      const event = eventAt(frame?.depth ?? latest)
      event.gasUsed = BigInt(gasUsed)
      event.output = output
      event.error = error
      for (const inspector of onCallEnd) inspector.onCallEnd?.(event)
    },
    selfdestruct(frame, beneficiary, balance) {
      const { self, isStatic } = frame
      const depth = frame.depth + 1
      const none = { gas: 0, input: NO_BYTES, codeAddress: beneficiary, isStatic }
      hooks.call({ kind: 'SELFDESTRUCT', depth, from: self.address, to: beneficiary, value: balance, ...none })
      hooks.callEnd(0, NO_BYTES, undefined)
    },
    log(log, depth) {
      for (const inspector of onLog) inspector.onLog?.(log, depth)
    },
    storageRead:
      onRead.length === 0
        ? undefined
        : (frame, slot, value) => {
            const { depth, pc, self } = frame
            const event = { address: self.address, slot: BigInt(slot), depth, pc, value: BigInt(value) }
            for (const inspector of onRead) inspector.onStorageRead?.(event)
          },
    storageWrite:
      onWrite.length === 0
        ? undefined
        : (frame, slot, value, previous) => {
            const { depth, pc, self } = frame
            const change = { value: BigInt(value), previous: BigInt(previous) }
            const event = { address: self.address, slot: BigInt(slot), depth, pc, ...change }
            for (const inspector of onWrite) inspector.onStorageWrite?.(event)
          },
  }
  return hooks
}

type Step = (event: StepWindow) => void

/**
 * Calls the inspectors' functions directly and without `this`: a step is the most frequent thing
 * there is.
 */
function stepsByOpcode(inspectors: readonly Inspector[]): (Step | undefined)[] | undefined {
  if (inspectors.every(({ onStep }) => onStep === undefined)) return undefined
  const steps = new Array<Step | undefined>(256).fill(undefined)
  let isWatched = false
  for (const { onStep, opcodes = [] } of inspectors) {
    if (onStep === undefined) continue
    for (const opcode of opcodes) {
      isWatched = true
      const first = steps[opcode]
      steps[opcode] = first === undefined ? onStep : both(first, onStep)
    }
  }
  return isWatched ? steps : undefined
}

function both(first: Step, second: Step): Step {
  return (event) => {
    first(event)
    second(event)
  }
}

function createCallEvent(): CallEndEvent {
  return {
    kind: 'CALL',
    depth: 0,
    from: '0x',
    to: '0x',
    value: 0n,
    gas: 0n,
    input: new Uint8Array(0),
    codeAddress: '0x',
    isStatic: false,
    gasUsed: 0n,
    output: new Uint8Array(0),
    error: undefined,
  }
}

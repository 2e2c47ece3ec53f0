import type { Address } from '../hex.js'
import type { Word } from '../instructions/word.js'
import { keepCompiled } from '../keep-compiled.js'
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
  // Runs of one kind have as many inspectors.
  return keepCompiled(`hooks of ${inspectors.length}`, new RunHooks(inspectors, outermost))
}

const NONE: readonly Inspector[] = []

/** A class: a check sends some hundred transactions, each with hooks of its own. */
class RunHooks implements Hooks {
  readonly steps: Hooks['steps']
  readonly window: StepWindow
  readonly storageRead: Hooks['storageRead']
  readonly storageWrite: Hooks['storageWrite']
  private readonly inspectors: readonly Inspector[]
  private readonly onCall: readonly Inspector[]
  private readonly onCallEnd: readonly Inspector[]
  private readonly onLog: readonly Inspector[]
  /** One event per depth, reused: the end of a frame repeats its start. */
  private readonly events: CallEndEvent[] = []
  private latest = 0

  constructor(inspectors: readonly Inspector[], outermost: Frame) {
    const those = (has: (inspector: Inspector) => unknown) =>
      inspectors.some((each) => has(each) !== undefined) ? inspectors.filter((each) => has(each) !== undefined) : NONE
    this.inspectors = inspectors
    this.steps = stepsByOpcode(inspectors)
    this.window = new StepWindow(outermost)
    this.onCall = those(({ onCall }) => onCall)
    this.onCallEnd = those(({ onCallEnd }) => onCallEnd)
    this.onLog = those(({ onLog }) => onLog)
    this.storageRead = readHook(those(({ onStorageRead }) => onStorageRead))
    this.storageWrite = writeHook(those(({ onStorageWrite }) => onStorageWrite))
  }

  transaction(gasLimit: bigint): void {
    for (const inspector of this.inspectors) inspector.onTransaction?.(gasLimit)
  }

  transactionEnd(result: TransactionResult): void {
    for (const inspector of this.inspectors) inspector.onTransactionEnd?.(result)
  }

  call(start: CallStart): void {
    if (this.onCall.length + this.onCallEnd.length === 0) return
    this.latest = start.depth
    const event = this.eventAt(start.depth)
    event.kind = start.kind
    event.depth = start.depth
    event.from = start.from
    event.to = start.to
    event.value = BigInt(start.value)
    event.gas = BigInt(start.gas)
    event.input = start.input
    event.codeAddress = start.codeAddress
    event.isStatic = start.isStatic
    for (const inspector of this.onCall) inspector.onCall?.(event as CallEvent)
  }

  callEnd(gasUsed: number, output: Uint8Array, error: string | undefined, frame?: Frame): void {
    if (this.onCallEnd.length === 0) return
    const event = this.eventAt(frame?.depth ?? this.latest)
    event.gasUsed = BigInt(gasUsed)
    event.output = output
    event.error = error
    for (const inspector of this.onCallEnd) inspector.onCallEnd?.(event)
  }

  selfdestruct(frame: Frame, beneficiary: Address, balance: bigint): void {
    const { self, isStatic } = frame
    const depth = frame.depth + 1
    const none = { gas: 0, input: NO_BYTES, codeAddress: beneficiary, isStatic }
    this.call({ kind: 'SELFDESTRUCT', depth, from: self.address, to: beneficiary, value: balance, ...none })
    this.callEnd(0, NO_BYTES, undefined)
  }

  log(log: Log, depth: number): void {
    for (const inspector of this.onLog) inspector.onLog?.(log, depth)
  }

  private eventAt(depth: number): CallEndEvent {
    const known = this.events[depth]
    if (known !== undefined) return known
    const made = createCallEvent()
    this.events[depth] = made
    return made
  }
}

function readHook(inspectors: readonly Inspector[]): Hooks['storageRead'] {
  if (inspectors.length === 0) return undefined
  return ({ depth, pc, self }, slot, value) => {
    const event = { address: self.address, slot: BigInt(slot), depth, pc, value: BigInt(value) }
    for (const inspector of inspectors) inspector.onStorageRead?.(event)
  }
}

function writeHook(inspectors: readonly Inspector[]): Hooks['storageWrite'] {
  if (inspectors.length === 0) return undefined
  return ({ depth, pc, self }, slot, value, previous) => {
    const change = { value: BigInt(value), previous: BigInt(previous) }
    const event = { address: self.address, slot: BigInt(slot), depth, pc, ...change }
    for (const inspector of inspectors) inspector.onStorageWrite?.(event)
  }
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
    input: NO_BYTES,
    codeAddress: '0x',
    isStatic: false,
    gasUsed: 0n,
    output: NO_BYTES,
    error: undefined,
  }
}

import type { Address } from '../hex.js'
import { type Frame, NO_BYTES } from './frame.js'
import type { CallEndEvent, CallEvent, CallKind, Inspector, Log, StepEvent } from './inspector.js'
import type { TransactionResult } from './transaction.js'
import type { Word } from './word.js'

/** All inspectors of a run as the interpreter calls them. A run without inspectors has no `Hooks` at all. */
export interface Hooks {
  /** 1 for each opcode that somebody watches; `undefined` if nobody watches any. */
  readonly watched: Uint8Array | undefined
  transaction(gasLimit: bigint): void
  transactionEnd(result: TransactionResult): void
  call(start: CallStart): void
  /** The end of the call announced last, or of `frame`. */
  callEnd(gasUsed: number, output: Uint8Array, error: string | undefined, frame?: Frame): void
  selfdestruct(frame: Frame, beneficiary: Address, balance: bigint): void
  log(log: Log, depth: number): void
  storageRead: ((frame: Frame, slot: Word, value: Word) => void) | undefined
  storageWrite: ((frame: Frame, slot: Word, value: Word, previous: Word) => void) | undefined
  step(frame: Frame, opcode: number): void
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

export function createHooks(inspectors: readonly Inspector[]): Hooks | undefined {
  if (inspectors.length === 0) return undefined
  const onCall = inspectors.filter(({ onCall }) => onCall !== undefined)
  const onCallEnd = inspectors.filter(({ onCallEnd }) => onCallEnd !== undefined)
  const onLog = inspectors.filter(({ onLog }) => onLog !== undefined)
  const onRead = inspectors.filter(({ onStorageRead }) => onStorageRead !== undefined)
  const onWrite = inspectors.filter(({ onStorageWrite }) => onStorageWrite !== undefined)
  const steppers = watchersByOpcode(inspectors)
  const step = createStepEvent()
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

  const hooks: Hooks = {
    watched: steppers && Uint8Array.from(steppers, (watchers) => (watchers === undefined ? 0 : 1)),
    transaction(gasLimit) {
      for (const inspector of inspectors) inspector.onTransaction?.(gasLimit)
    },
    transactionEnd(result) {
      for (const inspector of inspectors) inspector.onTransactionEnd?.(result)
    },
    call(start) {
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
    step(frame, opcode) {
      step.show(frame, opcode)
      const watchers = steppers?.[opcode]
      if (watchers === undefined) return
      for (let index = 0; index < watchers.length; index += 1) watchers[index]?.onStep?.(step.event)
    },
  }
  return hooks
}

function watchersByOpcode(inspectors: readonly Inspector[]): (Inspector[] | undefined)[] | undefined {
  const watching = inspectors.filter(({ onStep, opcodes = [] }) => onStep !== undefined && opcodes.length > 0)
  if (watching.length === 0) return undefined
  return Array.from({ length: 256 }, (_, opcode) => {
    const interested = watching.filter(({ opcodes }) => opcodes?.includes(opcode))
    return interested.length === 0 ? undefined : interested
  })
}

/** The one step event of a run, a window on the frame it was last shown. */
function createStepEvent(): { event: StepEvent; show(frame: Frame, opcode: number): void } {
  let current: Frame | undefined
  let currentOpcode = 0
  const frame = (): Frame => {
    if (current === undefined) throw new Error('a step event was read outside of a step')
    return current
  }
  return {
    show(shown, opcode) {
      current = shown
      currentOpcode = opcode
    },
    event: {
      get pc() {
        return frame().pc
      },
      get opcode() {
        return currentOpcode
      },
      get depth() {
        return frame().depth
      },
      get gas() {
        return BigInt(frame().gas)
      },
      get address() {
        return frame().self.address
      },
      get codeAddress() {
        return frame().codeAddress
      },
      stack: (index) => BigInt(frame().stack[frame().height - 1 - index] ?? 0),
      stackWord: (index) => frame().stack[frame().height - 1 - index] ?? 0,
      stackLength: () => frame().height,
    },
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

import { addressAt, type SolanaAddress } from '../address.js'
import type { CompiledTransaction } from '../message.js'
import type { LiteSvmModule } from './load-litesvm.js'
import { INSTRUCTION_ERRORS, TRANSACTION_ERRORS } from './runtime-errors.js'

/** What a transaction did. */
export interface TransactionResult {
  ok: boolean
  /** `undefined` when it went through. */
  error: TransactionFailure | undefined
  /** Compute units. */
  units: bigint
  /** What the payer was charged for it, besides what it did. */
  feeLamports: bigint
  logs: readonly string[]
  /** Calls of programs by programs, by place of the instruction that led to them. */
  inner: readonly InnerCall[]
  /**
   * The data of an account as the transaction left it; `undefined` when it failed or the account is
   * gone. Of a simulation only.
   */
  after(address: SolanaAddress): Uint8Array | undefined
  lamportsAfter(address: SolanaAddress): bigint | undefined
}

export interface TransactionFailure {
  /**
   * Place of the instruction among those that were asked for; `undefined` when none is to blame.
   */
  instruction: number | undefined
  /** The runtime's word (`Custom`, `ProgramFailedToComplete`, …). */
  name: string
  /** The program's own number, with `Custom`. */
  code: number | undefined
}

export interface InnerCall {
  /** Place of the outer instruction among those that were asked for. */
  instruction: number
  program: SolanaAddress
  data: Uint8Array
  accounts: readonly SolanaAddress[]
  /** 2 for a call by the instruction's own program. */
  stackHeight: number
}

/** Calls of one transaction that are kept; the runtime allows 64. */
const MAX_INNER_CALLS = 64

type Outcome = ReturnType<InstanceType<LiteSvmModule['LiteSvm']>['simulateLegacyTransaction' | 'sendLegacyTransaction']>

/**
 * Reads the machine's answer. `hidden` instructions before those that were asked for are not
 * counted.
 */
export function readResult(
  native: LiteSvmModule,
  outcome: Outcome,
  { accounts }: CompiledTransaction,
  { hidden, priorityLamports }: { hidden: number; priorityLamports: bigint },
): TransactionResult {
  const isFailure = outcome instanceof native.FailedTransactionMetadata
  const isSimulation = outcome instanceof native.SimulatedTransactionInfo
  const meta = isFailure || isSimulation ? outcome.meta() : outcome
  const changed = () => (isSimulation ? readAccounts(outcome) : new Map())
  let after: ReturnType<typeof readAccounts> | undefined
  const accountAfter = (address: SolanaAddress) => {
    after ??= changed()
    return after.get(address)
  }
  return {
    ok: !isFailure,
    error: isFailure ? readFailure(native, outcome.err(), hidden) : undefined,
    units: meta.computeUnitsConsumed(),
    feeLamports: SIGNATURE_LAMPORTS + priorityLamports,
    logs: meta.logs(),
    inner: meta
      .innerInstructions()
      .flatMap((calls, instruction) => calls.map((call) => readInner(call, instruction - hidden, accounts)))
      .slice(0, MAX_INNER_CALLS),
    after: (address) => accountAfter(address)?.data(),
    lamportsAfter: (address) => accountAfter(address)?.lamports(),
  }
}

function readAccounts(outcome: InstanceType<LiteSvmModule['SimulatedTransactionInfo']>) {
  return new Map(outcome.postAccounts().map((entry) => [addressAt(entry.address), entry.account()]))
}

/** Of a transaction with one signature. */
const SIGNATURE_LAMPORTS = 5_000n

type NativeError = ReturnType<InstanceType<LiteSvmModule['FailedTransactionMetadata']>['err']>

function readFailure(native: LiteSvmModule, error: NativeError, hidden: number): TransactionFailure {
  if (error instanceof native.TransactionErrorInstructionError) {
    const inner = error.err()
    const instruction = error.index - hidden
    if (inner instanceof native.InstructionErrorCustom) return { instruction, name: 'Custom', code: inner.code }
    const name = typeof inner === 'number' ? INSTRUCTION_ERRORS[inner] : undefined
    return { instruction, name: name ?? 'BorshIoError', code: undefined }
  }
  const name =
    typeof error === 'number' ? TRANSACTION_ERRORS[error] : error.constructor.name.replace('TransactionError', '')
  return { instruction: undefined, name: name ?? 'Unknown', code: undefined }
}

type NativeCall = ReturnType<InstanceType<LiteSvmModule['TransactionMetadata']>['innerInstructions']>[number][number]

function readInner(call: NativeCall, instruction: number, accounts: readonly SolanaAddress[]): InnerCall {
  const compiled = call.instruction()
  const at = (index: number) => accounts[index] ?? addressAt(new Uint8Array(32))
  return {
    instruction,
    program: at(compiled.programIdIndex()),
    data: compiled.data(),
    accounts: [...compiled.accounts()].map(at),
    stackHeight: call.stackHeight(),
  }
}

import { addressAt, addressBytes, type SolanaAddress } from '../address.js'
import type { CompiledTransaction } from '../message.js'
import type { InnerCall, TransactionFailure, TransactionResult } from '../transaction-result.js'
import type { LiteSvmModule } from './load-litesvm.js'
import { INSTRUCTION_ERRORS, TRANSACTION_ERRORS } from './runtime-errors.js'

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
  { accounts, writable }: CompiledTransaction,
  { hidden, priorityLamports }: { hidden: number; priorityLamports: bigint },
): TransactionResult {
  const isFailure = outcome instanceof native.FailedTransactionMetadata
  const isSimulation = outcome instanceof native.SimulatedTransactionInfo
  const meta = isFailure || isSimulation ? outcome.meta() : outcome
  let after: PostAccounts | undefined
  let logs: readonly string[] | undefined
  let inner: readonly InnerCall[] | undefined
  const accountAfter = (address: SolanaAddress) => {
    if (!isSimulation) return undefined
    after ??= outcome.postAccounts()
    const bytes = addressBytes(address)
    // They come in the transaction's order; each address that is looked at is an object of its own.
    const likely = after[placeAmong(accounts, writable, address)]
    return (isOf(bytes, likely) ? likely : after.find((entry) => isOf(bytes, entry)))?.account()
  }
  return {
    ok: !isFailure,
    error: isFailure ? readFailure(native, outcome.err(), hidden) : undefined,
    units: meta.computeUnitsConsumed(),
    feeLamports: SIGNATURE_LAMPORTS + priorityLamports,
    // Copied out of the machine when they are looked at: for most transactions they are not.
    get logs() {
      logs ??= meta.logs()
      return logs
    },
    get inner() {
      inner ??= meta
        .innerInstructions()
        .flatMap((calls, instruction) => calls.map((call) => readInner(call, instruction - hidden, accounts)))
        .slice(0, MAX_INNER_CALLS)
      return inner
    },
    after: (address) => accountAfter(address)?.data(),
    lamportsAfter: (address) => accountAfter(address)?.lamports(),
  }
}

/** Which of the accounts that may be written it is. */
function placeAmong(
  accounts: readonly SolanaAddress[],
  writable: ReadonlySet<SolanaAddress>,
  address: SolanaAddress,
): number {
  let place = 0
  for (const each of accounts) {
    if (each === address) return place
    if (writable.has(each)) place += 1
  }
  return place
}

const isOf = (bytes: Uint8Array, entry: PostAccounts[number] | undefined) =>
  entry !== undefined && Buffer.compare(entry.address, bytes) === 0

type PostAccounts = ReturnType<InstanceType<LiteSvmModule['SimulatedTransactionInfo']>['postAccounts']>

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

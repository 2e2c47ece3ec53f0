import type { CallFrame, Inspector, Log } from '../../evm/inspector.js'
import { createBalanceChangesInspector } from '../../evm/inspectors/balance-changes.js'
import { createCallTraceInspector } from '../../evm/inspectors/call-trace.js'
import { createLogsInspector } from '../../evm/inspectors/logs.js'
import { createStorageAccessInspector, type StorageAccess } from '../../evm/inspectors/storage-access.js'
import type { TransactionResult } from '../../evm/transaction.js'
import type { Address, Hex } from '../../hex.js'
import { branch, sendAs } from '../../simulation/fork-verbs.js'
import type { Fork } from '../../simulation/scenario.js'
import type { ReachedCalls } from './reached-calls.js'

/** One call that is tried on the fork. */
export interface Attempt {
  from: Address
  to: Address
  data: Hex
  /** Wei. */
  value?: bigint
}

/** What a call did, before it was undone. */
export interface Outcome {
  success: boolean
  /** What the code said when it refused; untrusted. */
  reason: string | undefined
  trace: CallFrame
  /** Empty unless the call succeeded. */
  logs: readonly Log[]
  /** Wei by account, without fees. */
  native: ReadonlyMap<Address, bigint>
  /** What `Transfer` events claim, by token and holder. */
  tokens: ReadonlyMap<Address, ReadonlyMap<Address, bigint>>
  storage: StorageAccess
}

/** Enough for a batch of transfers; a loop without end costs no more than this. */
export const CALL_GAS = 1_200_000n
/** 0.7 gwei: what a wallet suggests on a quiet day. */
const TIP_PER_GAS = 700_000_000n
/** Wei left in the wallet besides what is sent and the gas: an ordinary purse. */
const SPARE_WEI = 1_370_000_000_000_000_000n

/**
 * Tries a call as any account on the fork and takes everything back. `then` looks at the world that
 * the call left. An account with code cannot send a transaction; its call is made as by its code.
 */
export function play(
  fork: Fork,
  attempt: Attempt,
  { reached, then = () => {} }: { reached?: ReachedCalls; then?: (() => void) | undefined } = {},
): Outcome {
  const trace = createCallTraceInspector()
  const logs = createLogsInspector()
  const balances = createBalanceChangesInspector()
  const storage = createStorageAccessInspector()
  const watch = [trace, logs, balances, storage, ...(reached ? [reached.watch()] : [])]
  const sending = { ...attempt, gasLimit: CALL_GAS, tipPerGas: TIP_PER_GAS, spareWei: SPARE_WEI }
  const result = branch(fork, () => {
    const played = canSend(fork, attempt.from) ? sendAs(fork, sending, watch) : actAs(fork, attempt, watch)
    then()
    return played
  })
  const success = result.status === 'success'
  const { native, tokens } = balances.finish()
  return {
    success,
    reason: result.revertReason,
    trace: trace.finish(),
    logs: success ? logs.finish() : [],
    native,
    tokens,
    storage: storage.finish(),
  }
}

/** As a contract makes the call, with what it sends. */
function actAs({ evm }: Fork, { value = 0n, ...call }: Attempt, watch: readonly Inspector[]): TransactionResult {
  evm.setBalance(call.from, value + SPARE_WEI)
  return evm.act({ ...call, value }, watch)
}

const DESIGNATOR_BYTES = 23

/**
 * EIP-3607, with EIP-7702's exception: an account that has code sends nothing, unless the code is a
 * delegation.
 */
function canSend({ evm }: Fork, address: Address): boolean {
  const code = evm.code(address)
  return code.length === 0 || (code.length === DESIGNATOR_BYTES && code[0] === 0xef)
}

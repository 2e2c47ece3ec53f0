import type { Inspector, Log } from '../../evm/inspector.js'
import { createBalanceChangesInspector } from '../../evm/inspectors/balance-changes.js'
import { createLogsInspector } from '../../evm/inspectors/logs.js'
import { createStorageAccessInspector, type StorageAccess } from '../../evm/inspectors/storage-access.js'
import type { TransactionResult } from '../../evm/transaction.js'
import { InvalidTransactionError } from '../../evm/transaction-validity.js'
import { type Address, hexToBytes, toPaddedHex } from '../../hex.js'
import type { SeededRandom } from '../../simulation/random.js'
import type { Fork } from '../../simulation/scenario.js'
import { assemble } from '../../state/assemble.js'
import type { PlannedCall } from './signed-intent.js'

/** What one call of an account left on the fork. */
export interface Acted {
  success: boolean
  /** What the code said when it refused; untrusted. */
  errorReason: string
  logs: readonly Log[]
  /** Wei by account, without fees. */
  native: ReadonlyMap<Address, bigint>
  /** What `Transfer` events claim, by token and holder. */
  tokens: ReadonlyMap<Address, ReadonlyMap<Address, bigint>>
  writes: StorageAccess['writes']
}

/** A batch of swaps; no chain's transaction may have much more (EIP-7825). */
const GAS_LIMIT = 12_000_000n
const DESIGNATOR_BYTES = 23

/**
 * Has an account make a call with the coins it has, and leaves what came of it on the fork. Gas is
 * lent. An account with code (a Safe, an entry point) makes it as its own code would.
 */
export function actAsAccount(fork: Fork, random: SeededRandom, call: PlannedCall & { from: Address }): Acted {
  const logs = createLogsInspector()
  const balances = createBalanceChangesInspector()
  const storage = createStorageAccessInspector()
  const watch = [logs, balances, storage]
  const code = fork.evm.code(call.from)
  const isPlain = code.length === 0 || (code.length === DESIGNATOR_BYTES && code[0] === 0xef)
  const result = isPlain && !call.isDelegated ? send(fork, call, watch) : actAsCode(fork, random, call, watch)
  const success = result.status === 'success'
  const { native, tokens } = balances.finish()
  return {
    success,
    errorReason: success ? '' : (result.revertReason ?? result.error ?? 'execution reverted'),
    logs: success ? logs.finish() : [],
    native,
    tokens,
    writes: storage.finish().writes,
  }
}

type Played = Pick<TransactionResult, 'status' | 'revertReason' | 'error'>

function send(
  { evm }: Fork,
  { from, to, data, value }: Pick<PlannedCall, 'to' | 'data' | 'value'> & { from: Address },
  watch: readonly Inspector[],
): Played {
  const maxFeePerGas = 2n * evm.block.baseFeePerGas
  evm.setBalance(from, evm.account(from).balance + GAS_LIMIT * maxFeePerGas)
  try {
    return evm.transact({ from, to, data, value, gasLimit: GAS_LIMIT, maxFeePerGas, maxPriorityFeePerGas: 0n }, watch)
  } catch (error) {
    // More coins than there are is the wallet's affair, as everywhere.
    if (error instanceof InvalidTransactionError) return { status: 'halt', error: error.shortMessage }
    throw error
  }
}

/**
 * While the call is made, the account's own code lies elsewhere and is still run for all callers
 * but the one that stands for the account's master.
 */
function actAsCode(
  fork: Fork,
  random: SeededRandom,
  { from, to, value, data, isDelegated }: PlannedCall & { from: Address },
  watch: readonly Inspector[],
): Played {
  const { evm } = fork
  const [hand, shelf] = [random.address('hand of the account'), random.address('code of the account')]
  evm.addStranger(hand)
  evm.addStranger(shelf)
  const code = evm.code(from)
  evm.setCode(shelf, code)
  evm.setCode(from, relay({ hand, shelf, to, value, isDelegated }))
  const played = send(fork, { from: hand, to: from, data, value: 0n }, watch)
  evm.setCode(from, code)
  return played
}

interface Relay {
  /** The account that the call is made for. */
  hand: Address
  /** Where the account's own code lies. */
  shelf: Address
  to: Address
  value: bigint
  isDelegated: boolean
}

function relay({ hand, shelf, to, value, isDelegated }: Relay): Uint8Array {
  const call = isDelegated ? `#73${to.slice(2)} GAS #f4` : `${word(value)} #73${to.slice(2)} GAS CALL`
  return hexToBytes(
    assemble(`
      CALLDATASIZE 0x0 0x0 CALLDATACOPY
      0x0 0x0 CALLDATASIZE 0x0
      CALLER #73${hand.slice(2)} EQ @act JUMPI
      #73${shelf.slice(2)} GAS #f4 @end JUMP
      act: ${call}
      end: RETURNDATASIZE 0x0 0x0 #3e
      @good JUMPI
      RETURNDATASIZE 0x0 #fd
      good: RETURNDATASIZE 0x0 RETURN`),
  )
}

/** PUSH32 */
const word = (value: bigint) => `#7f${toPaddedHex(value, 32).slice(2)}`

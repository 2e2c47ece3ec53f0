import type { Inspector, Log } from '../../evm/inspector.js'
import { createStorageAccessInspector, type StorageAccess } from '../../evm/inspectors/storage-access.js'
import { type Address, EMPTY_CODE_HASH } from '../../hex.js'
import type { Fork } from '../../simulation/scenario.js'
import { forwarderTo } from './hostile-code.js'
import type { ProofStep } from './power.js'

/** What a holder's call did. */
export interface Acted {
  success: boolean
  writes: StorageAccess['writes']
  logs: readonly Log[]
  gasUsed: bigint
  /** Geth's words for the failure; empty on success. */
  error: string
}

/**
 * Setting a fee takes thirty thousand; airdrops and upgrades take more. Endless code is stopped
 * early.
 */
const GAS_LIMIT = 2_000_000n
/** Wei per gas, on top of the base fee. */
const TIP = 1_000_000_000n

/**
 * Sends `step` as its sender and leaves on the fork what it did. A sender with code of its own (a
 * multisig, a timelock) gets code that passes the call on, sent by `operator`: so the token sees
 * that sender, and an origin other than it.
 */
export function actAs(
  fork: Fork,
  { from, to, input, value = 0n }: ProofStep,
  operator: Address,
  watch: readonly Inspector[] = [],
): Acted {
  const { evm } = fork
  const access = createStorageAccessInspector()
  const isContract = evm.account(from).codeHash !== EMPTY_CODE_HASH && !isDesignator(evm.code(from))
  if (isContract) evm.setCode(from, forwarderTo(to))
  const sender = isContract ? operator : from
  evm.setBalance(sender, evm.account(sender).balance + value + GAS_LIMIT * (2n * evm.block.baseFeePerGas + TIP))
  const result = evm.transact(
    {
      from: sender,
      to: isContract ? from : to,
      data: input,
      value,
      gasLimit: GAS_LIMIT,
      maxFeePerGas: 2n * evm.block.baseFeePerGas + TIP,
      maxPriorityFeePerGas: TIP,
    },
    [access, ...watch],
  )
  const success = result.status === 'success'
  return {
    success,
    writes: access.finish().writes,
    logs: result.logs,
    gasUsed: result.gasUsed,
    error: success ? '' : (result.revertReason ?? result.error ?? 'execution failed'),
  }
}

const isDesignator = (code: Uint8Array) => code.length === 23 && code[0] === 0xef && code[1] === 0x01

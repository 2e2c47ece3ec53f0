import type { Hardfork } from '../chains/chain.js'
import type { Engine } from '../evm/create-evm.js'
import { L1_BLOCK, OPERATOR_SLOT, operatorFee, readOperatorFee } from '../evm/op-fees.js'
import type { TransactionRequest, TransactionResult } from '../evm/transaction.js'
import { type Address, hexToBytes } from '../hex.js'
import { UnknownStateError, type Witness } from '../state/witness.js'
import { type Header, InvalidBlockError } from './mined-block.js'
import { credit } from './reward.js'

/** OP Stack predeploys: where the base fee goes, which Ethereum burns, and the other fees. */
const BASE_FEE_VAULT: Address = '0x4200000000000000000000000000000000000019'
const L1_FEE_VAULT: Address = '0x420000000000000000000000000000000000001a'
const OPERATOR_FEE_VAULT: Address = '0x420000000000000000000000000000000000001b'

export type PayAndTransact = (request: TransactionRequest, l1Fee: bigint) => TransactionResult

/**
 * Runs transactions of the OP Stack with what they pay beside their gas: for L1, as it is given,
 * and to the operator, for all the gas they may use, of which what they do not use comes back
 * (specifications of Isthmus and Jovian, "Operator fee", read on 2026-11-23).
 */
export function createStackFees({ evm }: Engine, header: Header, hardfork: Hardfork, witness: Witness): PayAndTransact {
  const isRead = holdsOperatorFee(witness)
  const toOperator = (gas: bigint) =>
    isRead ? operatorFee(readOperatorFee(hardfork, evm.storage), gas, { isBeforeJovian: !isJovian(header) }) : 0n
  return (request, l1Fee) => {
    const most = toOperator(request.gasLimit)
    const { balance } = evm.account(request.from)
    if (balance < l1Fee + most) throw new InvalidBlockError(`${request.from} cannot pay the fees of the OP Stack`)
    evm.setBalance(request.from, balance - l1Fee - most)
    const result = evm.transact(request)
    const taken = most === 0n ? 0n : toOperator(result.gasUsed)
    credit(evm, request.from, most - taken)
    credit(evm, BASE_FEE_VAULT, result.gasUsed * (header.baseFeePerGas ?? 0n))
    credit(evm, L1_FEE_VAULT, l1Fee)
    credit(evm, OPERATOR_FEE_VAULT, taken)
    return result
  }
}

/**
 * Nodes read the operator's words for each transaction since Isthmus: a witness without them is of
 * a block that paid nothing, which its state root proves.
 */
function holdsOperatorFee(witness: Witness): boolean {
  try {
    witness.storage(L1_BLOCK, OPERATOR_SLOT)
    return true
  } catch (error) {
    if (error instanceof UnknownStateError) return false
    throw error
  }
}

/**
 * Jovian's headers carry version 1 of the parameters of the base fee, 17 bytes; Holocene's 0. A
 * header without them is told by its time.
 */
function isJovian({ extraData, timestamp }: Header): boolean {
  if (extraData === undefined) return timestamp >= JOVIAN_SECOND
  const bytes = hexToBytes(extraData)
  return bytes.length === JOVIAN_BYTES && bytes[0] === JOVIAN_VERSION
}

const JOVIAN_BYTES = 17
const JOVIAN_VERSION = 1
/** On OP Mainnet, Base and Unichain (ethereum-optimism/docs, "Upgrade 17"; docs.base.org). */
const JOVIAN_SECOND = 1_764_691_201n

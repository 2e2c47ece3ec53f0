import { BaseError } from '../errors.js'
import type { AccountEntry } from './account-entry.js'
import type { BlockEnvironment } from './block-environment.js'
import { type Rules, TOKENS_PER_BYTE } from './rules.js'
import type { TransactionRequest } from './transaction.js'
import type { World } from './world.js'

/** A transaction with everything absent filled in. */
export interface CheckedTransaction {
  gasLimit: bigint
  value: bigint
  data: Uint8Array
  /** What the sender pays per unit of gas, and what of it goes to the coinbase. */
  gasPrice: bigint
  priorityFee: bigint
  blobGas: bigint
  intrinsicGas: number
  floorGas: number
}

const TRANSACTION_GAS = 21_000
const CREATION_GAS = 32_000
const ZERO_BYTE_GAS = 4
const ACCESS_LIST_ADDRESS_GAS = 2_400
const ACCESS_LIST_KEY_GAS = 1_900
const ADDRESS_BYTES = 20
const KEY_BYTES = 32
/** EIP-7702; part of it comes back where the account exists. */
export const AUTHORIZATION_GAS = 25_000
export const BLOB_GAS = 131_072n
/** EIP-2681 */
const MAX_NONCE = 2n ** 64n - 1n
const BLOB_VERSION = '0x01'

/**
 * Checks what a node checks before it includes a transaction. Throws `InvalidTransactionError`.
 * What depends on the sender's account is taken for granted while that account is not known: the
 * run then has a miss and is repeated anyway.
 */
export function checkTransaction(
  tx: TransactionRequest,
  data: Uint8Array,
  sender: AccountEntry,
  world: World,
  block: BlockEnvironment,
  rules: Rules,
): CheckedTransaction {
  const { gasLimit, value = 0n } = tx
  const { intrinsicGas, floorGas } = intrinsicCost(tx, data, rules)
  checkKind(tx, rules)
  if (value >= 2n ** 256n) refuse('value does not fit into 256 bits')
  if (gasLimit > block.gasLimit) refuse(`gas limit ${gasLimit} is above the block's ${block.gasLimit}`)
  if (Number(gasLimit) > rules.maxTransactionGas) refuse(`gas limit ${gasLimit} is above the cap of a transaction`)
  if (Number(gasLimit) < intrinsicGas) refuse(`intrinsic gas too low: have ${gasLimit}, want ${intrinsicGas}`)
  if (Number(gasLimit) < floorGas) refuse(`gas limit ${gasLimit} is below the calldata floor ${floorGas}`)
  if (tx.to === undefined && data.length > rules.maxInitCodeBytes)
    refuse(`init code of ${data.length} bytes is too long`)
  const fees = checkFees(tx, block, rules)
  const blobGas = checkBlobs(tx, block, rules)
  if (!sender.missed) {
    checkSender(tx, sender, world)
    const needed = gasLimit * fees.maximum + value + blobGas * (tx.maxFeePerBlobGas ?? 0n)
    if (sender.balance < needed) refuse(`insufficient funds: have ${sender.balance}, want ${needed}`)
  }
  return { gasLimit, value, data, ...fees, blobGas, intrinsicGas, floorGas }
}

/** What of a transaction its intrinsic gas depends on, besides its data. */
interface IntrinsicRequest {
  to?: TransactionRequest['to'] | undefined
  accessList?: TransactionRequest['accessList']
  authorizationList?: TransactionRequest['authorizationList']
}

/** Intrinsic gas, and the least a transaction with this data pays (EIP-7623, 7976, 7981). */
export function intrinsicCost(
  { to, accessList = [], authorizationList = [] }: IntrinsicRequest,
  data: Uint8Array,
  rules: Rules,
): { intrinsicGas: number; floorGas: number } {
  let zeros = 0
  for (const byte of data) if (byte === 0) zeros += 1
  const others = data.length - zeros
  const creationGas = to === undefined && rules.paysForDeposit ? CREATION_GAS : 0
  const initCodeGas = to === undefined ? rules.initCodeWordGas * Math.ceil(data.length / 32) : 0
  const keys = accessList.reduce((sum, { storageKeys }) => sum + storageKeys.length, 0)
  const listDataGas = rules.accessListByteGas * (ADDRESS_BYTES * accessList.length + KEY_BYTES * keys)
  const accessGas = ACCESS_LIST_ADDRESS_GAS * accessList.length + ACCESS_LIST_KEY_GAS * keys + listDataGas
  const calldataGas = zeros * ZERO_BYTE_GAS + others * rules.calldataByteGas
  const authorizationGas = authorizationList.length * AUTHORIZATION_GAS
  const tokens = zeros * rules.floorZeroTokens + others * TOKENS_PER_BYTE
  return {
    intrinsicGas: TRANSACTION_GAS + creationGas + initCodeGas + calldataGas + accessGas + authorizationGas,
    floorGas: rules.floorTokenGas === 0 ? 0 : TRANSACTION_GAS + tokens * rules.floorTokenGas + listDataGas,
  }
}

/** Whether the rules know this kind of transaction, and it is whole. */
function checkKind(tx: TransactionRequest, rules: Rules): void {
  if (tx.accessList !== undefined && !rules.accessLists) refuse('access lists are not supported yet')
  if (tx.maxFeePerGas !== undefined && !rules.baseFee) refuse('fee caps are not supported yet')
  if (tx.authorizationList === undefined) return
  if (!rules.delegations) refuse('authorizations are not supported yet')
  if (tx.authorizationList.length === 0) refuse('the authorization list is empty')
  if (tx.to === undefined) refuse('a transaction with authorizations cannot create a contract')
}

interface Fees {
  gasPrice: bigint
  priorityFee: bigint
  /** What the sender must be able to pay per unit. */
  maximum: bigint
}

/** EIP-1559 */
function checkFees(
  { gasPrice, maxFeePerGas, maxPriorityFeePerGas }: TransactionRequest,
  block: BlockEnvironment,
  rules: Rules,
): Fees {
  const baseFee = rules.baseFee ? block.baseFeePerGas : 0n
  const maximum = maxFeePerGas ?? gasPrice ?? baseFee
  const tip = maxFeePerGas === undefined ? maximum : (maxPriorityFeePerGas ?? 0n)
  if (tip > maximum) refuse(`priority fee ${tip} is above the fee cap ${maximum}`)
  if (maximum < baseFee) refuse(`fee cap ${maximum} is below the base fee ${baseFee}`)
  const priorityFee = maximum - baseFee < tip ? maximum - baseFee : tip
  const paid = rules.dropsTips ? 0n : priorityFee
  return { gasPrice: baseFee + paid, priorityFee: paid, maximum }
}

/** EIP-4844 */
function checkBlobs(
  { to, blobVersionedHashes, maxFeePerBlobGas }: TransactionRequest,
  block: BlockEnvironment,
  rules: Rules,
): bigint {
  if (blobVersionedHashes === undefined) return 0n
  if (rules.maxBlobs === 0) refuse('blobs are not supported yet')
  if (to === undefined) refuse('a transaction with blobs cannot create a contract')
  if (blobVersionedHashes.length === 0) refuse('a blob transaction needs a blob')
  if (blobVersionedHashes.length > rules.maxBlobs) refuse(`more than ${rules.maxBlobs} blobs`)
  if (blobVersionedHashes.some((hash) => !hash.startsWith(BLOB_VERSION))) refuse('a blob hash has an unknown version')
  if ((maxFeePerBlobGas ?? 0n) < block.blobBaseFee)
    refuse(`blob fee cap is below the blob base fee ${block.blobBaseFee}`)
  return BLOB_GAS * BigInt(blobVersionedHashes.length)
}

function checkSender({ nonce }: TransactionRequest, sender: AccountEntry, world: World): void {
  const own = nonce === undefined ? sender.nonce : world.nonce(sender)
  if (nonce !== undefined && nonce !== own) refuse(`nonce is ${nonce}, the account's is ${own}`)
  if (own >= MAX_NONCE) refuse('the nonce is at its maximum')
  const { bytes, delegate } = world.code(sender)
  if (bytes.length > 0 && delegate === undefined) refuse('the sender is a contract (EIP-3607)')
}

function refuse(reason: string): never {
  throw new InvalidTransactionError(reason)
}

/** The chain would not include this transaction; it leaves no trace in the state. */
export class InvalidTransactionError extends BaseError {
  override readonly name = 'InvalidTransactionError'

  constructor(reason: string) {
    super(`Invalid transaction: ${reason}`, { docs: 'engine.md' })
  }
}

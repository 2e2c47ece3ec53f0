import type { Address } from '../../hex.js'
import type { TypedData } from '../wallet-request.js'
import { readSafeTransaction, readUserOperation } from './read-account-operations.js'
import { readOrders } from './read-orders.js'
import { readPermit, readPermit2Allowance, readPermit2Transfer, readSignedTransfer } from './read-permits.js'
import { NOT_UNDERSTOOD, type SignedIntent } from './signed-intent.js'
import { type Message, toAddress } from './typed-values.js'

type Reader = (message: Message, verifier: Address | undefined) => SignedIntent

/** What each kind of message means, by the name of its type. */
const READERS: readonly (readonly [type: RegExp, read: Reader])[] = [
  [/^Permit$/, readPermit],
  [/^Permit(Single|Batch)$/, readPermit2Allowance],
  [/^Permit(Batch)?(Witness)?TransferFrom$/, readPermit2Transfer],
  [/^(Transfer|Receive)WithAuthorization$/, readSignedTransfer],
  [/^(OrderComponents|BulkOrder)$/, readOrders],
  [/^SafeTx$/, readSafeTransaction],
  [/^(Packed)?UserOperation$/, readUserOperation],
]

/**
 * Reads permits (EIP-2612, DAI, Permit2), signed transfers (EIP-3009), orders of Seaport, and what
 * smart accounts sign (Safe, ERC-4337). Never throws, whatever the message is.
 */
export function readTypedData({ domain, primaryType, message }: TypedData): SignedIntent {
  const read = READERS.find(([type]) => type.test(primaryType))?.[1]
  return read?.(message, toAddress(domain.verifyingContract)) ?? NOT_UNDERSTOOD
}

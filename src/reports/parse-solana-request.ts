import { ApiError } from '../api-error.js'
import { SOLANA_CHAIN_ID } from '../chains/chain-id.js'
import type { SolanaTarget } from '../checks/solana/check-token.js'
import { parseSolanaAddress } from '../solana/address.js'
import { isMissing, parseFields, readAddress } from './parse-analysis-request.js'

/**
 * Whether a body is about the Solana chain. Whatever else is wrong with it is for {@link
 * parseSolanaRequest} to say.
 */
export function isSolanaRequest(body: unknown): boolean {
  return (
    typeof body === 'object' &&
    body !== null &&
    Object.hasOwn(body, 'chainId') &&
    Reflect.get(body, 'chainId') === SOLANA_CHAIN_ID
  )
}

/**
 * Turns the body of a Solana request into its target. Reports the address before the chain when
 * both are wrong.
 */
export function parseSolanaRequest(body: unknown, { compat }: { compat: boolean }): SolanaTarget {
  const fields = parseFields(body)
  const text = readAddress(fields, compat)
  if (isMissing(text)) throw new ApiError('address_required')
  const address = parseSolanaAddress(text)
  if (address === undefined) throw new ApiError('invalid_address')
  const chainId = fields.get('chainId')
  if (isMissing(chainId)) throw new ApiError('chain_required')
  if (chainId !== SOLANA_CHAIN_ID) throw new ApiError('unsupported_chain')
  return { address }
}

/**
 * For routes of the numeric chains alone: a Solana address on Solana is well said, and not
 * supported there.
 */
export function refuseSolanaRequest(body: unknown, { compat }: { compat: boolean }): void {
  if (!isSolanaRequest(body)) return
  if (parseSolanaAddress(readAddress(parseFields(body), compat)) !== undefined) throw new ApiError('unsupported_chain')
}

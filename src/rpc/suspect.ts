import type { Address as SolanaAddress } from '@solana/kit'
import type { Address } from '../hex.js'
import { RpcOversizeError, RpcTimeoutError } from './http-transport.js'
import { RpcRejectedError } from './node-replies.js'

/**
 * Whose question it is: the contract or account that can make its answer late, long or refused, or
 * the chain's own, on whose answer no contract has a hand. What a suspect may have caused counts
 * against a node only when the node fails at a question of the chain's as well (`doubt.ts`).
 */
export type Suspect = Address | SolanaAddress | 'chain'

/**
 * The answer was more than the node, the way to it or we can carry: too long, too late, or refused
 * for either.
 */
export function isTooMuch(error: unknown): error is Error {
  if (error instanceof RpcTimeoutError || error instanceof RpcOversizeError) return true
  return error instanceof RpcRejectedError && (error.kind === 'slow' || error.kind === 'range-too-wide')
}

/**
 * What code under test, its logs or its storage can do to a node's answer. A node may also break
 * over it, as geth does over some traces.
 */
export function isSuspects(error: unknown, suspect: Suspect): error is Error {
  if (suspect === 'chain') return false
  return isTooMuch(error) || (error instanceof RpcRejectedError && error.kind === 'broken')
}

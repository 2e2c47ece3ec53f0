import { Type } from 'typebox'
import { SOLANA_CHAIN_ID, type WireChainId } from '../../chains/chain-id.js'

/** The chain of a request or an answer that is not of one kind of chains alone. */
export const ChainId = Type.Unsafe<WireChainId>(Type.Union([Type.Integer(), Type.Literal(SOLANA_CHAIN_ID)]))

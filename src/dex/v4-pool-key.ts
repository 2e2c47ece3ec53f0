import type { V4Deployment } from '../chains/exchanges.js'
import type { Log } from '../evm/inspector.js'
import { type Address, type Hex, toPaddedHex, wordToAddress, ZERO_ADDRESS } from '../hex.js'
import type { Fork } from '../simulation/scenario.js'
import { hashOf, sortTokens } from './create2.js'
import { callData, readWords } from './read-contract.js'
import type { Pool } from './venue.js'

/** What tells a V4 pool from all others; its id is the hash of it. */
export interface V4PoolKey {
  currency0: Address
  currency1: Address
  /**
   * Hundredths of a basis point; 0x800000 (`LPFeeLibrary.DYNAMIC_FEE_FLAG`) where the hooks say.
   */
  fee: number
  tickSpacing: number
  /** The zero address where no contract is told of trades. */
  hooks: Address
}

export function v4PoolId({ currency0, currency1, fee, tickSpacing, hooks }: V4PoolKey): Hex {
  return hashOf(...[BigInt(currency0), BigInt(currency1), BigInt(fee), BigInt(tickSpacing), BigInt(hooks)].map(toWord))
}

/**
 * The key of a pool as it is named here; one without hooks at a usual fee where it does not say
 * otherwise.
 */
export function v4KeyOf(
  { tiers }: V4Deployment,
  { token, quote, tier: fee = 0, ...odd }: Pick<Pool, 'token' | 'quote' | 'tier' | 'tickSpacing' | 'hooks'>,
): V4PoolKey {
  const [currency0, currency1] = sortTokens(token, quote)
  const tickSpacing = odd.tickSpacing ?? tiers.find((tier) => tier.fee === fee)?.tickSpacing ?? 0
  return { currency0, currency1, fee, tickSpacing, hooks: odd.hooks ?? ZERO_ADDRESS }
}

const toWord = (value: bigint) => toPaddedHex(BigInt.asUintN(256, value), 32)

/**
 * `Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee,
 * int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)` of V4's PoolManager
 */
export const V4_INITIALIZE_TOPIC: Hex = '0xdd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438'

/**
 * The key that an `Initialize` log tells; `undefined` where the log is none, or its id is not that
 * of its key.
 */
export function readInitialize({ topics, data }: Pick<Log, 'topics' | 'data'>): V4PoolKey | undefined {
  const [topic, id, currency0, currency1] = topics
  if (topic !== V4_INITIALIZE_TOPIC || !id || !currency0 || !currency1 || data.length < 2 + 3 * WORD_DIGITS)
    return undefined
  const word = (index: number) => BigInt(`0x${data.slice(2 + index * WORD_DIGITS, 2 + (index + 1) * WORD_DIGITS)}`)
  const key = toKey([BigInt(currency0), BigInt(currency1), word(0), word(1), word(2)])
  return v4PoolId(key) === id ? key : undefined
}

const WORD_DIGITS = 64
const ID_BYTES = 25

/**
 * `poolKeys(bytes25)` of V4's PositionManager: the keys of the pools in which positions were made.
 */
const POOL_KEYS = '0x86b6be7d'

/** The key of a pool by its id, as the exchange's position manager keeps it. */
export function readPoolKey(fork: Fork, positionManager: Address, id: Hex): V4PoolKey | undefined {
  const short = BigInt(id.slice(0, 2 + 2 * ID_BYTES).padEnd(2 + WORD_DIGITS, '0'))
  const words = readWords(fork, positionManager, callData(POOL_KEYS, [short]))
  if (!words || words.length < 5) return undefined
  const key = toKey(words)
  return v4PoolId(key) === id ? key : undefined
}

function toKey([currency0 = 0n, currency1 = 0n, fee = 0n, tickSpacing = 0n, hooks = 0n]: readonly bigint[]): V4PoolKey {
  return {
    currency0: wordToAddress(currency0),
    currency1: wordToAddress(currency1),
    fee: Number(BigInt.asUintN(24, fee)),
    tickSpacing: Number(BigInt.asIntN(24, tickSpacing)),
    hooks: wordToAddress(hooks),
  }
}

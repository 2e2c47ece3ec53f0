import { encodeFunctionData, parseAbi } from 'viem'
import type { TradeContext } from '../../dex/legs.js'
import { balanceOf, erc20Abi, readAddress, readWord, wordToAddress } from '../../dex/read-contract.js'
import { type Address, ZERO_ADDRESS } from '../../hex.js'

/** An address that may take tokens out of the pool without trading. */
export interface PoolAllowance {
  spender: Address
  /** Base units. */
  amount: bigint
  /** Of what the pool holds, in basis points; at most 10,000. */
  shareBps: number
}

/**
 * Where compilers put owners and other privileged addresses; the same slots are fetched beforehand
 * for a trade.
 */
const LOOKED_AT_SLOTS = Array.from({ length: 16 }, (_, i) => BigInt(i))
/** A flag of one byte is often packed below an address. */
const SHIFTS = [0n, 8n]
/** Smaller numbers are counters and flags. */
const LEAST_ADDRESS = 1n << 64n
const FULL_BPS = 10_000n

const OWNER_CALLS = ['owner', 'getOwner'].map((functionName) =>
  encodeFunctionData({
    abi: parseAbi(['function owner() view returns (address)', 'function getOwner() view returns (address)']),
    functionName: functionName as 'owner',
  }),
)

/**
 * The largest allowance over the pool's tokens among those that the token names: its owner, and
 * addresses in its first slots. No trade ever asks a pool to approve anything, so that one who has
 * such an allowance was given it by the token's maker, most often before the first trade.
 */
export function findPoolAllowance({ fork, market }: TradeContext): PoolAllowance | undefined {
  const { pool, via, venue } = market
  const exchange = [pool.address, via?.address, venue.spender, pool.quote, pool.token, ZERO_ADDRESS]
  const named = OWNER_CALLS.flatMap((data) => readAddress(fork, pool.token, data) ?? [])
  const stored = LOOKED_AT_SLOTS.flatMap((slot) => {
    const word = fork.evm.storage(pool.token, slot)
    return SHIFTS.map((shift) => word >> shift)
      .filter((value) => BigInt.asUintN(160, value) >= LEAST_ADDRESS)
      .map(wordToAddress)
  })
  const spenders = [...new Set([...named, ...stored])].filter((spender) => !exchange.includes(spender))
  const held = balanceOf(fork, pool.token, pool.address) ?? 0n
  const allowances = spenders.map((spender) => {
    const amount = readWord(fork, pool.token, erc20Abi, 'allowance', [pool.address, spender]) ?? 0n
    return { spender, amount, shareBps: shareOf(amount, held) }
  })
  return allowances.filter(({ shareBps }) => shareBps > 0).toSorted((a, b) => b.shareBps - a.shareBps)[0]
}

function shareOf(amount: bigint, held: bigint): number {
  if (held === 0n) return 0
  return Number(amount >= held ? FULL_BPS : (amount * FULL_BPS) / held)
}

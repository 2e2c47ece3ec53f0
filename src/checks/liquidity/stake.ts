import { type Abi, encodeFunctionData, parseAbi } from 'viem'
import { balanceOf, callData, readAddress, readWords } from '../../dex/read-contract.js'
import type { Market } from '../../dex/venues.js'
import { type Address, type Hex, ZERO_ADDRESS } from '../../hex.js'
import type { Fork } from '../../simulation/scenario.js'
import type { ProofStep } from '../powers/power.js'
import type { PoolShares, PositionMint } from './read-shares.js'

/**
 * A part of a pool that an account can take out or hand on: LP tokens, a numbered position, or a
 * position in one's own name.
 */
export type Stake =
  | { kind: 'shares'; holder: Address; amount: bigint }
  | { kind: 'position'; holder: Address; manager: Address; id: bigint; liquidity: bigint }
  | { kind: 'direct'; holder: Address; tickLower: number; tickUpper: number; liquidity: bigint }

/** Holders and positions that are looked at. */
const MAX_HOLDERS = 40
const MAX_POSITIONS = 24

const poolAbi = parseAbi([
  'function transfer(address to, uint256 amount) returns (bool)',
  'function burn(address to) returns (uint256, uint256)',
  'function burn(int24 tickLower, int24 tickUpper, uint128 amount) returns (uint256, uint256)',
  'function collect(address recipient, int24 tickLower, int24 tickUpper, uint128 amount0, uint128 amount1) returns (uint128, uint128)',
])
const managerAbi = parseAbi([
  'function decreaseLiquidity((uint256 tokenId, uint128 liquidity, uint256 amount0Min, uint256 amount1Min, uint256 deadline) params) payable returns (uint256, uint256)',
  'function collect((uint256 tokenId, address recipient, uint128 amount0Max, uint128 amount1Max) params) payable returns (uint256, uint256)',
])
const MAX_UINT128 = 2n ** 128n - 1n
const FAR_DEADLINE = 2n ** 63n

/** `totalSupply()`, `ownerOf(uint256)`, `positions(uint256)`, `positions(bytes32)` */
const TOTAL_SUPPLY = '0x18160ddd'
const OWNER_OF = '0x6352211e'
const POSITION_BY_ID = '0x99fbab88'

/**
 * All stakes of which an account was ever given a part, as they are now. LP tokens are counted in
 * full by {@link totalShares}.
 */
export function findStakes(fork: Fork, { pool }: Market, { transfers, positions }: PoolShares): Stake[] {
  const holders = [...new Set([...BURN_ADDRESSES, pool.address, ...transfers.map(({ to }) => to)])].slice(
    0,
    MAX_HOLDERS,
  )
  // Before anything depends on it: what is not known yet is fetched at once.
  const shares = transfers.length > 0 ? holders.map((holder) => ({ holder, amount: sharesOf(fork, pool, holder) })) : []
  if (totalShares(fork, pool.address) > 0n) {
    const known =
      shares.length > 0 ? shares : holders.map((holder) => ({ holder, amount: sharesOf(fork, pool, holder) }))
    return known.flatMap((share) => (share.amount > 0n ? [{ kind: 'shares' as const, ...share }] : []))
  }
  return positions
    .flatMap((position) => (position.tokenIds.length > 0 ? numbered(fork, position) : []))
    .slice(0, MAX_POSITIONS)
}

function sharesOf(fork: Fork, pool: Market['pool'], holder: Address): bigint {
  fork.evm.account(holder)
  if (!BURN_ADDRESSES.includes(holder)) for (const paid of [pool.token, pool.quote]) balanceOf(fork, paid, holder)
  return balanceOf(fork, pool.address, holder) ?? 0n
}

export const BURN_ADDRESSES: readonly Address[] = [ZERO_ADDRESS, '0x000000000000000000000000000000000000dead']

/** LP tokens there are; 0 where the pool issues none. */
export function totalShares(fork: Fork, pool: Address): bigint {
  return readWords(fork, pool, TOTAL_SUPPLY)?.[0] ?? 0n
}

function numbered(fork: Fork, { owner: manager, tokenIds }: PositionMint): Stake[] {
  return tokenIds.flatMap((id) => {
    const liquidity = liquidityOf(fork, manager, id)
    if (liquidity === 0n) return []
    const holder = readAddress(fork, manager, callData(OWNER_OF, [id])) ?? ZERO_ADDRESS
    return [{ kind: 'position' as const, holder, manager, id, liquidity }]
  })
}

/** The eighth word of `positions(uint256)` (Uniswap V3's NonfungiblePositionManager). */
function liquidityOf(fork: Fork, manager: Address, id: bigint): bigint {
  return readWords(fork, manager, callData(POSITION_BY_ID, [id]))?.[7] ?? 0n
}

/** Whether the stake is where it was, whole. */
export function isInPlace(fork: Fork, pool: Address, stake: Stake): boolean {
  if (stake.kind === 'shares') return (balanceOf(fork, pool, stake.holder) ?? 0n) * 100n >= stake.amount * 99n
  if (stake.kind === 'direct') return true
  const holder = readAddress(fork, stake.manager, callData(OWNER_OF, [stake.id]))
  return holder === stake.holder && liquidityOf(fork, stake.manager, stake.id) >= stake.liquidity
}

/** The calls by which the holder of a stake takes it out. */
export function withdrawalOf(pool: Address, stake: Stake): ProofStep[] {
  const { holder: from } = stake
  const step = (to: Address, abi: Abi, functionName: string, args: readonly unknown[]): ProofStep => ({
    from,
    to,
    input: encodeFunctionData({ abi, functionName, args }) as Hex,
  })
  switch (stake.kind) {
    case 'shares':
      return [step(pool, poolAbi, 'transfer', [pool, stake.amount]), step(pool, poolAbi, 'burn', [from])]
    case 'position':
      return [
        step(stake.manager, managerAbi, 'decreaseLiquidity', [
          { tokenId: stake.id, liquidity: stake.liquidity, amount0Min: 0n, amount1Min: 0n, deadline: FAR_DEADLINE },
        ]),
        step(stake.manager, managerAbi, 'collect', [
          { tokenId: stake.id, recipient: from, amount0Max: MAX_UINT128, amount1Max: MAX_UINT128 },
        ]),
      ]
    case 'direct': {
      const range = [stake.tickLower, stake.tickUpper] as const
      return [
        step(pool, poolAbi, 'burn', [...range, stake.liquidity]),
        step(pool, poolAbi, 'collect', [from, ...range, MAX_UINT128, MAX_UINT128]),
      ]
    }
  }
}

import type { SolanaAccount } from '../account.js'
import { addressAt, type SolanaAddress } from '../address.js'
import { BIN_POSITION, binPositionOwner, readBinPosition } from './bin-positions.js'
import { LAYOUT_OF_PROGRAM, PUMP_CURVE } from './layouts.js'
import type { Pool, PoolLiquidity } from './pool.js'
import { POSITION_LAYOUTS } from './positions.js'
import { readPool } from './read-pool.js'

/**
 * Whether two accounts of an exchange's program say the same, as far as trades do not move it: who
 * holds a pool's vaults, whether it is open, who can take liquidity out. What only trades move,
 * such as prices and lists of them, is not compared. `isPool`: it is one that holds its vaults.
 */
export function saysTheSame(
  address: SolanaAddress,
  [ours, theirs]: readonly [SolanaAccount, SolanaAccount],
  { unixTime, isPool }: { unixTime: bigint; isPool: boolean },
): boolean {
  if (ours.owner !== theirs.owner || ours.data.length !== theirs.data.length) return false
  const [mine, others] = [ours, theirs].map((account) =>
    sayingOf(account, isPool ? readPool(address, account, unixTime) : undefined),
  )
  if (mine === undefined || others === undefined) return mine === others
  return mine.words === others.words && Math.abs(mine.locked - others.locked) <= MAX_APART
}

/** Shares are made and burnt between two readings. */
const MAX_APART = 0.05

interface Saying {
  words: string
  /** Of what the pool says is locked or issued; from 0 to 1 where it says so. */
  locked: number
}

function sayingOf(account: SolanaAccount, pool: Pool | undefined): Saying | undefined {
  const { data, owner: program } = account
  if (program === PUMP_CURVE.program) {
    if (data.length < PUMP_CURVE.minBytes) return undefined
    return {
      words: `${PUMP_CURVE.isComplete(data)} ${PUMP_CURVE.quoteOf(data)} ${PUMP_CURVE.creator(data)}`,
      locked: 0,
    }
  }
  if (pool !== undefined) {
    const { mints, vaults, status, liquidity } = pool
    const words = [...mints, ...vaults, status, liquidity.kind, liquidity.kind === 'lp-token' ? liquidity.mint : '']
    return { words: words.join(), locked: lockedOf(liquidity) }
  }
  const layout = LAYOUT_OF_PROGRAM.get(program)
  const position = layout && POSITION_LAYOUTS.get(layout.id)
  if (position && data.length === position.bytes) return { words: hex(data.subarray(0, position.headBytes)), locked: 0 }
  return binsOf(account)
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

function lockedOf(liquidity: PoolLiquidity): number {
  if (liquidity.kind !== 'shares' || liquidity.total === 0n) return 0
  return Number((liquidity.locked * 1_000n) / liquidity.total) / 1_000
}

/** A position of a pool of bins names its pool itself. */
function binsOf(account: SolanaAccount): Saying | undefined {
  if (account.data.length < BIN_POSITION.headBytes) return undefined
  const pool = { address: addressAt(account.data, BIN_POSITION.poolAt), program: account.owner }
  if (binPositionOwner(pool, account) === undefined) return undefined
  const position = readBinPosition(pool, pool.address, account)
  return { words: position ? Object.values(position).join() : '', locked: 0 }
}

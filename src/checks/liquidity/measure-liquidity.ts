import { balanceOf, callData, readAddress } from '../../dex/read-contract.js'
import { findMarkets, type Market, venuesOf } from '../../dex/venues.js'
import { AnalysisResistedError } from '../../evm/limits.js'
import { type Address, EMPTY_CODE_HASH, ZERO_ADDRESS } from '../../hex.js'
import { branch, wait } from '../../simulation/fork-verbs.js'
import { createSeededRandom } from '../../simulation/random.js'
import { defineScenario, type Fork } from '../../simulation/scenario.js'
import { createStranger } from '../../simulation/trader.js'
import { actAs } from '../powers/act.js'
import type { TradeInput } from '../trade/run-trade-scenario.js'
import type { LiquidityHolder } from './liquidity-report.js'
import type { PoolShares } from './read-shares.js'
import { BURN_ADDRESSES, findStakes, type Stake, totalShares, withdrawalOf } from './stake.js'
import { tryStaking } from './try-staking.js'
import { opens, openVault } from './try-unlock.js'

export interface StakesInput extends TradeInput {
  shares: PoolShares
}

/** What there is of the pool, and whose it is. */
export interface PoolFacts {
  venue: string
  pool: Address
  depth: bigint
  /** Seconds since 1970. */
  now: number
  /** Whether the pool is of a kind whose shares can be read. */
  isKnownKind: boolean
  stakes: readonly Stake[]
}

export interface MeasuredStake {
  stake: Stake
  shareBps: number
}

export interface MeasureInput extends StakesInput {
  stakes: readonly Stake[]
}

export interface HoldersInput extends StakesInput {
  stakes: readonly MeasuredStake[]
}

export interface HoldersFacts {
  /** In the order of the stakes. */
  holders: readonly LiquidityHolder[]
  /** Why not every holder was tried; empty when all were. */
  unfinished: string
}

export const DAY_MS = 86_400_000
/** A stake that is less than this is no power. Basis points. */
const LEAST_SHARE_BPS = 10
/** Contracts out of which it is tried to get something; each may take a thousand calls. */
const MAX_VAULTS = 3
const FULL_BPS = 10_000

/*
 * Three scenarios rather than one: what a position reads lies many hops behind who has it, and each
 * scenario has rounds of its own to fetch what it needs. What one has read the next one knows.
 */

/** Finds every stake in the judged pool. `undefined` without a pool. */
export const listStakes = defineScenario({
  module: import.meta.url,
  name: 'listStakes',
  run(fork, input: StakesInput): PoolFacts | undefined {
    const place = findPlace(fork, input)
    if (!place) return undefined
    const { pool, depth } = place.market
    if (input.shares.transfers.length > 0) rehearse(place)
    return {
      ...{ venue: pool.venue, pool: pool.address, depth, now: Number(fork.evm.block.timestamp) },
      isKnownKind: totalShares(fork, pool.address) > 0n || input.shares.positions.length > 0,
      stakes: findStakes(fork, place.market, input.shares),
    }
  },
})

/**
 * Each stake's share of the pool's quote side, the largest first. LP tokens say it themselves;
 * positions are taken out to see.
 */
export const measureStakes = defineScenario({
  module: import.meta.url,
  name: 'measureStakes',
  run(fork, input: MeasureInput): MeasuredStake[] {
    const place = findPlace(fork, input)
    return place ? measure(place, input.stakes) : []
  },
})

/** Takes each stake out as its holder: now, and from contracts also later. */
export const tryHolders = defineScenario({
  module: import.meta.url,
  name: 'tryHolders',
  run(fork, input: HoldersInput): HoldersFacts {
    const place = findPlace(fork, input)
    if (!place) return { holders: [], unfinished: 'no pool was found' }
    const holders: LiquidityHolder[] = []
    let vaults = 0
    try {
      for (const { stake, shareBps } of input.stakes) {
        if (isContract(fork, stake.holder)) vaults += 1
        holders.push(...(vaults > MAX_VAULTS ? [untried(place, stake, shareBps)] : toHolders(place, stake, shareBps)))
      }
    } catch (error) {
      if (!(error instanceof AnalysisResistedError)) throw error
      return { holders, unfinished: error.shortMessage }
    }
    return { holders, unfinished: vaults > MAX_VAULTS ? 'more contracts hold the liquidity than can be tried' : '' }
  },
})

function findPlace(fork: Fork, { address, seed, pair, shares }: StakesInput): Place | undefined {
  const markets = findMarkets(fork, venuesOf(fork.chain), address)
  const market = pair ? markets.find(({ pool }) => pool.address === pair) : markets[0]
  if (!market) return undefined
  const operator = createStranger(fork, createSeededRandom(seed), 'liquidity operator')
  return { fork, market, operator, address, shares }
}

interface Place {
  fork: Fork
  market: Market
  operator: Address
  address: Address
  shares: PoolShares
}

function measure(place: Place, stakes: readonly Stake[]): MeasuredStake[] {
  const { fork, market } = place
  const total = totalShares(fork, market.pool.address)
  const whole = quoteInPool(fork, market)
  return stakes
    .map((stake) => {
      const [part, all] =
        stake.kind === 'shares' ? [stake.amount, total] : [branch(fork, () => takeOut(place, stake)), whole]
      return { stake, shareBps: all === 0n ? 0 : Number((part * BigInt(FULL_BPS) * 100n) / all) / 100 }
    })
    .filter(({ shareBps }) => shareBps >= LEAST_SHARE_BPS)
    .toSorted((a, b) => b.shareBps - a.shareBps)
}

const quoteInPool = (fork: Fork, { pool }: Market) => balanceOf(fork, pool.quote, pool.address) ?? 0n

/** Base units of quote that left the pool when the holder took the stake out. */
function takeOut({ fork, market, operator }: Place, stake: Stake): bigint {
  const before = quoteInPool(fork, market)
  for (const step of withdrawalOf(market.pool.address, stake)) {
    if (!actAs(fork, step, operator).success) return 0n
  }
  const taken = before - quoteInPool(fork, market)
  return taken > 0n ? taken : 0n
}

/**
 * Words of a Uniswap V2 pair, its lock among them, and the receiver of fees that its factory names.
 */
const PAIR_SLOTS = 13n
const FEE_SLOT = 0n

/**
 * Takes nothing out of a pool with LP tokens, so that what every withdrawal reads is fetched along
 * with the balances.
 */
function rehearse(place: Place): void {
  const { fork, market } = place
  const { evm, chain } = fork
  for (let slot = 0n; slot < PAIR_SLOTS; slot += 1n) evm.storage(market.pool.address, slot)
  const factory = chain.v2.find(({ name }) => name === market.venue.name)?.factory
  if (factory !== undefined) evm.storage(factory, FEE_SLOT)
  branch(fork, () => takeOut(place, { kind: 'shares', holder: place.operator, amount: 0n }))
}

/** EIP-7702 lends an account code; it stays a person's. */
function isContract(fork: Fork, address: Address): boolean {
  const { codeHash } = fork.evm.account(address)
  const code = fork.evm.code(address)
  return codeHash !== EMPTY_CODE_HASH && !(code.length === 23 && code[0] === 0xef && code[1] === 0x01)
}

function untried({ fork }: Place, { holder }: Stake, shareBps: number): LiquidityHolder {
  return {
    ...{ address: holder, kind: 'contract', shareBps, withdrawableAt: undefined },
    service: fork.chain.lockers?.[holder],
  }
}

/** The holder of the stake; of one that several people made together, each of them. */
function toHolders(place: Place, stake: Stake, shareBps: number): LiquidityHolder[] {
  const { fork, market, shares, operator } = place
  const { address: pool } = market.pool
  if (stake.kind !== 'shares' || stake.holder === pool || !isContract(fork, stake.holder))
    return [toHolder(place, stake, shareBps)]
  const stakers = tryStaking(fork, pool, stake.holder, shares.transfers, operator)
  if (stakers === undefined || ownerOpens(place, stake, new Set(stakers.map(({ person }) => person))))
    return [toHolder(place, stake, shareBps)]
  const withdrawableAt = Number(fork.evm.block.timestamp)
  const parts = stakers.map(({ person, amount }): LiquidityHolder => {
    const part = (Number((amount * PRECISION) / stake.amount) / Number(PRECISION)) * shareBps
    return { address: person, kind: 'account', shareBps: part, withdrawableAt, service: undefined }
  })
  const rest = shareBps - parts.reduce((sum, { shareBps: part }) => sum + part, 0)
  return rest < LEAST_SHARE_BPS ? parts : [...parts, untried(place, stake, rest)]
}

const PRECISION = 1_000_000n

/**
 * Whether an account that staked nothing gets the stake out: the owner of the contract, or of the
 * token.
 */
function ownerOpens(place: Place, stake: Stake, stakers: ReadonlySet<Address>): boolean {
  const { fork, market } = place
  const vault = openVault(fork, market.pool.address, stake, peopleOf({ ...place, shares: NO_SHARES }, stake))
  const actors = vault.actors.filter((actor) => !stakers.has(actor))
  return opensAt(place, { ...vault, actors }, 0)
}

const NO_SHARES: PoolShares = { transfers: [], positions: [], isWhole: false }

function toHolder(place: Place, stake: Stake, shareBps: number): LiquidityHolder {
  const { fork, market } = place
  const { holder: address } = stake
  const service = fork.chain.lockers?.[address]
  const now = Number(fork.evm.block.timestamp)
  const base = { address, shareBps, service }
  if (BURN_ADDRESSES.includes(address)) return { ...base, kind: 'burnt', withdrawableAt: undefined }
  if (!isContract(fork, address)) {
    const isOut = branch(fork, () => takeOut(place, stake)) > 0n
    return { ...base, kind: 'account', withdrawableAt: isOut ? now : undefined }
  }
  // LP tokens that lie in the pair go to any address that calls it.
  if (address === market.pool.address) return { ...base, kind: 'contract', withdrawableAt: now }
  const vault = openVault(fork, market.pool.address, stake, peopleOf(place, stake))
  const instants = [
    now,
    now + DAY_MS / 1_000,
    now + (7 * DAY_MS) / 1_000,
    ...vault.hints.times.map((time) => Number(time) + 1),
  ]
  const withdrawableAt = instants
    .toSorted((a, b) => a - b)
    .find((instant) => branch(fork, () => opensAt(place, vault, instant - now)))
  // Where no holder gets it out, a date in the future or a known service makes it a lock; without
  // either it is not known what it is.
  const isLock =
    withdrawableAt === undefined ? service !== undefined || vault.hints.times.length > 0 : withdrawableAt > now
  return { ...base, kind: isLock ? 'locker' : 'contract', withdrawableAt }
}

function opensAt({ fork, market, operator }: Place, vault: ReturnType<typeof openVault>, seconds: number): boolean {
  if (seconds > 0) wait(fork, seconds * 1_000)
  return opens(fork, market.pool.address, vault, { operator, inSteps: seconds === 0 })
}

/** `owner()` */
const OWNER = '0x8da5cb5b'
const MAX_PEOPLE = 4

/**
 * Who may have a say in the vault: the account that put the stake there, the owner of the vault,
 * the owner of the token.
 */
function peopleOf({ fork, address, shares }: Place, { holder }: Stake): Address[] {
  const givers = shares.transfers.filter(({ to }) => to === holder).map(({ from }) => from)
  const owners = [holder, address].flatMap((each) => readAddress(fork, each, callData(OWNER, [])) ?? [])
  const people = [...givers.slice(0, 2), ...owners, ...givers.slice(2)]
  return [...new Set(people)].filter((each) => each !== ZERO_ADDRESS).slice(0, MAX_PEOPLE)
}

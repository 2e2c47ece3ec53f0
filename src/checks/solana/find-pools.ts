import type { RpcBudget } from '../../rpc/budget.js'
import type { SolanaAccount } from '../../solana/account.js'
import type { SolanaAddress } from '../../solana/address.js'
import type { SolanaState } from '../../solana/chain-state.js'
import { associatedTokenAddress, isOnCurve } from '../../solana/pda.js'
import { LAYOUT_OF_VAULT_OWNER, PUMP_CURVE, usualPoolsOf, venueName } from '../../solana/pools/layouts.js'
import type { Pool } from '../../solana/pools/pool.js'
import { priceOf } from '../../solana/pools/pool-price.js'
import { holdsReserves, readCurve, readCurveQuote, readPool, sideOf } from '../../solana/pools/read-pool.js'
import { TOKEN_PROGRAM } from '../../solana/programs.js'
import { getProgramAccounts, getTokenLargestAccounts } from '../../solana/rpc/solana-methods.js'
import type { SolanaRpc } from '../../solana/rpc/solana-rpc-client.js'
import type { Mint } from '../../solana/token/mint.js'
import { parseMint } from '../../solana/token/mint.js'
import { parseTokenAccount, type TokenAccount } from '../../solana/token/token-account.js'
import { dollarsOf, isNextToNothing, isValuable } from './quote-value.js'
import { readBinPositions } from './read-bin-positions.js'
import { lostOf, NOT_KNOWN, type PositionsFound, readPositions } from './read-positions.js'
import { isIncomplete } from './read-token.js'
import type { PoolReport } from './solana-report.js'

interface Context {
  rpc: SolanaRpc
  state: SolanaState
  budget: RpcBudget
  /** What is known of the token for itself does not rest on who holds one pool's liquidity. */
  isTrusted: boolean
}

export interface FoundPools {
  /** Deepest first. */
  pools: PoolReport[]
  /** A vault of a known exchange was seen whose pool no node would name. */
  hidden: boolean
  /** Pools of which no node would say who can take their liquidity out. */
  unseen: PoolReport[]
}

/**
 * Finds the pools that hold some of the largest accounts of a token, and reads what they say of
 * themselves.
 */
export async function findPools(context: Context, mint: Mint, largest: readonly TokenAccount[]): Promise<FoundPools> {
  const { state } = context
  const candidates: Pool[] = []
  const onCurve = await findCurve(state, mint)
  if (onCurve) candidates.push(onCurve)
  candidates.push(...(await readUsualPools(state, mint)))
  const shared = largest.filter((account) => LAYOUT_OF_VAULT_OWNER.has(account.owner) && mayBeVault(mint, account))
  for (const { address, owner } of largest) {
    const pool = readPool(owner, state.accounts.get(owner), state.clock.unixTime)
    if (pool && holdsReserves(pool, mint.address, address)) candidates.push(pool)
  }
  const named = await Promise.all(shared.slice(0, MAX_SHARED).map((vault) => findByVault(context, mint, vault)))
  candidates.push(...named.filter((pool) => pool !== undefined && pool !== 'unknown'))
  const pools = [...new Map(candidates.map((pool) => [pool.address, pool])).values()].slice(0, MAX_POOLS)
  await state.load(pools.flatMap(accountsOf))
  const all = await Promise.all(pools.map((pool) => describePool(context, mint, pool)))
  // What other tokens cost that are traded for coins everyone knows says nothing of those coins.
  const reports = context.isTrusted ? all.filter(({ quoteMint }) => isValuable(quoteMint)) : all
  return {
    pools: reports.sort(byDepth),
    unseen: reports.filter((report) => isUnseen(context, report)),
    hidden: shared.some((vault, i) => named[i] === 'unknown' && isMarket(vault, reports)),
  }
}

/**
 * Whether an account that may be a vault would be the deepest market there is: what a stranger put
 * into an account in the name of an exchange, beside a market, hides nothing.
 */
const isMarket = ({ amount }: TokenAccount, pools: readonly PoolReport[]) =>
  pools.every(({ reserves }) => amount > (reserves.token ?? 0n))

/** Tokens with more markets are judged by the deepest ones. */
const MAX_POOLS = 8
/** Each is two questions to the node; more large accounts in the name of exchanges are gifts. */
const MAX_SHARED = 8

/** Pools that stand where the mint says, with a vault that belongs to them. */
async function readUsualPools(state: SolanaState, { address: mint }: Mint): Promise<Pool[]> {
  const pools = usualPoolsOf(mint)
    .map((address) => readPool(address, state.accounts.get(address), state.clock.unixTime))
    .filter((pool) => pool !== undefined)
  await state.load(pools.flatMap(({ vaults }) => vaults))
  return pools.filter((pool) => {
    const vault = pool.vaults[sideOf(pool, mint) ?? 0]
    const holding = parseTokenAccount(vault, state.accounts.get(vault))
    return holding?.mint === mint && holding.owner === pool.vaultOwner
  })
}

/**
 * Vaults of exchanges are addresses of their programs. Any address can open an account in the name
 * of an exchange, and does so where a wallet would, or where it has a key for.
 */
const mayBeVault = ({ address: mint, tokenProgram }: Mint, { address, owner }: TokenAccount) =>
  !isOnCurve(address) && address !== associatedTokenAddress(owner, mint, tokenProgram)

/** The launch curve of the mint, which stands where the mint says. */
async function findCurve(state: SolanaState, { address: mint, tokenProgram }: Mint): Promise<Pool | undefined> {
  const curve = PUMP_CURVE.addressOf(mint)
  const quote = curve && readCurveQuote(state.accounts.get(curve))
  if (curve === undefined || quote === undefined) return undefined
  await state.load([quote])
  const quoteProgram = state.accounts.get(quote)?.owner ?? TOKEN_PROGRAM
  const token = { mint, tokenProgram }
  return readCurve(curve, state.accounts.get(curve), token, { mint: quote, tokenProgram: quoteProgram })
}

/**
 * By what can be had for the token: a pool priced in a token that is worth something before all
 * others, then the deeper one, because an author makes up as many of his own tokens as he likes.
 * Launch curves that are still open hold little and are the market.
 */
export function byDepth(a: PoolReport, b: PoolReport): number {
  const known = Number(isValuable(b.quoteMint)) - Number(isValuable(a.quoteMint))
  if (known !== 0) return known
  if (a.quoteMint === b.quoteMint && !isCurve(a) && !isCurve(b)) {
    return compare(b.reserves.quote ?? 0n, a.reserves.quote ?? 0n)
  }
  const [first, second] = [a, b].map(({ quoteMint, reserves }) => dollarsOf(quoteMint, reserves.quote ?? 0n))
  if (first !== undefined && second !== undefined && !isCurve(a) && !isCurve(b)) return second - first
  return compare(b.reserves.token ?? 0n, a.reserves.token ?? 0n)
}

const isCurve = ({ liquidity }: PoolReport) => liquidity.kind === 'curve'

const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Exchanges whose vaults all belong to one address do not say which pool a vault is of; a node may.
 * `undefined` when two nodes know of none: any account can be opened in the name of an exchange.
 * `unknown` when one alone knows of none, which may leave out what it likes, or no node answers.
 */
async function findByVault(context: Context, mint: Mint, vault: TokenAccount): Promise<Pool | 'unknown' | undefined> {
  const { rpc, budget } = context
  const layout = LAYOUT_OF_VAULT_OWNER.get(vault.owner)
  if (layout === undefined) return undefined
  const requests = layout.vaults.map((offset) => ({
    ...getProgramAccounts({ program: layout.program, names: [{ offset, address: vault.address }] }),
    optional: true,
  }))
  const options = { suspect: mint.address, budget }
  const outcomes = await rpc.batch(requests, options).catch(() => [])
  const own = outcomes.flatMap((outcome) => (outcome.ok ? outcome.value : []))
  const named = await namedBy(context, own, { mint, vault })
  if (named !== undefined) return named
  const others = await Promise.all(requests.map((request) => rpc.secondOpinion(request, options)))
  const second = await namedBy(
    context,
    others.flatMap((other) => other ?? []),
    { mint, vault },
  )
  if (second !== undefined) return second
  const isTold = outcomes.length > 0 && outcomes.every(({ ok }) => ok) && others.every((other) => other !== undefined)
  return isTold ? undefined : 'unknown'
}

/** The pool among these accounts that a vault is of. */
async function namedBy(
  { state }: Context,
  accounts: readonly { address: SolanaAddress; account: SolanaAccount }[],
  { mint, vault }: { mint: Mint; vault: TokenAccount },
): Promise<Pool | undefined> {
  const time = state.clock.unixTime
  const found = accounts.find(({ address, account }) => {
    const pool = readPool(address, account, time)
    return pool && holdsReserves(pool, mint.address, vault.address)
  })
  if (found === undefined) return undefined
  // The node's own word for the account's data is not taken over: it is read with everything else.
  await state.load([found.address])
  return readPool(found.address, state.accounts.get(found.address), time)
}

/** What a pool's report is made of. */
function accountsOf({ vaults, mints, liquidity, program }: Pool): SolanaAddress[] {
  return [...vaults, ...mints, program, ...(liquidity.kind === 'lp-token' ? [liquidity.mint] : [])]
}

/**
 * Not of pools that hold nothing to sell for.
 */
function isUnseen({ isTrusted }: Context, { lockedBps, liquidity, reserves, quoteMint }: PoolReport): boolean {
  if (isTrusted || lockedBps !== undefined || !isValuable(quoteMint)) return false
  if (isNextToNothing(quoteMint, reserves.quote ?? 0n)) return false
  return liquidity.kind === 'lp-token' ? liquidity.issued > 0n : liquidity.kind === 'positions'
}

async function describePool(context: Context, mint: Mint, pool: Pool): Promise<PoolReport> {
  const { accounts } = context.state
  const side = sideOf(pool, mint.address) ?? 0
  const other = side === 0 ? 1 : 0
  const balance = (vault: SolanaAddress) => {
    const account = parseTokenAccount(vault, accounts.get(vault))
    // Coins of a launch curve lie on its own account.
    return account?.amount ?? (pool.liquidity.kind === 'curve' ? accounts.get(vault)?.lamports : undefined)
  }
  const quote = balance(pool.vaults[other])
  const reserves = { token: balance(pool.vaults[side]), quote }
  return {
    pool,
    name: venueName(pool.venue),
    reserves,
    price: priceOf(pool, accounts.get(pool.address), { side, reserves }),
    quoteDecimals: parseMint(pool.mints[other], accounts.get(pool.mints[other]))?.decimals,
    isQuoteFrozen: parseTokenAccount(pool.vaults[other], accounts.get(pool.vaults[other]))?.frozen ?? false,
    quoteMint: pool.mints[other],
    liquidity: pool.liquidity,
    ...(await readLiquidity(context, pool, { side: other, reserve: quote ?? 0n })),
  }
}

/** Who can take the liquidity out. Positions in what is worth nothing are not asked for. */
async function readLiquidity(
  context: Context,
  pool: Pool,
  paying: { side: 0 | 1; reserve: bigint },
): Promise<PositionsFound> {
  if (pool.liquidity.kind !== 'positions') return { positions: [], lockedBps: await lockedShare(context, pool) }
  const isAsked = !context.isTrusted && isValuable(pool.mints[paying.side])
  if (!isAsked) return NOT_KNOWN
  return pool.venue === 'meteora-dlmm' ? readBinPositions(context, pool, paying) : readPositions(context, pool, paying)
}

/**
 * Share of the liquidity that cannot be taken out: burnt, sent where no key is known, or locked.
 */
async function lockedShare({ rpc, state, budget }: Context, { liquidity }: Pool): Promise<number | undefined> {
  if (liquidity.kind === 'curve') return FULL_BPS
  if (liquidity.kind === 'positions') return undefined
  if (liquidity.kind === 'shares') return shareOf(liquidity.locked, liquidity.total)
  const lp = parseMint(liquidity.mint, state.accounts.get(liquidity.mint))
  if (lp === undefined || liquidity.issued === 0n) return undefined
  const burnt = liquidity.issued > lp.supply ? liquidity.issued - lp.supply : 0n
  if (burnt === liquidity.issued) return FULL_BPS
  const largest = await rpc
    .call(getTokenLargestAccounts(lp.address), { suspect: lp.address, budget })
    .then(({ value }) => value)
    .catch(() => undefined)
  if (largest === undefined) return undefined
  await state.load(largest.map(({ address }) => address))
  if (isIncomplete(state, lp, largest)) return undefined
  const lost = lostOf(lp.address, largest, state.accounts)
  return shareOf(burnt + lost, liquidity.issued)
}

const FULL_BPS = 10_000

const shareOf = (part: bigint, whole: bigint) =>
  whole === 0n ? undefined : Number(((part > whole ? whole : part) * 10_000n) / whole)

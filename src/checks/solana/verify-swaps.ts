import { randomBytes } from 'node:crypto'
import type { Clock } from '../../clock.js'
import { BaseError } from '../../errors.js'
import { bytesToHex, type Hex } from '../../hex.js'
import type { RpcBudget } from '../../rpc/budget.js'
import type { SolanaAddress } from '../../solana/address.js'
import { openSolanaState, type SolanaState } from '../../solana/chain-state.js'
import { readInactiveFeatures } from '../../solana/features.js'
import { POOL_LAYOUTS, PUMP_CURVE, venueName } from '../../solana/pools/layouts.js'
import type { Pool } from '../../solana/pools/pool.js'
import { deployedSlotOf, type ProvenSwap } from '../../solana/pools/proven-swaps.js'
import { readCurve, readCurveQuote, readPool } from '../../solana/pools/read-pool.js'
import { SWAP_ADAPTERS } from '../../solana/pools/swap.js'
import type { ProgramMemory } from '../../solana/program-memory.js'
import { USDC, WRAPPED_SOL } from '../../solana/programs.js'
import { getProgramAccounts } from '../../solana/rpc/solana-methods.js'
import type { SolanaRpc } from '../../solana/rpc/solana-rpc-client.js'
import type { SvmEngine } from '../../solana/svm/engine.js'
import { defineSvmScenario } from '../../solana/svm/svm-scenario.js'
import { parseMint } from '../../solana/token/mint.js'
import { amountIn } from '../../solana/token/token-account.js'
import { createPeople } from './play/people.js'
import type { SwapFacts } from './play/play-facts.js'
import { openAccount } from './play/play-stage.js'
import { playSwap, setUpSwap } from './play/swaps.js'

export interface VerifyDependencies {
  rpc: SolanaRpc
  engine: SvmEngine
  programs: ProgramMemory
  clock: Clock
  maxHeadAgeMs: number
}

/** What came of our swaps on one exchange's program, each line a pool and a direction. */
export interface VerifiedProgram {
  name: string
  program: SolanaAddress
  trials: readonly Trial[]
  /** Said of the whole where nothing was tried. */
  reason: string | undefined
  /** All trials worked. */
  proven: ProvenSwap | undefined
}

export interface Trial {
  pool: SolanaAddress
  /** What was bought and sold again. */
  token: SolanaAddress
  lossBps: number
  /** Why it does not count; `undefined` when it worked. */
  problem: string | undefined
}

/**
 * Plays our swaps with the real programs and pools of a cluster, on a private copy: in the pools
 * that are named, on the launch curves of the mints that are named, and on all other exchanges in
 * the deepest pools of coins and dollars that a node finds.
 */
export async function verifySwaps(
  dependencies: VerifyDependencies,
  named: readonly SolanaAddress[],
): Promise<VerifiedProgram[]> {
  const { rpc } = dependencies
  const budget = rpc.createBudget({})
  const curves = named.map((mint) => PUMP_CURVE.addressOf(mint)).filter((curve) => curve !== undefined)
  const state = await openSolanaState({ ...dependencies, budget, address: WRAPPED_SOL }, [...named, ...curves])
  const inactiveFeatures = await readInactiveFeatures(rpc, budget)
  const pools = await readNamed(state, named)
  const verified: VerifiedProgram[] = []
  for (const { id, program } of [...POOL_LAYOUTS, PUMP_CURVE]) {
    const own = pools.filter((pool) => pool.program === program)
    const found = own.length > 0 || id === PUMP_CURVE.id ? own : await findSamples(rpc, state, program, budget)
    await state.load([program])
    const deployedSlot = deployedSlotOf(program, state.accounts)
    const trials: Trial[] = []
    for (const pool of found) trials.push(...(await tryPool(dependencies, state, inactiveFeatures, pool)))
    const works = trials.length > 0 && trials.every(({ problem }) => problem === undefined)
    const reason = deployedSlot === undefined ? 'the cluster has no such program' : 'no pool was found: name one'
    verified.push({
      ...{ name: venueName(id), program, trials },
      reason: trials.length === 0 ? reason : undefined,
      proven: works && deployedSlot !== undefined ? { venue: id, program, deployedSlot } : undefined,
    })
  }
  return verified
}

/** Pools by their own address, launch curves by the mint. */
async function readNamed(state: SolanaState, named: readonly SolanaAddress[]): Promise<Pool[]> {
  const pools: Pool[] = []
  for (const address of named) {
    const pool = readPool(address, state.accounts.get(address), state.clock.unixTime)
    const curve = PUMP_CURVE.addressOf(address)
    const quote = curve && readCurveQuote(state.accounts.get(curve))
    if (pool) pools.push(pool)
    if (curve === undefined || quote === undefined) continue
    await state.load([quote])
    const [mint, quoteMint] = [address, quote].map((each) => parseMint(each, state.accounts.get(each)))
    const read = mint && quoteMint && readCurve(curve, state.accounts.get(curve), asToken(mint), asToken(quoteMint))
    if (read) pools.push(read)
  }
  return pools
}

const asToken = ({ address: mint, tokenProgram }: { address: SolanaAddress; tokenProgram: SolanaAddress }) => ({
  mint,
  tokenProgram,
})

/** Pools of coins against dollars: of the exchanges that have one, it is not the least. */
async function findSamples(
  rpc: SolanaRpc,
  state: SolanaState,
  program: SolanaAddress,
  budget: RpcBudget,
): Promise<Pool[]> {
  const layout = POOL_LAYOUTS.find((each) => each.program === program)
  if (layout === undefined || SWAP_ADAPTERS[layout.id] === undefined) return []
  const [first, second] = layout.mints
  const requests = [
    [WRAPPED_SOL, USDC],
    [USDC, WRAPPED_SOL],
  ].map(([a = USDC, b = USDC]) => ({
    ...getProgramAccounts({
      program,
      names: [
        { offset: first, address: a },
        { offset: second, address: b },
      ],
    }),
    optional: true,
  }))
  const outcomes = await rpc.batch(requests, { suspect: WRAPPED_SOL, budget }).catch(() => [])
  const listed = outcomes.flatMap((outcome) => (outcome.ok ? outcome.value.map(({ address }) => address) : []))
  await state.load(listed)
  const pools = listed
    .map((address) => readPool(address, state.accounts.get(address), state.clock.unixTime))
    .filter((pool) => pool?.status === 'open')
    .filter((pool) => pool !== undefined)
  await state.load(pools.flatMap(({ vaults }) => vaults))
  const depth = ({ mints, vaults }: Pool) =>
    amountIn(state.accounts.get(vaults[mints.indexOf(WRAPPED_SOL)] ?? program)?.data) ?? 0n
  return pools.sort((a, b) => Number(depth(b) - depth(a))).slice(0, SAMPLES)
}

/** Two agree, or one of them is odd. */
const SAMPLES = 2

/** Both tokens of a pool, each bought for the other and sold again; of a launch curve, its own. */
async function tryPool(
  { engine }: VerifyDependencies,
  state: SolanaState,
  inactiveFeatures: readonly SolanaAddress[] | undefined,
  pool: Pool,
): Promise<Trial[]> {
  const trials: Trial[] = []
  for (const token of pool.venue === PUMP_CURVE.id ? pool.mints.slice(0, 1) : pool.mints) {
    const input = { pool: { ...pool, isProven: true }, token, seed: bytesToHex(randomBytes(32)) }
    const svmState = { start: () => ({ ...state.start(), inactiveFeatures }), load: state.load }
    const played = engine.play(tradeOnce, input, { state: svmState })
    const trial = await played.then(
      (facts) => ({ lossBps: facts?.lossBps ?? FULL_BPS, problem: problemOf(facts) }),
      (error: unknown) => ({ lossBps: FULL_BPS, problem: wordsOf(error) }),
    )
    trials.push({ pool: pool.address, token, ...trial })
  }
  return trials
}

const FULL_BPS = 10_000
/** The dearest tiers take 4 %, there and back; what a trade moves the price is less than one. */
const MOST_LOSS_BPS = 1_000

/** Code that resists, or a node that fails: this pool alone could not be tried. */
function wordsOf(error: unknown): string {
  if (error instanceof BaseError) return error.shortMessage
  throw error
}

function problemOf(facts: SwapFacts | undefined): string | undefined {
  if (facts === undefined) return 'no swap can be made for it'
  const { buy, sell, lossBps } = facts
  if (!buy.ok) return `bought nothing: ${buy.reason}`
  if (!sell.ok) return `sold nothing: ${sell.reason}`
  return lossBps > MOST_LOSS_BPS ? 'more was lost than fees and prices take' : undefined
}

/** Buys and sells in a pool, and says what came of it whatever that is. */
export const tradeOnce = defineSvmScenario<{ pool: Pool; token: SolanaAddress; seed: Hex }, SwapFacts | undefined>({
  module: import.meta.url,
  name: 'tradeOnce',
  run(fork, { pool, token, seed }) {
    const mint = parseMint(token, fork.account(token))
    if (mint === undefined) return undefined
    const people = createPeople(seed)
    fork.dressAs(people.dress)
    const trader = openAccount(fork, mint, { owner: people.wallet('trader'), lamports: people.lamports('trader') })
    const stage = setUpSwap(fork, pool, mint, { trader, people })
    return stage && playSwap(fork, stage)
  },
})

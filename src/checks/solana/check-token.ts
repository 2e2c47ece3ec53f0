import type { Clock } from '../../clock.js'
import type { Hex } from '../../hex.js'
import type { RpcBudget } from '../../rpc/budget.js'
import type { SolanaAddress } from '../../solana/address.js'
import { classifyAuthority, isReplaceableByWallet } from '../../solana/authority.js'
import { openSolanaState, type SolanaState } from '../../solana/chain-state.js'
import { readInactiveFeatures } from '../../solana/features.js'
import { PUMP_CURVE, usualPoolsOf } from '../../solana/pools/layouts.js'
import { isProven, type ProvenSwap } from '../../solana/pools/proven-swaps.js'
import { sideOf } from '../../solana/pools/read-pool.js'
import type { ProgramMemory } from '../../solana/program-memory.js'
import { ATA_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/programs.js'
import { getTokenLargestAccounts, type LargestAccount } from '../../solana/rpc/solana-methods.js'
import type { SolanaRpc } from '../../solana/rpc/solana-rpc-client.js'
import type { SvmEngine } from '../../solana/svm/engine.js'
import { type Mint, parseMint } from '../../solana/token/mint.js'
import { findAccountDependencies } from './account-dependencies.js'
import { doubtsOf } from './doubts.js'
import { findPools } from './find-pools.js'
import type { GroupStanding } from './group-standing.js'
import { judge } from './judge.js'
import { heldPowers } from './judge-mint.js'
import type { PlayFacts } from './play/play-facts.js'
import { failedLeg } from './play/play-stage.js'
import { type Played, playOut } from './play-out.js'
import { readGroups } from './read-groups.js'
import { readSolanaHistory } from './read-history.js'
import { metadataAddress, NAMELESS, pointedAt, readAllNames } from './read-names.js'
import type { ReadSets } from './read-sets.js'
import { createReadSolanaOrigin, type ReadSolanaOrigin } from './read-solana-origin.js'
import { chooseVault, classifyHolders, firstAccountsOf, isIncomplete, readHook, readLargest } from './read-token.js'
import { findContradictions } from './second-opinion.js'
import type { SolanaReport, SolanaTokenReport } from './solana-report.js'
import { findOriginal, type TrustedMints } from './trusted-mints.js'

export interface SolanaTarget {
  address: SolanaAddress
  /** Whose analysis it is: callers take turns where one has to wait for another. */
  caller?: string
  /** Fires when the client left or the deadline passed; the work then stops. */
  signal?: AbortSignal
}

export interface SolanaCheckDependencies {
  rpc: SolanaRpc
  engine: SvmEngine
  programs: ProgramMemory
  readSets: ReadSets
  trusted: TrustedMints
  clock: Clock
  /** Makes up people that no program can have met: another seed each time. */
  newSeed(): Hex
  maxHeadAgeMs: number
  /** Swaps that this installation has seen work, besides those that are known to. */
  proven?: readonly ProvenSwap[]
  onGap?(gap: string, error: unknown): void
}

/**
 * Reads, trades and judges one token. Rejects when no node answers; everything else that fails is a
 * gap of the report.
 */
export type CheckSolanaToken = (target: SolanaTarget) => Promise<SolanaReport>

export function createCheckSolanaToken(dependencies: SolanaCheckDependencies): CheckSolanaToken {
  const { rpc } = dependencies
  const readFeatures = createFeatureMemory(rpc)
  const readOrigin = createReadSolanaOrigin(rpc)
  return async ({ address, caller, signal }) => {
    const budget = rpc.createBudget({ signal, caller })
    const check = {
      ...dependencies,
      budget,
      caller,
      signal,
      address,
      gaps: [] as string[],
      readFeatures,
      readOrigin,
    }
    const [state, largest] = await Promise.all([openState(check), readLargestAccounts(check)])
    const mint = parseMint(address, state.accounts.get(address))
    if (mint === undefined) return notAMint(check, state)
    return checkMint(check, state, mint, largest)
  }
}

const NOTHING_PLAYED: Played = { play: undefined, trial: undefined }

type ReadFeatures = (epoch: bigint, budget: RpcBudget) => Promise<readonly SolanaAddress[] | undefined>

/** Rules change where epochs meet: what is not switched on is asked once an epoch. */
function createFeatureMemory(rpc: SolanaRpc): ReadFeatures {
  let known: { epoch: bigint; inactive: readonly SolanaAddress[] } | undefined
  return async (epoch, budget) => {
    if (known?.epoch === epoch) return known.inactive
    const inactive = await readInactiveFeatures(rpc, budget)
    if (inactive !== undefined) known = { epoch, inactive }
    return inactive
  }
}

interface Check extends SolanaCheckDependencies {
  budget: RpcBudget
  caller: string | undefined
  signal: AbortSignal | undefined
  address: SolanaAddress
  readFeatures: ReadFeatures
  readOrigin: ReadSolanaOrigin
  /** What could not be seen or tried, for the report. */
  gaps: string[]
}

function openState(check: Check): Promise<SolanaState> {
  const { address, readSets } = check
  const metadata = metadataAddress(address)
  const curve = PUMP_CURVE.addressOf(address)
  const usual = usualPoolsOf(address)
  const always = [address, TOKEN_PROGRAM, TOKEN_2022_PROGRAM, ATA_PROGRAM, metadata, curve, ...usual].filter(
    (each) => each !== undefined,
  )
  return openSolanaState(check, [...always, ...readSets.recall(address)])
}

/**
 * By up to two nodes, each of which may leave out what it likes: a list of each. `undefined`
 * when no node will say. Refused by many public ones, and by all for what is no mint.
 */
async function readLargestAccounts({ rpc, address, budget }: Check): Promise<LargestAccount[][] | undefined> {
  const request = { ...getTokenLargestAccounts(address), optional: true }
  const options = { suspect: address, budget }
  const [[first], second] = await Promise.all([
    rpc.batch([request], options).catch(() => []),
    rpc.endpoints < 2 ? undefined : rpc.secondOpinion(request, options),
  ])
  const lists = [first?.ok ? first.value.value : undefined, second?.value].filter((list) => list !== undefined)
  return lists.length === 0 ? undefined : lists
}

async function notAMint(check: Check, state: SolanaState): Promise<SolanaReport> {
  const history = await readSolanaHistory(check.rpc, [check.address], state.clock.unixTime, check.budget)
  const isProgram = state.accounts.get(check.address)?.executable === true
  return { kind: 'not-a-mint', slots: state.slots, time: state.clock.unixTime, isProgram, history }
}

async function checkMint(
  check: Check,
  state: SolanaState,
  mint: Mint,
  lists: readonly LargestAccount[][] | undefined,
): Promise<SolanaTokenReport> {
  const { gaps, trusted } = check
  const named = lists?.flat()
  if (named === undefined) gaps.push('no node named the largest accounts, so that holders and pools are unknown')
  gaps.push(...doubtsOf(state, mint, check.rpc.endpoints))
  const features = check.readFeatures(state.clock.epoch, check.budget)
  const pointed = pointedAt(mint)
  await state.load([...firstAccountsOf(mint, named ?? []), ...(pointed ? [pointed] : [])])
  const { accounts: largest, contradicted } = readLargest(state, mint, named ?? [])
  await state.load(largest.map(({ owner }) => owner))
  const found = await findPools(
    { rpc: check.rpc, budget: check.budget, state, isTrusted: trusted.has(mint.address) },
    mint,
    largest,
  )
  if (contradicted || lists?.some((list) => isIncomplete(state, mint, list))) {
    gaps.push('the node contradicts itself about the largest accounts')
  }
  for (const { name, pool } of found.unseen) {
    gaps.push(`no node said who can take the liquidity out of ${name} ${pool.address}`)
  }
  if (found.hidden) gaps.push('a pool of a known exchange could not be looked up')
  const hook = await readHook(state, mint)
  // What is known of an issuer for itself does not rest on how keys are kept.
  const holding = trusted.has(mint.address) ? [] : heldPowers(mint).map(({ holder }) => holder)
  const groups = await readGroups({ rpc: check.rpc, budget: check.budget, state }, holding)
  for (const holder of groups.unseen) gaps.push(`no node said who is behind ${holder}`)
  const [main] = found.pools
  const side = main && sideOf(main.pool, mint.address)
  const mainVault = main && side !== undefined ? main.pool.vaults[side] : undefined
  const holders = classifyHolders(state, largest, new Set(found.pools.flatMap(({ pool }) => pool.vaults)))
  const vault = chooseVault(holders, main && mainVault && { account: mainVault, owner: main.pool.vaultOwner })
  const history = readSolanaHistory(
    check.rpc,
    [mint.address, ...(mainVault ? [mainVault] : [])],
    state.clock.unixTime,
    check.budget,
  )
  const origin = check.readOrigin({
    mint,
    pool: main?.pool.address,
    slot: state.slots.last,
    budget: check.budget,
  })
  const inactiveFeatures = await features
  if (inactiveFeatures === undefined) gaps.push('no node said which rules of the runtime are in force')
  const steady = new Set(state.accounts.keys())
  const played = await playOut(check, state, {
    vault,
    pool: main && { ...main.pool, isProven: isProven(check.proven ?? [], main.pool, state.accounts) },
    mint,
    holders,
    inactiveFeatures,
  })
  const pools = new Set(found.pools.map(({ pool }) => pool.address))
  const { words, isCodeForged } = await findContradictions(check, state, { pools, steady })
  gaps.push(...words)
  const { play, trial } = isCodeForged ? NOTHING_PLAYED : played
  // What follows from the invented people is asked for once, and is never there.
  const isLasting = ([address, account]: [SolanaAddress, unknown]) => account !== undefined || steady.has(address)
  const lasting = [...state.accounts].filter(isLasting).map(([address]) => address)
  check.readSets.remember(mint.address, lasting)

  const all = readAllNames(mint, (each) => state.accounts.get(each))
  const [names = NAMELESS] = all
  const judgement = judge({
    mint,
    epoch: state.clock.epoch,
    time: state.clock.unixTime,
    names,
    original: all.map((each) => findOriginal(mint.address, each, trusted)).find((each) => each !== undefined),
    isTrusted: trusted.has(mint.address),
    play,
    trial,
    groups: groups.standings,
    unseen: groups.unseen,
    hook,
    holders: named && holders,
    pools: found.pools,
    gaps,
  })
  return {
    kind: 'token',
    slots: state.slots,
    time: state.clock.unixTime,
    epoch: state.clock.epoch,
    mint,
    names,
    trusted: trusted.get(mint.address)?.symbol,
    transfer: play?.transfer ?? failedLeg('not tried'),
    gaps,
    play,
    trial,
    authorities: describeAuthorities(state, mint, play, groups.standings),
    hook,
    holders: named && holders,
    pools: found.pools,
    history: await history,
    dependencies: findAccountDependencies(state, mint, { pools: found.pools, moved: play?.trace.moved ?? [] }),
    origin: await origin,
    ...judgement,
  }
}

function describeAuthorities(
  state: SolanaState,
  mint: Mint,
  play: PlayFacts | undefined,
  groups: ReadonlyMap<SolanaAddress, GroupStanding>,
): SolanaTokenReport['authorities'] {
  return heldPowers(mint).map(({ id, holder }) => {
    const account = state.accounts.get(holder)
    const isReplaceable = isReplaceableByWallet((each) => state.accounts.get(each), account)
    const own = classifyAuthority(holder, account, isReplaceable)
    const group = own.kind === 'program' || own.kind === 'multisig' ? groups.get(holder) : undefined
    // Where a program decides by its rules alone, no number of persons must agree.
    const threshold = group && group.threshold.required > 0 ? group.threshold : undefined
    const authority = group ? { ...own, kind: group.kind, threshold } : own
    const power = play?.powers.find((each) => each.id === id)
    return { power: id, authority, group, proven: power?.proven, detail: power?.detail ?? 'not tried' }
  })
}

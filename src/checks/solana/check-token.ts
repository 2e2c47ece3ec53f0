import { createHmac } from 'node:crypto'
import type { Clock } from '../../clock.js'
import { type RpcBudget, RpcBudgetError } from '../../rpc/budget.js'
import { addressAt, type SolanaAddress } from '../../solana/address.js'
import { classifyAuthority } from '../../solana/authority.js'
import { openSolanaState, type SolanaState } from '../../solana/chain-state.js'
import { DEFAULT_SLOTS_PER_EPOCH } from '../../solana/clock.js'
import { isOnCurve } from '../../solana/pda.js'
import { PUMP_CURVE } from '../../solana/pools/layouts.js'
import { sideOf } from '../../solana/pools/read-pool.js'
import type { ProgramMemory } from '../../solana/program-memory.js'
import { ATA_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../solana/programs.js'
import { type SolanaRpc, SolanaUnavailableError } from '../../solana/rpc/client.js'
import {
  getEpochSchedule,
  getMultipleAccounts,
  getTokenLargestAccounts,
  type LargestAccount,
} from '../../solana/rpc/methods.js'
import type { SvmEngine } from '../../solana/svm/engine.js'
import { SvmResistedError } from '../../solana/svm/fork.js'
import { SvmUnavailableError } from '../../solana/svm/load-litesvm.js'
import { type Mint, parseMint } from '../../solana/token/mint.js'
import { type FoundPools, findPools } from './find-pools.js'
import { judge } from './judge.js'
import { heldPowers } from './judge-mint.js'
import type { PlayFacts } from './play/facts.js'
import { type PlayInput, playToken } from './play/play-token.js'
import { failedLeg } from './play/stage.js'
import { readSolanaHistory } from './read-history.js'
import { metadataAddress, readNames } from './read-names.js'
import type { ReadSets } from './read-sets.js'
import { chooseVault, classifyHolders, firstAccountsOf, readHook, readLargest, sameRules } from './read-token.js'
import type { SolanaReport, SolanaTokenReport } from './report.js'
import { findOriginal, type TrustedMints } from './trusted-mints.js'

export interface SolanaTarget {
  address: SolanaAddress
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
  /** Makes the addresses of invented traders, which nobody may know beforehand. */
  secret: Uint8Array
  maxHeadAgeMs: number
  onGap?(gap: string, error: unknown): void
}

/** Reads, trades and judges one token. Rejects when no node answers; everything else that fails is a gap of the report. */
export type CheckSolanaToken = (target: SolanaTarget) => Promise<SolanaReport>

export function createCheckSolanaToken(dependencies: SolanaCheckDependencies): CheckSolanaToken {
  const { rpc } = dependencies
  let slotsPerEpoch: bigint | undefined
  const readSlotsPerEpoch = async (budget: RpcBudget) => {
    slotsPerEpoch ??= await rpc.call(getEpochSchedule(), { budget }).catch(() => undefined)
    return slotsPerEpoch && slotsPerEpoch > 0n ? slotsPerEpoch : DEFAULT_SLOTS_PER_EPOCH
  }
  return async ({ address, signal }) => {
    const budget = rpc.createBudget(signal ? { signal } : {})
    const epoch = await readSlotsPerEpoch(budget)
    const check = { ...dependencies, budget, signal, address, slotsPerEpoch: epoch, gaps: [] as string[] }
    const [state, largest] = await Promise.all([openState(check), readLargestAccounts(check)])
    const mint = parseMint(address, state.accounts.get(address))
    if (mint === undefined) return notAMint(check, state)
    return checkMint(check, state, mint, largest)
  }
}

interface Check extends SolanaCheckDependencies {
  budget: RpcBudget
  signal: AbortSignal | undefined
  address: SolanaAddress
  slotsPerEpoch: bigint
  /** What could not be seen or tried, for the report. */
  gaps: string[]
}

function openState(check: Check): Promise<SolanaState> {
  const { address, readSets } = check
  const metadata = metadataAddress(address)
  const curve = PUMP_CURVE.addressOf(address)
  const always = [address, TOKEN_PROGRAM, TOKEN_2022_PROGRAM, ATA_PROGRAM, metadata, curve].filter(
    (each) => each !== undefined,
  )
  return openSolanaState(check, [...always, ...readSets.recall(address)])
}

/** `undefined` when no node will say. Refused by many public ones, and by all for what is no mint. */
async function readLargestAccounts({ rpc, address, budget }: Check): Promise<LargestAccount[] | undefined> {
  const [outcome] = await rpc
    .batch([{ ...getTokenLargestAccounts(address), optional: true }], { budget })
    .catch(() => [])
  return outcome?.ok ? outcome.value.value : undefined
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
  named: readonly LargestAccount[] | undefined,
): Promise<SolanaTokenReport> {
  const { gaps, trusted } = check
  if (named === undefined) gaps.push('no node named the largest accounts, so that holders and pools are unknown')
  const agreed = confirmMint(check, state)
  await state.load(firstAccountsOf(mint, named ?? []))
  const { accounts: largest, contradicted } = readLargest(state, mint, named ?? [])
  if (contradicted) gaps.push('the node contradicts itself about the largest accounts')
  await state.load(largest.map(({ owner }) => owner))
  const found = await findPools({ rpc: check.rpc, budget: check.budget, state }, mint, largest)
  if (found.hidden) gaps.push('a pool of a known exchange could not be looked up')
  const hook = await readHook(state, mint)
  const [main] = found.pools
  const side = main && sideOf(main.pool, mint.address)
  const mainVault = main && side !== undefined ? main.pool.vaults[side] : undefined
  const holders = classifyHolders(state, largest, new Set(found.pools.flatMap(({ pool }) => pool.vaults)))
  const vault = chooseVault(holders, mainVault)
  const history = readSolanaHistory(
    check.rpc,
    [mint.address, ...(mainVault ? [mainVault] : [])],
    state.clock.unixTime,
    check.budget,
  )
  const play = await playOut(check, state, { vault, pool: main?.pool })
  if (!(await agreed)) gaps.push('two nodes contradict each other about this mint')
  check.readSets.remember(mint.address, [...state.accounts.keys()])

  const names = readNames(mint, state.accounts.get(metadataAddress(mint.address) ?? mint.address))
  const judgement = judge({
    mint,
    epoch: state.clock.epoch,
    names,
    original: findOriginal(mint.address, names, trusted),
    isTrusted: trusted.has(mint.address),
    play,
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
    authorities: describeAuthorities(state, mint, play),
    hook,
    holders: named && holders,
    pools: found.pools,
    history: await history,
    ...judgement,
  }
}

/** Asks a second node about the mint, where there is one: a single node may say anything. True when nobody contradicts. */
async function confirmMint({ rpc, address, budget }: Check, state: SolanaState): Promise<boolean> {
  if (rpc.endpoints < 2) return true
  const answer = await rpc.secondOpinion(getMultipleAccounts({ addresses: [address] }), { budget })
  return answer === undefined || sameRules(answer.value[0], state.accounts.get(address))
}

/** Plays on the fork, and once more when the cluster moved on while its accounts were being collected. */
async function playOut(
  check: Check,
  state: SolanaState,
  market: Pick<PlayInput, 'vault'> & { pool: FoundPools['pools'][number]['pool'] | undefined },
): Promise<PlayFacts | undefined> {
  const { engine, address, secret, signal, gaps, onGap } = check
  const invent = (role: string) => inventWallet(secret, `${role}:${address}`)
  const input: PlayInput = {
    mint: address,
    trader: invent('trader'),
    stranger: invent('stranger'),
    dealer: invent('dealer'),
    ...market,
  }
  try {
    const play = await engine.play(playToken, input, { state, signal })
    const isStale = await state.settle()
    return isStale ? await engine.play(playToken, input, { state, signal }) : play
  } catch (error) {
    const gap = gapOf(error, signal)
    if (gap === undefined) throw error
    gaps.push(gap)
    onGap?.(gap, error)
    return undefined
  }
}

/** An address that looks like a person's: on the curve, as a program may ask. */
function inventWallet(secret: Uint8Array, role: string): SolanaAddress {
  for (let turn = 0; ; turn += 1) {
    const address = addressAt(createHmac('sha256', secret).update(`${role}:${turn}`).digest())
    // Every other hash is on the curve.
    if (turn >= MAX_TURNS || isOnCurve(address)) return address
  }
}

const MAX_TURNS = 64

/** What kept us from playing, for the report; `undefined` when no node answers or nobody waits any more, which ends the whole check. */
function gapOf(error: unknown, signal: AbortSignal | undefined): string | undefined {
  if (signal?.aborted || error instanceof RpcBudgetError || error instanceof SolanaUnavailableError) return undefined
  const isKnown = error instanceof SvmUnavailableError || error instanceof SvmResistedError
  return isKnown ? error.shortMessage : 'trading could not be tried'
}

function describeAuthorities(
  state: SolanaState,
  mint: Mint,
  play: PlayFacts | undefined,
): SolanaTokenReport['authorities'] {
  return heldPowers(mint).map(({ id, holder }) => {
    const authority = classifyAuthority(holder, state.accounts.get(holder))
    const power = play?.powers.find((each) => each.id === id)
    return { power: id, authority, proven: power?.proven, detail: power?.detail ?? 'not tried' }
  })
}

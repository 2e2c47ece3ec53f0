import type { Hex } from '../../hex.js'
import { type RpcBudget, RpcBudgetError } from '../../rpc/budget.js'
import { isMachineBusy } from '../../scheduling/machine-load.js'
import { addressBytes, type SolanaAddress } from '../../solana/address.js'
import type { SolanaState } from '../../solana/chain-state.js'
import { findProgramAddress } from '../../solana/pda.js'
import { UPGRADEABLE_LOADER } from '../../solana/programs.js'
import { type SolanaRpc, SolanaUnavailableError } from '../../solana/rpc/solana-rpc-client.js'
import type { SvmEngine } from '../../solana/svm/engine.js'
import { type ForkStart, SvmResistedError } from '../../solana/svm/fork.js'
import { SvmUnavailableError } from '../../solana/svm/load-litesvm.js'
import type { Mint } from '../../solana/token/mint.js'
import { missingPrograms } from './doubts.js'
import { createPeople } from './play/people.js'
import type { PlayFacts } from './play/play-facts.js'
import { type PlayInput, playToken } from './play/play-token.js'
import type { Holder, NodeTrial } from './solana-report.js'
import { tryOnNode } from './try-on-node.js'

export interface PlayOptions {
  rpc: SolanaRpc
  engine: SvmEngine
  budget: RpcBudget
  caller: string | undefined
  signal: AbortSignal | undefined
  address: SolanaAddress
  /** Makes up people that no program can have met: another seed each time. */
  newSeed(): Hex
  /** What could not be seen or tried, for the report. */
  gaps: string[]
  onGap?(gap: string, error: unknown): void
}

export interface Market {
  vault: PlayInput['vault']
  pool: PlayInput['pool']
  mint: Mint
  holders: readonly Holder[]
  /** Changes of rules that the cluster has not switched on; `undefined` when no node says. */
  inactiveFeatures: readonly SolanaAddress[] | undefined
}

/** What was tried, here or else by a node. */
export interface Played {
  play: PlayFacts | undefined
  trial: NodeTrial | undefined
}

/**
 * Plays on the fork, and once more when the cluster moved on while its accounts were being
 * collected. Where that fails, a node tries a little.
 */
export async function playOut(options: PlayOptions, state: SolanaState, market: Market): Promise<Played> {
  const { engine, address, caller, signal, gaps, onGap } = options
  const seed = options.newSeed()
  const { vault, pool, inactiveFeatures } = market
  const input: PlayInput = {
    mint: address,
    seed,
    vault,
    pool,
  }
  const start = (): ForkStart => ({ ...state.start(), accounts: withOwnPrograms(state), inactiveFeatures })
  const svmState = { start, load: state.load }
  try {
    const run = { state: svmState, caller, signal }
    const play = await engine.play(playToken, input, run)
    const isStale = await state.settle()
    return { play: isStale ? await engine.play(playToken, input, run) : play, trial: undefined }
  } catch (error) {
    const gap = gapOf(error, signal)
    if (gap === undefined) throw error
    gaps.push(gap)
    onGap?.(gap, error)
    const { wallet } = createPeople(seed)
    const invented = { trader: wallet('trader'), witness: wallet('witness') }
    const trial = vault && (await tryOnNode({ ...options, ...market, ...invented, state, vault }))
    if (trial === 'contradicted') gaps.push('the node contradicts itself about a trade that it simulated')
    return { play: undefined, trial: trial === 'contradicted' ? undefined : trial }
  }
}

/** The machine brings the programs of all tokens along, for when a node does not know them. */
function withOwnPrograms(state: SolanaState): SolanaState['accounts'] {
  const missing = missingPrograms(state)
  if (missing.length === 0) return state.accounts
  const code = missing.map((program) => findProgramAddress(UPGRADEABLE_LOADER, [addressBytes(program)]))
  const own = new Set([...missing, ...code])
  return new Map([...state.accounts].filter(([address]) => !own.has(address)))
}

/**
 * What kept us from playing, for the report; `undefined` when no node answers, the machine is too
 * busy, or no caller waits any more, which ends the whole check.
 */
function gapOf(error: unknown, signal: AbortSignal | undefined): string | undefined {
  if (
    isMachineBusy(error) ||
    signal?.aborted ||
    error instanceof RpcBudgetError ||
    error instanceof SolanaUnavailableError
  )
    return undefined
  const isKnown = error instanceof SvmUnavailableError || error instanceof SvmResistedError
  return isKnown ? error.shortMessage : 'trading could not be tried'
}

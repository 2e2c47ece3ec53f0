import type { Address, Hex } from '../../hex.js'
import { createSharedWork, type SharedWork } from '../../scheduling/shared-work.js'
import type { Simulator } from '../../simulation/simulator.js'
import { seedFor, traderSeedAt } from '../../simulation/trader-seed.js'
import type { StateSource } from '../../state/state-source.js'
import type { BytecodeJudge } from '../bytecode/bytecode-judge.js'
import type { BytecodeReport } from '../bytecode/bytecode-report.js'
import { isFailed, settle } from '../settle.js'
import type { AnalysisTarget } from '../target.js'
import { type OpenState, onPinnedBlock } from '../trade/open-state.js'
import { type AskedWallet, askWallet, isVoid } from './ask-wallet.js'
import type { PhishingFacts } from './phishing-facts.js'
import type { PhishingVerdictReport } from './phishing-report.js'
import { judgePhishing } from './phishing-verdict.js'
import { playWallet } from './play-wallet.js'
import { probeDelegation } from './probe-delegation.js'
import { probeTarget } from './probe-target.js'
import type { WalletReport } from './wallet-report.js'
import { createWorldMemory } from './world-memory.js'

/**
 * Whether an address is out for what others approve, sign or pay: the internal form of the phishing
 * answer.
 */
export interface PhishingReport extends PhishingVerdictReport {
  address: Address
  chainSlug: string
  block: { number: bigint; hash: string; timestamp: bigint }
  /** The code that an account has delegated to (EIP-7702). */
  delegate: Address | undefined
  /** What the wallet that asked is to do; absent where it asked for nothing of its own. */
  wallet: WalletReport | undefined
}

export interface PhishingDependencies {
  openState: OpenState
  simulator: Simulator
  bytecodeJudge: BytecodeJudge
  /**
   * Makes victims that cannot be foreseen: code that knows the next one can spare that one alone.
   */
  traderSecret: Uint8Array
  /** Told when the analysis of the code failed, which fails nothing else. */
  onCheckFailure?(check: 'bytecode', error: unknown): void
}

/**
 * Acts as the victims and the masters of a contract. Rejects when no node can be asked; code that
 * resists gives an inconclusive report.
 */
export function createCheckPhishing(
  dependencies: PhishingDependencies,
): (target: AnalysisTarget) => Promise<PhishingReport> {
  const memory = createWorldMemory()
  const facts = createSharedWork<PhishingFacts>({
    maxEntries: MAX_SEEN,
    // The next look may see what stayed unseen.
    isLasting: ({ gaps }) => gaps.length === 0,
  })
  return onPinnedBlock(dependencies.openState, memory.plan, async (target, state) => {
    const remembering = { ...dependencies, facts }
    const [seen, code, asked] = await Promise.all([
      probe(remembering, target, state),
      readCode(dependencies, target, state),
      askedOf(remembering, target, state),
    ])
    memory.learn(target, state.asked())
    const { number, hash, timestamp } = state.block
    return {
      ...judgePhishing(withAsked(seen, asked), code),
      address: target.address,
      chainSlug: target.chain.slug,
      block: { number, hash, timestamp },
      delegate: seen.delegate,
      wallet: asked?.wallet,
    }
  })
}

/** A wallet's own question is answered for what it asks, and for the contract. */
const withAsked = (facts: PhishingFacts, asked: AskedWallet | undefined): PhishingFacts =>
  asked === undefined
    ? facts
    : { ...facts, findings: [...facts.findings, ...asked.findings], gaps: [...facts.gaps, ...asked.gaps] }

/** What the wallet itself is asked to do; `undefined` where it asked for nothing of its own. */
async function askedOf(
  dependencies: Remembering,
  target: AnalysisTarget,
  state: StateSource,
): Promise<AskedWallet | undefined> {
  const { chain, address: asked, wallet, signal, traderSeed } = target
  if (wallet === undefined) return undefined
  const seed = seedOf(dependencies.traderSecret, { chain, address: asked, traderSeed }, state)
  const shared = { chain, state, ...(signal && { signal }) }
  const { simulator } = dependencies
  return askWallet(
    { ...target, wallet },
    {
      play: (input) => simulator.simulate({ ...shared, scenario: playWallet, input: { ...input, seed } }),
      probe: (address) => probe(dependencies, { ...target, address }, state),
      probeDelegation: (input) =>
        simulator
          .simulate({ ...shared, scenario: probeDelegation, input: { ...input, seed } })
          .catch((error: unknown) => unseen(error)),
    },
  )
}

/**
 * New for each block, because reports show the victim; the same within one, so that a report can be
 * repeated.
 */
function seedOf(
  secret: Uint8Array,
  { chain, address, traderSeed }: Pick<AnalysisTarget, 'chain' | 'address'> & { traderSeed: Hex | undefined },
  { block }: StateSource,
): Hex {
  return seedFor(traderSeed ?? traderSeedAt(secret, chain.id, block.hash), `phishing:${address}`)
}

async function readCode(
  { bytecodeJudge, onCheckFailure }: PhishingDependencies,
  { chain, address, signal }: AnalysisTarget,
  state: StateSource,
): Promise<BytecodeReport | undefined> {
  const judged = bytecodeJudge.judge({ state, address, chain, ...(signal && { signal }) })
  const report = await settle(judged, (error) => onCheckFailure?.('bytecode', error))
  return isFailed(report) ? undefined : report
}

type Remembering = PhishingDependencies & { facts: SharedWork<PhishingFacts> }

/** Contracts of the last blocks; a finding's trace has some kilobytes. */
const MAX_SEEN = 128

/**
 * What is seen of a contract at this block, once for all who ask about the same target: what was
 * read is noted for that one.
 */
async function probe(
  { simulator, traderSecret, facts }: Remembering,
  { chain, address, signal, traderSeed }: AnalysisTarget,
  state: StateSource,
): Promise<PhishingFacts> {
  const seed = seedOf(traderSecret, { chain, address, traderSeed }, state)
  const input = { address, seed }
  const name = `${chain.id} ${state.block.hash} ${state.suspect} ${address} ${seed}`
  const look = () => simulator.simulate({ scenario: probeTarget, input, chain, state, ...(signal && { signal }) })
  try {
    return await facts.get(name, look, signal)
  } catch (error) {
    return unseen(error)
  }
}

/** Facts of a run that the code under test ended. Throws what is no such end. */
function unseen(error: unknown): PhishingFacts {
  if (!isVoid(error)) throw error
  return { kind: 'contract', isUnused: false, delegate: undefined, findings: [], gaps: [error.shortMessage], plays: 0 }
}

import type { CallFrame } from '../../evm/inspector.js'
import type { Address, Hex } from '../../hex.js'
import type { SeededRandom } from '../../simulation/random.js'
import type { Fork } from '../../simulation/scenario.js'
import type { Agreement } from './agreed-charges.js'
import type { Holding } from './assets.js'
import { createMarks, type Marks } from './marks.js'
import type { PhishingFinding } from './phishing-facts.js'
import { type Attempt, type Outcome, play } from './phishing-play.js'
import { createReachedCalls, type ReachedCalls } from './reached-calls.js'
import type { EntryPoint } from './read-functions.js'
import { createVictim, giveToken, placeProbeAssets, type TokenOffer, type Victim } from './victim.js'

/**
 * The little world in which one target is tried: a victim who has approved it, two people who have
 * nothing to do with it, and a thief.
 */
export interface Stage {
  fork: Fork
  random: SeededRandom
  target: Address
  victim: Victim
  /** What the victim has of the target's own token, which no deposit of its stands for. */
  given: Pick<Holding, 'account' | 'slot'> | undefined
  /** The target is itself the victim: an account whose code is tried on what it has. */
  isOwn: boolean
  /**
   * A second victim in the same position, made when it is asked for: what differs between the two
   * belongs to them.
   */
  twin(): Victim
  outsider: Address
  secondOutsider: Address
  thief: Address
  marks: Marks
  entries: readonly EntryPoint[]
  /** The target calls other contracts at all. */
  callsOthers: boolean
  readonly findings: PhishingFinding[]
  /** Which calls of the target's own were made in play. */
  readonly reached: ReachedCalls
  /** A function whose own code took, or tried to take, what an account had to approve before. */
  invitation: { selector: Hex | undefined } | undefined
  /** What the victim itself has named as what may be taken. */
  agreement: Agreement | undefined
  /** Refusals that were asked for their reason. */
  questions: number
  /** Refused calls that were not, because the bound was met. */
  unasked: number
  /** A bound ended the look at what others make of deposits, or at openings. */
  isCut: boolean
  readonly plays: number
  /** Calls that code made in them: the engine bounds those as well. */
  readonly frames: number
  /** Calls that may still be tried. */
  readonly left: number
  /** {@link play}, counted. Throws {@link TooManyPlaysError} when the bound is reached. */
  play(attempt: Attempt, then?: () => void): Outcome
}

/**
 * A token has about 30 functions and each is called some five times. The engine's own bounds are
 * usually met before.
 */
const MAX_PLAYS = 4_000

export function createStage(
  fork: Fork,
  random: SeededRandom,
  {
    target,
    tokens,
    entries,
    callsOthers,
    isOwn,
  }: Pick<Stage, 'target' | 'entries' | 'callsOthers' | 'isOwn'> & {
    tokens: readonly TokenOffer[]
  },
): Stage {
  // Who makes the block is paid by every call, differs from block to block, and does not matter
  // here.
  fork.evm.addStranger(fork.evm.block.coinbase)
  const probes = placeProbeAssets(fork, random)
  const stranger = (name: string) => {
    const address = random.address(name)
    fork.evm.addStranger(address)
    return address
  }
  const make = (name: string, account?: Address) =>
    createVictim(fork, random, { name, spender: target, tokens, probes, ...(account && { account }) })
  const victim = make('victim', isOwn ? target : undefined)
  const given = giveToken(fork, victim.address, { token: target, symbol: '', decimals: 18 }, 3n)
  const reached = createReachedCalls(target)
  reached.victims.add(victim.address)
  let twin: Victim | undefined
  let plays = 0
  let frames = 0
  return {
    fork,
    random,
    target,
    entries,
    callsOthers,
    victim,
    given,
    isOwn,
    twin() {
      twin ??= make('twin')
      reached.victims.add(twin.address)
      return twin
    },
    outsider: stranger('outsider'),
    secondOutsider: stranger('another account'),
    thief: stranger('thief'),
    marks: createMarks(fork, random),
    findings: [],
    reached,
    invitation: undefined,
    agreement: undefined,
    questions: 0,
    unasked: 0,
    isCut: false,
    get plays() {
      return plays
    },
    get frames() {
      return frames
    },
    get left() {
      return MAX_PLAYS - plays
    },
    play(attempt, then) {
      plays += 1
      if (plays > MAX_PLAYS) throw new TooManyPlaysError()
      const outcome = play(fork, attempt, { reached, then })
      frames += countFrames(outcome.trace)
      return outcome
    },
  }
}

const countFrames = ({ calls = [] }: CallFrame): number => calls.reduce((sum, each) => sum + countFrames(each), 1)

/** The contract has more ways in than one check tries. */
export class TooManyPlaysError extends Error {
  override readonly name = 'TooManyPlaysError'
}

import type { Address } from '../../hex.js'
import { branch } from '../../simulation/fork-verbs.js'
import type { Fork } from '../../simulation/scenario.js'
import { createDraft } from './attack-draft.js'
import { type AttackStage, giveRoles } from './attack-roles.js'
import { acceptedPermits, type Signer, signLeads, signPermits } from './attack-signatures.js'
import { bytesIn, type Edit, type Values } from './call-data.js'
import { type Leads, readLeads } from './leads.js'
import { type Loss, lossesOf } from './losses.js'
import type { SignedPermit } from './permit-signature.js'
import { type Attempt, type Outcome, play } from './phishing-play.js'
import type { ReachedCalls } from './reached-calls.js'
import type { EntryPoint } from './read-functions.js'
import type { Victim } from './victim.js'

export interface AttackOptions {
  target: Address
  entry: EntryPoint
  /**
   * Values of which each stands at one place alone, so that it can be recognised where it comes
   * out.
   */
  marks: Values
  /** What the call data says besides. */
  edits?: readonly Edit[]
  /** Whether an account is one of the marks, and so of ours. */
  isMark(address: Address): boolean
  caller: Address
  value?: bigint
  victim: Victim
  /** The accounts that the attacker has paid. */
  thief: Address
  /** What the target asked for when it was called with the marks. */
  leads: Leads
  /** Signs whatever the target asks a signature of. */
  signer?: Signer
  reached: ReachedCalls
}

export interface AttackResult {
  outcome: Outcome
  attempt: Attempt
  losses: readonly Loss[]
  /** Signatures of the victim that were accepted on the way. */
  permits: readonly SignedPermit[]
  /** The target made a call of which its caller chose every byte. */
  isExecutor: boolean
}

/** Each pass can show what the next one is to be given: a token, a signature, a receiver. */
const MAX_PASSES = 5

/**
 * Turns what the target asked for into a call that would take it from the victim: the victim's
 * address in the owner's place, the thief's in the receiver's, a signature of the victim's where
 * one is wanted. `undefined` when nothing that was asked for can be the victim's.
 */
export const attack = (fork: Fork, options: AttackOptions): AttackResult | undefined =>
  branch(fork, () => attackHere(fork, options))

function attackHere(fork: Fork, options: AttackOptions): AttackResult | undefined {
  const { target, entry, marks, edits = [], caller, victim, value = 0n } = options
  const call = { from: caller, to: entry.at ?? target, value }
  const draft = createDraft(fork, entry, { marks, edits, attempt: call })
  const { values } = draft
  const stage: AttackStage = { fork, options, draft, met: new Map(), pulledBy: new Set() }
  let leads: Leads = options.leads
  let result: AttackResult | undefined
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const signed = [...signPermits(fork, victim, values, leads), ...signLeads(values, leads, options.signer)]
    const isChanged = [...giveRoles(stage, leads), ...signed].includes(true)
    if (!isChanged) break
    const attempt = { ...call, data: draft.data() }
    const outcome = play(fork, attempt, options)
    const losses = lossesOf(outcome, [...victim.holdings, ...stage.met.values()], values)
    leads = readLeads(outcome.trace, target, bytesIn(values))
    const permits = acceptedPermits(fork, leads.permits, victim.address)
    const isExecutor = leads.executors.length > 0 || stage.pulledBy.size > 0
    result = { outcome, attempt, losses, permits, isExecutor }
    if (losses.length > 0) break
  }
  return result
}

import { callData, readWords } from '../../dex/read-contract.js'
import type { Address } from '../../hex.js'
import { mark } from '../../simulation/fork-verbs.js'
import { isAgreed } from './agreed-charges.js'
import { type AttackResult, attack } from './attack.js'
import type { Signer } from './attack-signatures.js'
import { bytesIn, dataOf, type Edit, type Values } from './call-data.js'
import { noteCounterfeits } from './counterfeit-events.js'
import { isEntryPoint } from './entry-points.js'
import { noteInvitation } from './invitations.js'
import { afterwardsOf, gains, isCredited, staysInCustody } from './judge-loss.js'
import { type Leads, readLeads } from './leads.js'
import { type Loss, lossesOf } from './losses.js'
import { ownLossOf } from './own-losses.js'
import type { PhishingFinding, PhishingFindingId } from './phishing-facts.js'
import type { Attempt, Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import type { EntryPoint } from './read-functions.js'
import { isSignedExchange } from './signed-exchange.js'
import type { Victim } from './victim.js'
import { isWorthAll } from './worth.js'

export type By = PhishingFinding['by']

/** One way of calling a function. */
export interface Call {
  entry: EntryPoint
  marks: Values
  edits?: readonly Edit[]
  caller: Address
  by: By
  /** Wei sent along. */
  value?: bigint
  /** Signs whatever the target asks a signature of. */
  signer?: Signer
}

export interface Tried {
  attempt: Attempt
  outcome: Outcome
  leads: Leads
  isHarmful: boolean
  /** The attack that was refused, as it would be sent. */
  refused: Attempt | undefined
  /** What did the harm, where there was some. */
  did: Attempt | undefined
}

/** Wei lent to the target while others than victims act, so that calls with value can go out. */
const LENT_WEI = 1_000_000_000_000_000_000n

/** Calls a function as an account that is no victim, and notes what victims lose by it. */
export function tryCall(stage: Stage, call: Call): Tried {
  const { fork, target, victim, thief, marks, reached } = stage
  const { evm } = fork
  const { entry, caller, edits, signer, value } = call
  const back = mark(fork)
  evm.setBalance(target, evm.account(target).balance + LENT_WEI)
  const attempt = {
    from: caller,
    to: entry.at ?? target,
    data: dataOf(entry, call.marks, edits),
    ...(value && { value }),
  }
  const outcome = stage.play(attempt)
  const leads = readLeads(outcome.trace, target, bytesIn(call.marks))
  const direct = lossesOf(outcome, victim.holdings, call.marks)
  noteInvitation(stage, entry, leads)
  noteCounterfeits(stage, entry, attempt, outcome)
  const options = {
    ...{ target, entry, marks: call.marks, isMark: marks.isMark, caller, victim, thief, leads, reached },
    ...(edits && { edits }),
    ...(signer && { signer }),
    ...(value && { value }),
  }
  const result: AttackResult | undefined =
    direct.length > 0 ? { outcome, attempt, losses: direct, permits: [], isExecutor: false } : attack(fork, options)
  const again = (twin: Victim) => attack(fork, { ...options, victim: twin })?.outcome
  back()
  const taken = result === undefined ? [] : toFindings(stage, call, { ...result, leads }, again)
  const found = taken.length > 0 ? taken : ownLosses(stage, call, [outcome, ...(result ? [result.outcome] : [])])
  stage.findings.push(...found)
  // What any address can have called is no power of one, however it is refused.
  const isOpen = result?.isExecutor === true && call.by === 'anyone'
  const refused = result?.outcome.success === false && !isOpen ? result.attempt : undefined
  const isHarmful = found.some(isHarm)
  return { attempt, outcome, leads, refused, isHarmful, did: isHarmful ? (result?.attempt ?? attempt) : undefined }
}

/** Whether a finding is that something was taken, and not only told. */
export const isHarm = ({ id, check }: PhishingFinding): boolean => check !== undefined || id === 'open-delegation'

/** What an account lost by its own code, at the call of one that is not its own master. */
function ownLosses(stage: Stage, { entry, caller, by }: Call, outcomes: readonly Outcome[]): PhishingFinding[] {
  if (caller === stage.target || isContract(stage, caller)) return []
  for (const { trace, ...outcome } of outcomes) {
    const loss = ownLossOf(stage, { trace, ...outcome })
    if (loss === undefined) continue
    const { selector } = entry
    return [
      {
        ...{ id: 'open-delegation', check: undefined, selector, by, caller },
        ...{ ...loss, grantedTo: undefined, trace, text: undefined },
      },
    ]
  }
  return []
}

/** A contract, and not an account whose holder acts as it likes. */
const isContract = ({ fork }: Stage, address: Address): boolean =>
  isEntryPoint(address) || fork.evm.code(address).length > DESIGNATOR_BYTES

function toFindings(
  stage: Stage,
  { entry, caller, by }: Call,
  { attempt, losses, permits, outcome, isExecutor, leads }: AttackResult & { leads: Leads },
  again: (victim: Victim) => Outcome | undefined,
): PhishingFinding[] {
  const [loss] = losses
  if (loss === undefined || isAgreed(stage, attempt, loss)) return []
  // A signature names what may be taken; of who has only approved, all can be.
  const isAll = permits.length === 0 && loss.amount >= loss.holding.amount && by !== 'victim'
  const isWorth = (token: Address) =>
    holdsMore(stage, attempt, token) && (!isAll || isWorthAll(stage, attempt, token, loss))
  if (gains(stage, stage.victim.address, outcome, afterwardsOf(stage, attempt, isWorth))) return []
  const isKept = staysInCustody(stage, loss) && isCredited(stage, outcome, again)
  if (isKept) return []
  const base = findingOf(stage, entry, { caller, by, outcome, loss })
  if (permits.length > 0) {
    if (isSignedExchange(stage, attempt, outcome)) return []
    return [{ ...base, id: 'permit-puller', check: 'permit', grantedTo: permits[0]?.spender }]
  }
  // It asked for a signature, and none was given: an account that takes such code for its own is
  // lost.
  if (isExecutor && by === 'anyone' && leads.signatures.length > 0)
    return [{ ...base, id: 'open-delegation', check: undefined, grantedTo: stage.target }]
  if (isExecutor && by === 'anyone') return [{ ...base, id: 'open-executor', check: undefined }]
  // It has an account do what that account was seen to agree to.
  if (isEntryPoint(caller)) return [{ ...base, id: 'wallet-module', check: undefined }]
  if (by === 'holder' && entry.at === undefined && isContract(stage, caller)) {
    return [{ ...base, id: 'operator-is-contract', check: undefined }]
  }
  return [{ ...base, id: isExecutor ? 'guarded-executor' : idOf(loss, outcome), check: 'allowance' }]
}

const DESIGNATOR_BYTES = 23

function idOf({ holding }: Loss, { trace }: Outcome): PhishingFindingId {
  if (holding.kind !== 'erc20') return 'nft-puller'
  return JSON.stringify(trace).includes('"input":"0x36c78516') || JSON.stringify(trace).includes('"input":"0x0d58b1db')
    ? 'permit2-puller'
    : 'allowance-puller'
}

interface Seen {
  caller: Address
  by: By
  outcome: Outcome
  loss: Loss
}

export function findingOf(
  { target }: Stage,
  { selector }: EntryPoint,
  { caller, by, outcome, loss }: Seen,
): PhishingFinding {
  const { holding, amount, to } = loss
  const { token, symbol, decimals, kind } = holding
  return {
    id: 'allowance-puller',
    check: undefined,
    selector,
    by,
    caller,
    asset: { token, symbol, decimals, kind },
    amount,
    to: to === target ? target : to,
    grantedTo: undefined,
    trace: outcome.trace,
    text: undefined,
  }
}

/** `balanceOf(address)` */
const BALANCE_OF = '0x70a08231'

/** Whether the victim has more of a token after a call than before, by the token's own word. */
export function holdsMore(stage: Stage, attempt: Attempt, token: Address): boolean {
  const { fork, victim } = stage
  const read = () => readWords(fork, token, callData(BALANCE_OF, [victim.address]))?.[0] ?? 0n
  const before = read()
  let after = before
  stage.play(attempt, () => {
    after = read()
  })
  return after > before
}

import { callData, readWords } from '../../dex/read-contract.js'
import type { Address } from '../../hex.js'
import { branch, mark, sendAs } from '../../simulation/fork-verbs.js'
import { isOutOfGas } from '../../simulation/trader.js'
import { type AttackResult, attack, bytesIn, dataOf, type Loss, lossesOf, type Values } from './attack.js'
import { noteCounterfeits } from './counterfeit-events.js'
import { assumeEqual, findGuards, type Guards, withEqualSides } from './guard-holders.js'
import { gains, isCredited, staysInCustody } from './judge-loss.js'
import { type Leads, readLeads } from './leads.js'
import type { MarkStyle } from './marks.js'
import type { PhishingFinding, PhishingFindingId } from './phishing-facts.js'
import type { Attempt, Outcome } from './phishing-play.js'
import type { Stage } from './phishing-stage.js'
import type { EntryPoint } from './read-functions.js'
import { findSignerCheck } from './signed-orders.js'
import { createKeyedStranger, type Victim } from './victim.js'

/** What trying one function taught about the others. */
export interface EntryNotes {
  /** Accounts that the code treats otherwise than others. */
  holders: Set<Address>
  /** Calls by which a victim has itself put on record. */
  registrations: Attempt[]
  /** Calls by which a victim leaves coins. */
  deposits: Attempt[]
}

type By = PhishingFinding['by']

/** Wei lent to the target while others than victims act, so that calls with value can go out. */
const LENT_WEI = 1_000_000_000_000_000_000n

/**
 * Tries one function as any address, as the ones that its guards name, and as one that was put on
 * its lists.
 */
export function probeAsOthers(stage: Stage, entry: EntryPoint, notes: EntryNotes, style: MarkStyle = {}): Probed {
  const { marks, outsider } = stage
  const values = marks.valuesFor(entry.template, style)
  const asOutsider = tryAs(stage, entry, values, outsider, 'anyone')
  if (isOutOfGas(asOutsider.outcome.trace)) return { isSpent: true }
  if (asOutsider.isHarmful) return DONE
  const attempt = { from: outsider, to: stage.target, data: dataOf(entry, values) }
  const { holders, obfuscated } = findGuards(stage.fork, attempt, ignoredOf(stage))
  for (const holder of holders) {
    notes.holders.add(holder)
    if (tryAs(stage, entry, values, holder, 'holder').isHarmful) return DONE
  }
  if (asOutsider.outcome.success) return DONE
  if (tryAsObfuscated(stage, entry, values, obfuscated) || tryAsSigner(stage, entry, values)) return DONE
  tryAsListed(stage, entry, values, asOutsider.outcome)
  return DONE
}

/** What-if: the sender is the one whom the code recognises by a hash. Whether that does harm. */
function tryAsObfuscated(stage: Stage, entry: EntryPoint, marks: Values, guards: Guards['obfuscated']): boolean {
  const { evm } = stage.fork
  for (const { codeAddress, pc } of guards) {
    const code = assumeEqual(evm.code(codeAddress), pc)
    if (code === undefined) continue
    const before = stage.findings.length
    branch(stage.fork, () => {
      evm.setCode(codeAddress, code)
      tryAs(stage, entry, marks, stage.outsider, 'holder')
    })
    const found = stage.findings.splice(before).filter(({ check }) => check !== undefined)
    stage.findings.push(...found.map((finding) => ({ ...finding, id: 'hidden-operator' as const, caller: undefined })))
    if (found.length > 0) return true
  }
  return false
}

/** What-if: the account whose signature the code asks for signed. Whether that does harm. */
function tryAsSigner(stage: Stage, entry: EntryPoint, marks: Values): boolean {
  const { fork, random } = stage
  const { evm } = fork
  const before = stage.findings.length
  branch(fork, () => {
    const signer = createKeyedStranger(fork, random, 'signer of orders')
    const check = findSignerCheck(stage, entry, marks, signer)
    if (check === undefined) return
    evm.setCode(check.codeAddress, withEqualSides(evm.code(check.codeAddress), check.pc))
    tryAs(stage, entry, marks, stage.outsider, 'holder', signer.key)
  })
  const found = stage.findings.splice(before).filter((finding) => finding.check !== undefined)
  stage.findings.push(...found.map((finding) => ({ ...finding, id: 'signed-order' as const, caller: undefined })))
  return found.length > 0
}

/** Whether the function used up all gas, so that nothing can be said of it. */
interface Probed {
  isSpent: boolean
}

const DONE: Probed = { isSpent: false }

/**
 * Tries all functions again after the victim has put itself on record wherever that is possible.
 */
export function probeAfterRegistration(stage: Stage, notes: EntryNotes): void {
  const { fork, marks, outsider } = stage
  stage.twin()
  branch(fork, () => {
    for (const attempt of notes.registrations.slice(0, MAX_REGISTRATIONS)) {
      sendAs(fork, { ...attempt, value: 0n, gasLimit: REGISTRATION_GAS })
    }
    for (const entry of stage.entries) {
      const values = marks.valuesFor(entry.template)
      if (tryAs(stage, entry, values, outsider, 'anyone').isHarmful) break
      if ([...notes.holders].some((holder) => tryAs(stage, entry, values, holder, 'holder').isHarmful)) break
    }
  })
}

const MAX_REGISTRATIONS = 6
const REGISTRATION_GAS = 400_000n

/** Those whom a call named itself are no holders of anything. */
function ignoredOf({ marks, target, victim, outsider, secondOutsider, thief }: Stage): Set<Address> {
  return new Set([...marks.addresses, target, victim.address, outsider, secondOutsider, thief])
}

interface Tried {
  outcome: Outcome
  leads: Leads
  isHarmful: boolean
}

function tryAs(stage: Stage, entry: EntryPoint, marks: Values, caller: Address, by: By, signer?: Uint8Array): Tried {
  const { fork, target, victim, thief } = stage
  const { evm } = fork
  const back = mark(fork)
  evm.setBalance(target, evm.account(target).balance + LENT_WEI)
  const attempt = { from: caller, to: target, data: dataOf(entry, marks) }
  const outcome = stage.play(attempt)
  const leads = readLeads(outcome.trace, target, bytesIn(marks))
  const direct = lossesOf(outcome, victim.holdings, marks)
  noteCounterfeits(stage, entry, attempt, outcome)
  const options = { target, entry, marks, caller, victim, thief, leads, ...(signer && { signer }) }
  const result: AttackResult | undefined =
    direct.length > 0 ? { outcome, attempt, losses: direct, permits: [], isExecutor: false } : attack(fork, options)
  const again = (twin: Victim) => attack(fork, { ...options, victim: twin })?.outcome
  back()
  const found = result === undefined ? [] : toFindings(stage, entry, { result, caller, by, again })
  stage.findings.push(...found)
  return { outcome, leads, isHarmful: found.some(({ check }) => check !== undefined) }
}

interface Harm {
  result: AttackResult
  caller: Address
  by: By
  again(victim: Victim): Outcome | undefined
}

function toFindings(stage: Stage, entry: EntryPoint, harm: Harm): PhishingFinding[] {
  const { result, caller, by } = harm
  const { losses, permits, outcome, isExecutor } = result
  const [loss] = losses
  if (loss === undefined) return []
  const after = { hasMore: (token: Address) => holdsMore(stage, result.attempt, token) }
  if (gains(stage, stage.victim.address, outcome, after)) return []
  const isKept = staysInCustody(stage, loss) && isCredited(stage, outcome, harm.again)
  if (isKept) return []
  const base = findingOf(stage, entry, { caller, by, outcome, loss })
  if (permits.length > 0) {
    return [{ ...base, id: 'permit-puller', check: 'permit', grantedTo: permits[0]?.spender }]
  }
  if (isExecutor && by === 'anyone') return [{ ...base, id: 'open-executor', check: undefined }]
  if (by === 'holder' && stage.fork.evm.code(caller).length > DESIGNATOR_BYTES) {
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

/** What-if: the caller is put on whatever list the function looked for it in. */
function tryAsListed(stage: Stage, entry: EntryPoint, marks: Values, outcome: Outcome): void {
  const { fork, target, outsider, secondOutsider } = stage
  const other = stage.play({ from: secondOutsider, to: target, data: dataOf(entry, marks) })
  for (const { account, slot } of ownSlots(outcome, other)) {
    const before = stage.findings.length
    branch(fork, () => {
      fork.evm.setStorage(account, slot, 1n)
      tryAs(stage, entry, marks, outsider, 'listed')
    })
    const found = stage.findings.splice(before)
    const isOwnList = found.length > 0 && grantsItself(stage, account, slot)
    stage.findings.push(
      ...found.map((finding) => (isOwnList ? { ...finding, id: 'wallet-module' as const, check: undefined } : finding)),
    )
    if (found.length > 0) return
  }
}

const MAX_LISTS = 4

/** Empty words that the one caller's run read and the other's did not: entries under the caller. */
function ownSlots(outcome: Outcome, other: Outcome): { account: Address; slot: bigint }[] {
  return [...outcome.storage.reads]
    .flatMap(([account, slots]) =>
      [...slots]
        .filter(([slot, value]) => value === 0n && other.storage.reads.get(account)?.has(slot) !== true)
        .map(([slot]) => ({ account, slot })),
    )
    .slice(0, MAX_LISTS)
}

/**
 * Whether the contract alone decides who is on the list, as wallets do with their modules: some
 * function that only it may call writes the entry.
 */
function grantsItself(stage: Stage, account: Address, slot: bigint): boolean {
  const { target, outsider } = stage
  return stage.entries.some((entry) => {
    const values = entry.template.leaves.map(({ type }, i) =>
      type === 'address' ? BigInt(outsider) : (stage.marks.valuesFor(entry.template)[i] ?? 0n),
    )
    const data = dataOf(entry, values)
    const writes = (from: Address) => stage.play({ from, to: target, data }).storage.writes.get(account)?.has(slot)
    return writes(target) === true && writes(stage.secondOutsider) !== true
  })
}

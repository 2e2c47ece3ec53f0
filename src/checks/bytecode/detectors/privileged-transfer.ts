import { readComparison } from '../../../bytecode/comparison.js'
import { readEquality } from '../../../bytecode/entry.js'
import type { Condition, ContractFacts, FunctionFacts } from '../../../bytecode/facts.js'
import { findLeading, findLiveNodes } from '../../../bytecode/graph.js'
import { storageKeyOf } from '../../../bytecode/guards.js'
import { fromArgument, SOURCE } from '../../../bytecode/source.js'
import { classifyKey } from '../../../bytecode/storage-key.js'
import { isStored, type Term, walkTerm } from '../../../bytecode/terms.js'
import { readTokenFacts, transferParties } from '../../../bytecode/token-facts.js'
import type { TokenGate } from '../../../bytecode/token-gates.js'
import { toPaddedHex, wordToAddress } from '../../../hex.js'
import type { Severity } from '../bytecode-report.js'
import { defineDetector, type Finding } from '../detector.js'
import { type Subject, supplyOf } from '../subject.js'
import { isVariable } from '../transfer-gates.js'
import { isOpenNow } from '../ways.js'

/** Amounts below this are dust in any token with decimals. */
const DUST = 1_000_000n
/** A limit that lets less than this part of the supply be sent lets no holder out. */
const MOST_PARTS = 10_000n

/**
 * Flags transfers, sells above all, that only one stored or fixed account can make, or only with
 * dust.
 */
export const privilegedTransfer = defineDetector({
  id: 'privileged-transfer',
  title: 'Only Privileged Accounts Can Transfer',
  description:
    'Some transfers, such as those to the trading pair, go through for one privileged account only. All others can buy and not sell.',
  confidence: 'high',
  detect: (subject) => {
    const { gates } = readTokenFacts(subject.facts)
    return gates.flatMap((gate) => judge(subject, gate) ?? [])
  },
})

function judge(subject: Subject, gate: TokenGate): Finding | undefined {
  const { fn, condition } = gate
  if (!isOpenNow(subject, fn, condition.node)) return undefined
  const at = { pc: condition.pc, ...(fn.selector && { selector: fn.selector }) }
  if (passesDustOnly(gate)) return { ...at, severity: 'high', note: 'only dust may be moved on this path' }
  const privileged = readPrivileged(subject, gate)
  if (privileged === undefined) return undefined
  const key = storageKeyOf(privileged)
  const value = subject.value(privileged)
  return {
    ...at,
    ...(key?.op === 'const' && { slot: toPaddedHex(key.value, 32) }),
    ...(value !== undefined && { value: toPaddedHex(value, 32), holder: wordToAddress(value) }),
    severity: severityOf(gate),
    note: 'only the stored account passes here',
  }
}

/** The address that sender, receiver or caller must be for the gate to pass. */
function readPrivileged(subject: Subject, { fn, condition, alone, last }: TokenGate): Term | undefined {
  const { facts } = subject
  const equality = readEquality(facts.store, condition.term)
  // Passing must mean "equal".
  if (equality === undefined || equality.when === condition.fails) return undefined
  const { from, to } = transferParties(fn)
  const isParty = (term: Term) => from(term) || to(term) || term.op === 'CALLER' || term.op === 'ORIGIN'
  const { a, b } = equality
  const other = isParty(a) ? b : isParty(b) ? a : undefined
  if (other === undefined || isParty(other)) return undefined
  // Who may hold more than others privileges no sender: pairs are spared so, and have to be.
  if (!alone && (to(a) || to(b)) && limitsHolding(facts, fn, last)) return undefined
  if (!alone && limitsAmount(subject, fn, last)) return undefined
  const isKept = isStored(other) && other.taint.sources.every((source) => !fromArgument(source))
  return isKept || (other.op === 'const' && other.value > 0xffffn) ? other : undefined
}

/** What is above such a limit can be sent in parts: who is spared from it privileges no sender. */
function limitsAmount(subject: Subject, fn: FunctionFacts, { term, fails }: TokenGate['last']): boolean {
  const comparison = readComparison(term, !fails)
  if (comparison === undefined || !isAmount(fn, comparison.small)) return false
  const [limit, supply] = [subject.value(comparison.big), supplyOf(subject)]
  // Of a supply that is not known no part is.
  return limit !== undefined && supply > 0n && limit >= DUST && limit >= supply / MOST_PARTS
}

const isAmount = (fn: FunctionFacts, { op, taint }: Term): boolean =>
  op === 'calldata' && taint.sources.includes(transferParties(fn).amount)

/** Compares what the receiver is going to have with something. */
function limitsHolding({ roles }: ContractFacts, fn: FunctionFacts, { term, fails }: TokenGate['last']): boolean {
  if (readComparison(term, !fails) === undefined) return false
  const { to } = transferParties(fn)
  let found = false
  walkTerm(term, (part) => {
    const key = storageKeyOf(part)
    const { id, keys } = key === undefined ? { id: '', keys: [] } : classifyKey(key)
    if (roles.balances.has(id) && keys.some(to)) found = true
    return true
  })
  return found
}

/** `amount < 100`: an insult. A zero amount alone is a plain check. */
function passesDustOnly({ fn, condition }: TokenGate): boolean {
  const comparison = readComparison(condition.term, !condition.fails)
  return (
    comparison !== undefined &&
    isAmount(fn, comparison.small) &&
    comparison.big.op === 'const' &&
    comparison.big.value > 1n &&
    comparison.big.value < DUST
  )
}

/**
 * Before trading is opened by a switch or a date, only the owner may move tokens: that is a launch,
 * as long as what stands before the gate leads past it when it comes out the other way.
 */
function severityOf({ fn, condition, alone }: TokenGate): Severity {
  if (!alone) return 'medium'
  const leading = findLeading(fn.run, [condition.node])
  const live = findLiveNodes(fn.run)
  const opens = ({ term, node }: Condition) =>
    node !== condition.node &&
    leading.has(node) &&
    isSwitchOrDate(term) &&
    node.edges.some(({ to }) => live.has(to) && !leading.has(to))
  return fn.conditions.some(opens) ? 'medium' : 'high'
}

const isSwitchOrDate = ({ taint: { sources } }: Term) =>
  sources.some(isVariable) &&
  sources.every((source) => isVariable(source) || source === SOURCE.timestamp || source === SOURCE.blockNumber)

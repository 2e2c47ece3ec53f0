import type { Effect } from '../../../bytecode/effects.js'
import type { FunctionFacts } from '../../../bytecode/facts.js'
import { findReachable } from '../../../bytecode/graph.js'
import { storageKeyOf } from '../../../bytecode/guards.js'
import type { Edge, Node } from '../../../bytecode/interpret.js'
import type { BalanceChange } from '../../../bytecode/read-balance-changes.js'
import { callSource, fromArgument, SOURCE, storageSource, variableOf } from '../../../bytecode/source.js'
import { classifyKey } from '../../../bytecode/storage-key.js'
import { hasSource, type Term } from '../../../bytecode/terms.js'
import { isArgumentOf, isForwardedSender, readTokenFacts } from '../../../bytecode/token-facts.js'
import { opcodeByName } from '../../../instructions/opcodes.js'
import type { Severity } from '../bytecode-report.js'
import { defineDetector } from '../detector.js'
import { isNumbered } from '../numbered-things.js'
import { isPaidInCoin } from '../paid-in-coin.js'
import { findingAt, severityOfPower } from '../power-severity.js'
import { type Power, readPower, type Subject, writersOf } from '../subject.js'
import { mayRunBelow } from '../unchecked-fall.js'
import { TRANSFER_TOPIC } from './fake-transfer-event.js'

/** Flags functions that raise a balance while no other falls. */
export const hiddenMint = defineDetector({
  id: 'hidden-mint',
  title: 'Mintable Supply',
  description: 'New tokens can be created out of nothing and sold into the pool, which takes the value out of yours.',
  confidence: 'high',
  detect: (subject) => {
    const { balanceChanges, transfers } = readTokenFacts(subject.facts)
    if (isNeverTransferred(subject)) return []
    return balanceChanges
      .filter((change) => change.kind === 'add' || change.kind === 'set')
      .filter((change) => !transfers.includes(change.fn) && isMint(subject, change, balanceChanges))
      .map((change) => {
        const raises = raisesSupply(subject, change)
        const note = raises ? 'creates tokens' : 'creates tokens without raising the total supply'
        return findingAt(subject, change.fn, change.effect, (power) => judge(subject, power, change, raises), note)
      })
  },
})

const DELEGATES: ReadonlySet<number> = new Set(['DELEGATECALL', 'CALLCODE'].map(opcodeByName))

/**
 * What a contract answers to `balanceOf` and never transfers is a claim on it, such as what an
 * auction owes those who were outbid: no pool takes it. All of the code was read, and no other code
 * runs in its place.
 */
function isNeverTransferred({ facts }: Subject): boolean {
  if (readTokenFacts(facts).transfers.length > 0 || facts.gaps.length > 0) return false
  return facts.reachable.every(({ opcode }) => !DELEGATES.has(opcode))
}

function isMint(subject: Subject, change: BalanceChange, all: readonly BalanceChange[]): boolean {
  const { fn, kind, amount, effect } = change
  if (effect.value.op === 'const' && effect.value.value === 0n) return false
  // Where another balance falls in the same function, tokens move; setting one outright is a mint
  // whatever else falls.
  if (kind === 'add' && all.some((other) => other.fn === fn && mayFall(other, change))) {
    return false
  }
  if (kind === 'set' && all.some((other) => other.fn === fn && other !== change && other.kind === 'subtract'))
    return false
  // A wrapped coin or a sale gives tokens for value received.
  if (amount !== undefined && hasSource(amount, SOURCE.callValue)) return false
  // An initialiser of a proxy is closed by the state; a mapping computed from a stored balance is a
  // conversion of units.
  return (
    kind === 'add' ||
    !amount?.taint.sources.some((source) => [...subject.facts.roles.balances].some((id) => variableOf(source) === id))
  )
}

/**
 * What cannot be followed may be a balance that falls; of dated balances, it is the entry that a
 * longer list has.
 */
const mayFall = (other: BalanceChange, { account, amount }: BalanceChange) =>
  (other.kind === 'subtract' && !mayRunBelow(other)) ||
  (other.kind === 'change' && (amount !== undefined || other.account !== account)) ||
  isCleared(other)

const isCleared = ({ kind, effect }: BalanceChange) =>
  kind === 'set' && effect.value.op === 'const' && effect.value.value === 0n

const raisesSupply = ({ facts }: Subject, { fn }: BalanceChange) =>
  fn.effects.some((effect) => effect.kind === 'write' && facts.roles.supply.has(classifyKey(effect.key).id))

function judge(subject: Subject, power: Power, change: BalanceChange, raises: boolean): Severity {
  const { fn, amount } = change
  if (isPaidFor(subject, change) || isPaidInCoin(subject, change) || isNumbered(subject.facts, change)) return 'low'
  if (power.kind === 'anyone') {
    // Tokens for something given: another token pulled in, or a proof that was checked.
    if (power.once || fn.effects.some(asksOthers)) return 'medium'
    const chosen = amount?.taint.sources.some(fromArgument)
    return chosen === true && !isConversion(fn) ? 'critical' : 'medium'
  }
  const severity = severityOfPower(subject, power)
  const secret =
    !raises && subject.facts.roles.supply.size > 0 && !isLogged(fn) && !isWithinSupply(subject, fn) && !isConversion(fn)
  return severity === 'medium' && secret ? 'high' : severity
}

/** A contract that the caller names agrees to everything. */
const asksOthers = (effect: Effect) => effect.kind === 'call' && !isArgumentOf(effect.target)

/**
 * Shares for a deposit (ERC-4626): on every way to the new tokens, or on from them, a token that
 * the caller does not choose is pulled in from the sender, by an amount that everything the caller
 * chooses about the new ones is part of, and the answer is looked at.
 */
function isPaidFor(subject: Subject, { fn, effect, amount }: BalanceChange): boolean {
  const chosen = argumentsOf(amount)
  const payments = fn.effects.filter(
    (each) =>
      each.kind === 'call' &&
      each.op === 'CALL' &&
      each.selector.value === TRANSFER_FROM &&
      isFixed(subject, each.target) &&
      isSender(each.args[0]) &&
      each.args[1]?.op === 'ADDRESS' &&
      chosen.every((source) => argumentsOf(each.args[2]).includes(source)) &&
      fn.conditions.some(({ term, fails }) => fails !== undefined && hasSource(term, callSource(each.pc))),
  )
  const through = new Set(payments.map(({ node }) => node))
  const [first] = fn.run.nodes
  if (first === undefined || through.size === 0) return false
  const avoids = ({ to }: Edge) => !through.has(to)
  const cannotArrive = through.has(effect.node) || !findReachable(fn.run, avoids).has(effect.node)
  return cannotArrive || ![...findReachable({ ...fn.run, nodes: [effect.node] }, avoids)].some(isSuccess)
}

/** A constant, or stored where it cannot be exchanged any more. */
const isFixed = (subject: Subject, target: Term) =>
  target.op === 'const' ||
  (storageKeyOf(target) !== undefined &&
    writersOf(subject, target).every(({ fn, effect }) => {
      const { kind, once } = readPower(subject, fn, effect.node)
      return kind === 'closed' || kind === 'renounced' || once
    }))

/** `transferFrom(address,address,uint256)` */
const TRANSFER_FROM = 0x23b872ddn

const isSender = (term: Term | undefined) => term !== undefined && (term.op === 'CALLER' || isForwardedSender(term))
const isSuccess = ({ end }: Node) => end === 'success'
const argumentsOf = (term: Term | undefined) => term?.taint.sources.filter(fromArgument) ?? []

/** Explorers show new tokens by their event (EIP-20: a transfer from the zero address). */
const isLogged = ({ effects }: FunctionFacts) =>
  effects.some(
    (effect) =>
      effect.kind === 'log' &&
      effect.topics[0]?.value === TRANSFER_TOPIC &&
      effect.topics[1]?.op === 'const' &&
      effect.topics[1].value === 0n,
  )

/** Handing out a reserve: a counter is kept below the total supply. */
const isWithinSupply = ({ facts }: Subject, { conditions }: FunctionFacts) =>
  conditions.some(
    ({ term, fails }) =>
      fails !== undefined && [...facts.roles.supply].some((id) => hasSource(term, storageSource(id))),
  )

/** Something else that was credited before is used up: a claim, a locked part. */
const isConversion = (fn: FunctionFacts) =>
  fn.effects.some(
    (effect) =>
      effect.kind === 'write' &&
      effect.value.op === 'SUB' &&
      classifyKey(effect.key).keys.length > 0 &&
      !mayRunBelow({ fn, effect, amount: effect.value.args[1] }),
  )

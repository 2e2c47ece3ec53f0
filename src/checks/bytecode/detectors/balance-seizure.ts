import type { WriteEffect } from '../../../bytecode/effects.js'
import { readEquality } from '../../../bytecode/entry.js'
import type { FunctionFacts, Located } from '../../../bytecode/facts.js'
import { findForeignSigners } from '../../../bytecode/foreign-signers.js'
import { asksForSignature } from '../../../bytecode/forwarder.js'
import { asksGrant } from '../../../bytecode/granted.js'
import { findReachable } from '../../../bytecode/graph.js'
import { isWilling, storageKeyOf } from '../../../bytecode/guards.js'
import type { Edge } from '../../../bytecode/interpret.js'
import type { BalanceChange } from '../../../bytecode/read-balance-changes.js'
import { fromArgument } from '../../../bytecode/source.js'
import { classifyKey } from '../../../bytecode/storage-key.js'
import { isNumber, type Term, type TermStore } from '../../../bytecode/terms.js'
import { dependsOnCaller, isArgumentOf, isForwardedSender, readTokenFacts } from '../../../bytecode/token-facts.js'
import type { Severity } from '../bytecode-report.js'
import { defineDetector, type Finding } from '../detector.js'
import { isNumbered } from '../numbered-things.js'
import { isOwnAccount } from '../own-account.js'
import { findingAt, severityOfPower } from '../power-severity.js'
import { type Power, readPowerWithout, type Subject } from '../subject.js'

/**
 * Flags functions that lower or overwrite the balance of an account that the caller names, without
 * that account's allowance.
 */
export const balanceSeizure = defineDetector({
  id: 'balance-seizure',
  title: 'Balances Can Be Taken',
  description:
    'A privileged account can burn, overwrite or move the tokens of any account without that account agreeing.',
  openDescription: 'Any address can burn, overwrite or move the tokens of any account without that account agreeing.',
  confidence: 'high',
  detect: (subject) => {
    const { balanceChanges, transfers } = readTokenFacts(subject.facts)
    return balanceChanges
      .filter(
        (change) =>
          lowers(change) &&
          !isAppended(change) &&
          !isUnitSwitch(subject, change) &&
          !isNumbered(subject.facts, change) &&
          takesFromOthers(change) &&
          (!transfers.includes(change.fn) || isForwardedSender(change.account)),
      )
      .filter(({ fn, account }) => isForwardedSender(account) || !asksAllowance(subject, fn))
      .flatMap((change) => {
        const { fn, effect, account } = change
        if (!isForwardedSender(account) && asksForSignature(fn)) return judgeSigners(subject, fn, effect, account)
        const others = (edge: Edge) =>
          !isOwnAccount(subject.facts.store, edge) &&
          !isBorrower(subject.facts.store, edge, account) &&
          !asksGrant(subject.facts, edge, account)
        if (!findReachable(fn.run, others).has(effect.node)) return []
        const moves = balanceChanges.some(
          (other) => other.fn === fn && other.kind === 'add' && other.account !== change.account,
        )
        const note = moves
          ? 'moves tokens between accounts'
          : change.kind === 'set'
            ? 'overwrites a balance'
            : 'burns tokens of an account'
        if (isForwardedSender(change.account)) return judgeForwarder(subject, change)
        const finding = findingAt(subject, fn, effect, (power) => severityOfPower(subject, power), note)
        const power = readPowerWithout(subject, fn, effect.node, others)
        return { ...finding, holder: power.holder, severity: severityOfPower(subject, power) }
      })
  },
})

/**
 * Tokens of the sender that a forwarder names (ERC-2771). Where any address may be the forwarder,
 * it takes from all; where an account without code is, that account does. A contract is what the
 * standard means, if it asks for the sender's signature: one that does not speaks for its callers,
 * or for some of them.
 */
function judgeForwarder(subject: Subject, { fn, effect }: BalanceChange): Finding[] {
  const judge = (power: Power): Severity => {
    const kinds = new Set(power.kind === 'holder' ? power.addresses.map(subject.forwarderAt) : [])
    if (kinds.has('open')) return 'critical'
    const severity = severityOfPower(subject, power)
    const isContract = power.addresses.length > 0 && power.addresses.every((each) => subject.hasCode(each) === true)
    const isOwn = power.guards.length > 0 && power.guards.every(({ kind }) => kind === 'self')
    return severity === 'medium' && !kinds.has('held') && (isContract || isOwn) ? 'low' : severity
  }
  return [findingAt(subject, fn, effect, judge, 'moves tokens of the sender that its forwarder names')]
}

const lowers = ({ kind }: BalanceChange) => kind === 'subtract' || kind === 'set'

/**
 * Reflection tokens keep balances in two units, and clear one when an account changes over to the
 * other.
 */
const isUnitSwitch = ({ facts }: Subject, { effect }: BalanceChange) =>
  variablesOf(facts.roles.balances).size > 1 && effect.value.op === 'const' && effect.value.value === 0n

/** One more element of a list, as of locked amounts: nothing stood there. */
function isAppended({ effect: { key } }: BalanceChange): boolean {
  const { id, keys } = classifyKey(key)
  const index = keys.at(-1)
  const [a, b] = index?.args ?? []
  const place = index?.op === 'MUL' && b?.op === 'const' ? a : index?.op === 'SHL' && a?.op === 'const' ? b : index
  const length = place && storageKeyOf(place)
  return length !== undefined && id.startsWith(`${classifyKey(length).id}(*)`)
}

/** A list of dated balances has a length and entries, and is one variable. */
const variablesOf = (ids: ReadonlySet<string>) => new Set([...ids].map((id) => id.slice(0, id.indexOf('['))))

/** The account comes from the call, not from who calls. */
const takesFromOthers = ({ account }: BalanceChange) => isArgumentOf(account) && !dependsOnCaller(account)

const asksAllowance = ({ facts }: Subject, fn: FunctionFacts) =>
  fn.effects.some(
    (effect) =>
      (effect.kind === 'read' || effect.kind === 'write') && facts.roles.allowances.has(classifyKey(effect.key).id),
  )

/**
 * Whether the account itself has answered as who borrows does (ERC-3156): it is called, and gives
 * the loan back. No other standard has this answer.
 */
function isBorrower(store: TermStore, { condition, taken }: Edge, account: Term): boolean {
  const { a, b, when } = (condition && readEquality(store, condition)) ?? {}
  if (a === undefined || b === undefined || when !== taken) return false
  const isAnswer = ({ op, args: [target] }: Term) => op === 'returned' && target === account
  return (isAnswer(a) && isNumber(b, BORROWED)) || (isAnswer(b) && isNumber(a, BORROWED))
}

/** keccak256("ERC3156FlashBorrower.onFlashLoan") */
const BORROWED = 0x439148f0bbc682ca079e46d6e2c2f0c1e3b820f1a291b069d8882abf8cf18dd9n

/** A signature that any other key than that of the account may give. */
export function judgeSigners(
  { facts }: Subject,
  fn: FunctionFacts,
  { pc }: Located<WriteEffect>,
  account: Term,
): Finding[] {
  if (isWilling(fn.run, account)) return []
  const argument = account.taint.sources.find(fromArgument)
  if (argument === undefined || findForeignSigners(facts, fn, argument).length === 0) return []
  const note = 'takes the signature of another key than the owner of the tokens'
  return [{ pc, ...(fn.selector && { selector: fn.selector }), severity: 'high', note }]
}

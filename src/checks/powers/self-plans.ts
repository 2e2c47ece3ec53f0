import type { Effect } from '../../bytecode/effects.js'
import type { FunctionFacts, Located } from '../../bytecode/facts.js'
import { readArguments } from '../../bytecode/function-arguments.js'
import { type ChangeKind, readPrivilegedFunctions } from '../../bytecode/privileged-functions.js'
import { isArgumentOf } from '../../bytecode/token-facts.js'
import { listChoices, readParameters } from './choices.js'
import { fingerprintOf } from './fingerprint.js'
import type { ActingHolder, HolderFinder } from './holders.js'
import type { Plan } from './plans.js'
import type { Choice } from './power.js'
import type { TokenCode } from './read-contracts.js'
import type { Stage } from './stage.js'

/** Functions that make the token call, functions that only it may call, and calls of each. */
const MAX_RELAYS = 4
const MAX_INNER = 4
const MAX_CALLS = 4
/** Accounts with a say in the token by which a relay that is open to all is tried as well. */
const MAX_CALLERS = 2

const MATTERS: ReadonlySet<ChangeKind> = new Set(['transfer'])

/**
 * Ways by which the token may be made to call itself, so that it passes where only itself may: a
 * transfer with words for its receiver, a call in its name, a list of calls. Each with a call of
 * what only the token may call, or with none where the receiver's function is fixed.
 */
export function selfPlans(stage: Stage, codes: readonly TokenCode[], finder: HolderFinder): Plan[] {
  const inner = codes.flatMap(({ facts, types }) =>
    facts.functions
      .filter((fn) => fn.selector !== undefined && fn.guards.some(({ kind }) => kind === 'self'))
      .flatMap((fn) => callsOf(fn, types.get(fn.selector ?? '0x'), facts.store)),
  )
  if (inner.length === 0) return []
  return codes.flatMap((code) => {
    const relays = code.facts.functions.filter(({ effects }) => effects.some((effect) => mayCall(effect, code, stage)))
    return relays.slice(0, MAX_RELAYS).flatMap((fn) => toPlan(stage, code, finder, fn, inner) ?? [])
  })
}

type Call = NonNullable<Choice['call']>

function callsOf(fn: FunctionFacts, types: string | undefined, store: TokenCode['facts']['store']): Call[] {
  const facts = readArguments(store, fn)
  const parameters = readParameters(types, facts)
  const { selector } = fn
  if (parameters === undefined || selector === undefined) return []
  const list = parameters.map(({ type }) => type).join()
  const choices = listChoices(parameters, facts)
  const moving = choices.filter(({ number }) => number === 'held').slice(0, 1)
  return [...choices.slice(0, MAX_CALLS), ...moving].map((choice) => ({ selector, types: list, choice }))
}

/** Whether the call may go to the token itself: the caller names it, or it is written there. */
function mayCall(effect: Located<Effect>, { subject }: TokenCode, { token }: Stage): boolean {
  if (effect.kind !== 'call' || effect.op !== 'CALL') return false
  return isArgumentOf(effect.target) || effect.target.op === 'ADDRESS' || subject.value(effect.target) === BigInt(token)
}

function toPlan(
  stage: Stage,
  code: TokenCode,
  finder: HolderFinder,
  fn: FunctionFacts,
  inner: readonly Call[],
): Plan | undefined {
  const { selector } = fn
  const facts = readArguments(code.facts.store, fn)
  const parameters = readParameters(selector === undefined ? undefined : code.types.get(selector), facts)
  if (selector === undefined || parameters === undefined) return undefined
  const base: Choice = { address: 'token', others: 'token', number: 0n, flag: true }
  const takesBytes = parameters.some(({ type }) => type.startsWith('bytes') && !/^bytes\d/.test(type))
  const called = takesBytes ? inner.slice(0, MAX_INNER * MAX_CALLS).map((call) => ({ ...base, call })) : []
  return {
    ...{ contract: code.account, selector, argumentTypes: parameters.map(({ type }) => type).join(), parameters },
    ...{ arguments: facts, isConventional: false, kinds: MATTERS, writes: [] },
    holders: holdersOf(stage, code, finder, fn),
    choices: [...called, base, { ...base, number: 1n }],
    contractHash: code.facts.normalisedHash,
    fingerprint: `self ${fingerprintOf(code.subject, { fn })}`,
  }
}

function holdersOf(stage: Stage, code: TokenCode, finder: HolderFinder, fn: FunctionFacts): ActingHolder[] {
  const guarded = readPrivilegedFunctions(code.facts).find((each) => each.fn === fn && each.access === 'holder')
  const holders = guarded === undefined ? [] : finder.holdersOf(code, guarded)
  if (holders.length > 0) return holders
  // An ordinary holder of the token, who has something to send.
  const { address } = stage.bystander.context.trader
  return [
    { kind: 'anyone', address, delaySeconds: 0, isHidden: false },
    ...finder.candidates.slice(0, MAX_CALLERS).map((each) => finder.describe(each, false)),
  ]
}

import type { AbiParameter } from 'viem'
import type { FunctionFacts } from '../../bytecode/facts.js'
import { readArguments } from '../../bytecode/function-arguments.js'
import { freeArguments, writesByArgument } from '../../bytecode/open-slots.js'
import { callData } from '../../dex/read-contract.js'
import { FULL_BPS } from '../../dex/tax.js'
import type { Hex } from '../../hex.js'
import { onBranch } from '../on-branch.js'
import { type Acted, actAs } from './act.js'
import { encodeChoice, isOneWord, readParameters } from './choices.js'
import { BALANCE_OF, openBooks, wordsOf } from './ledger.js'
import { lookAtBooks } from './look.js'
import type { Choice, Power, ProofStep } from './power.js'
import type { TokenCode } from './read-contracts.js'
import type { Stage } from './stage.js'

/** Functions whose argument moves a slot, and calls without arguments that may come before. */
const MAX_FUNCTIONS = 4
const MAX_OPENERS = 4
/** Words of the balance of an account that are aimed at. */
const MAX_AIMS = 3
/** Values of an index that lie one word apart: of words, of bytes and of bits. */
const STRIDES = [1n, 32n, 256n] as const
const WORD = 1n << 256n

/** A function whose argument at `index` moves the slot that it writes. */
interface Mover {
  code: TokenCode
  selector: Hex
  parameters: readonly AbiParameter[]
  index: number
}

/**
 * Aims a write whose slot an argument moves at the balance of the caller. What bounds the argument
 * is not taken on trust: a length that was stored as more than there is, or that a call takes below
 * nothing, bounds nothing.
 */
export function trySlots(stage: Stage, codes: readonly TokenCode[], hasBudget: () => boolean): Power[] {
  const movers = codes
    .flatMap((code) => code.facts.functions.flatMap((fn) => readMover(code, fn)))
    .slice(0, MAX_FUNCTIONS)
  for (const mover of movers) {
    for (const opener of [undefined, ...openersOf(stage, mover.code)]) {
      if (!hasBudget()) return []
      const power = onBranch(stage, () => aim(stage, mover, opener))
      if (power) return [power]
    }
  }
  return []
}

function readMover(code: TokenCode, fn: FunctionFacts): Mover[] {
  const { selector } = fn
  const free = writesByArgument(fn)
    .flatMap(({ key }) => freeArguments(key))
    .filter(({ op }) => op === 'calldata')
  if (selector === undefined || free.length === 0) return []
  const parameters = readParameters(code.types.get(selector), readArguments(code.facts.store, fn)) ?? []
  const indices = new Set(free.map(({ value }) => Number((value - 4n) / 32n)))
  return [...indices].flatMap((index) =>
    isOneWord(parameters[index]?.type) ? [{ code, selector, parameters, index }] : [],
  )
}

/** Calls without arguments that write something. */
function openersOf({ fresh }: Stage, { account, facts }: TokenCode): ProofStep[] {
  return facts.functions
    .filter((fn) => fn.selector !== undefined && fn.effects.some(({ kind }) => kind === 'write'))
    .filter((fn) => readArguments(facts.store, fn).length === 0)
    .slice(0, MAX_OPENERS)
    .map(({ selector }) => ({ from: fresh, to: account, input: selector ?? '0x' }))
}

function aim(stage: Stage, mover: Mover, opener: ProofStep | undefined): Power | undefined {
  const { fork, token, fresh } = stage
  if (opener && !act(stage, opener).success) return undefined
  const call = (index: bigint) => toStep(stage, mover, index)
  const slotsAfter = (index: bigint) => onBranch(stage, () => writtenBy(act(stage, call(index)), mover))
  const from = slotsAfter(0n)
  if (from.length === 0) return undefined
  const balance = wordsOf(fork, token, callData(BALANCE_OF, [fresh]))
    .map(([slot]) => slot)
    .slice(0, MAX_AIMS)
  for (const stride of STRIDES) {
    const next = new Set(slotsAfter(stride))
    const [first] = from.filter((slot) => next.has((slot + 1n) % WORD) && !next.has(slot))
    if (first === undefined) continue
    for (const slot of balance) {
      const index = (((slot - first + WORD) % WORD) * stride + stride - 1n) % WORD
      const power = onBranch(stage, () => show(stage, mover, opener, call(index)))
      if (power) return power
    }
  }
  return undefined
}

const act = (stage: Stage, step: ProofStep): Acted => {
  stage.effort.calls += 1
  return actAs(stage.fork, step, stage.operator)
}

function toStep(stage: Stage, { code, selector, parameters, index }: Mover, value: bigint): ProofStep {
  const fixed = parameters.flatMap(({ type }, at): [number, bigint][] => {
    if (at === index) return [[at, value]]
    return type === 'bytes32' ? [[at, LARGE]] : []
  })
  const choice: Choice = { address: 'holder', others: 'holder', number: LARGE, flag: true, fixed }
  return { from: stage.fresh, to: code.account, input: encodeChoice(stage, stage.fresh, selector, parameters, choice) }
}

/** What is written where nothing else decides: more than any supply, and no sum of it overflows. */
const LARGE = 1n << 160n

const writtenBy = ({ success, writes }: Acted, { code }: Mover): bigint[] =>
  success ? [...(writes.get(code.account)?.keys() ?? [])] : []

function show(stage: Stage, { code, selector, parameters }: Mover, opener: ProofStep | undefined, step: ProofStep) {
  const books = openBooks(stage, stage.fresh)
  const acted = act(stage, step)
  if (!acted.success) return undefined
  const effect = lookAtBooks(stage, books.before, books.read(), acted).find(({ kind }) => kind.startsWith('mints'))
  if (effect === undefined) return undefined
  return {
    ...{ contract: code.account, selector, argumentTypes: parameters.map(({ type }) => type).join() },
    holder: { kind: 'anyone', address: stage.fresh, delaySeconds: 0, isHidden: false },
    ...{ effect: effect.kind, lossBps: effect.lossBps, isReversible: false, tried: 1 },
    isBounded: effect.lossBps < FULL_BPS / 2,
    worstCase: `an argument was aimed at the word of the caller's balance: ${effect.outcome}`,
    proof: { steps: opener ? [opener, step] : [step], outcome: effect.outcome },
  } satisfies Power
}

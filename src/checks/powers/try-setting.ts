import { needsConsent } from '../../bytecode/consent.js'
import { PROXY_SLOTS } from '../../bytecode/proxy.js'
import { classifyKey } from '../../bytecode/storage-key.js'
import type { FieldWrite } from '../../bytecode/token-facts.js'
import { FULL_BPS } from '../../dex/tax.js'
import { isSmall, type Slot, sources, sourcesOf, termsIn } from '../../evm/inspectors/term.js'
import { solveLeaf } from '../../simulation/solve-leaf.js'
import { largestWritten } from '../bytecode/largest-written.js'
import { canBeOpened, isOpenNow } from '../bytecode/ways.js'
import { onBranch } from '../on-branch.js'
import type { DecisiveWords } from './decisive-words.js'
import { attempt } from './find-way.js'
import { gravityOf } from './gravity.js'
import { APPROVE, hiddenEntries, hiddenWritesOf, NO_SELECTOR } from './hidden-entries.js'
import { isOver } from './is-over.js'
import { type Effect, lookAtTrade } from './look.js'
import type { Plan, PlannedWrite, WritingEntry } from './plans.js'
import type { Holder, Power } from './power.js'
import type { TokenCode } from './read-contracts.js'
import type { Stage } from './stage.js'
import type { Tried } from './try-plan.js'
import { mayBring, writesOf, written } from './writers.js'

/** Words that are set, and values of each. */
const MAX_WORDS = 12
const MAX_VALUES = 6
/**
 * What fees and divisors that no branch asks for are set to: percent, thousandths, hundredths of a
 * percent.
 */
const FEES = [0n, 99n, 990n, 9_900n]

/**
 * The same for what an entry may write that is no function of its own, and that no call of it was
 * `shown` to write: the fallback, and `approve`. No honest token decides sales there, so that each
 * such write is a hidden command.
 */
export function trySettingHidden(
  stage: Stage,
  codes: readonly TokenCode[],
  { words, conditions }: DecisiveWords,
  shown: readonly Power[],
  hasBudget: () => boolean,
): Power[] {
  const isCommand = ({ selector }: WritingEntry) => selector === NO_SELECTOR || selector === APPROVE
  const plans = codes.flatMap(hiddenEntries).filter((entry) => isCommand(entry) && !isShown(shown, entry))
  // Which code runs is no command: who may exchange it is a power of its own.
  const commanded = words.filter(({ slot }) => !CODE_SLOTS.has(slot))
  for (const word of commanded.slice(0, MAX_WORDS))
    for (const plan of plans) {
      const writer = { plan, writes: writesOf(plan, word), holder: UNKNOWN, calls: 0, isHidden: true }
      if (hiddenWritesOf(plan, word).length === 0) continue
      const power = setAndLook(stage, writer, word, conditions, hasBudget)
      if (power) return [power]
    }
  return []
}

const CODE_SLOTS: ReadonlySet<bigint> = new Set(Object.values(PROXY_SLOTS))

const isShown = (shown: readonly Power[], { contract, selector }: WritingEntry) =>
  shown.some((power) => power.contract === contract && power.selector === selector)

const UNKNOWN: Holder = { kind: 'unknown', delaySeconds: 0, isHidden: true }

/**
 * What no call could bring about, shown by setting it: a word that a sale depends on, that some
 * function may write whose guard could not be passed, is changed on the fork, and the sale is
 * measured. Words whose writer was seen at work, or has no holder any more, need no showing; where
 * too many do, the sweep is not whole.
 */
export function trySetting(
  stage: Stage,
  plans: readonly Plan[],
  all: readonly Tried[],
  { codes, words, conditions }: DecisiveWords & { codes: readonly TokenCode[] },
  shown: readonly Power[],
  hasBudget: () => boolean,
): { powers: Power[]; isCut: boolean } {
  const found = new Map<string, Power>()
  const open = words.flatMap((word) => {
    const writer = findUntried(stage, plans, all, { ...word, codes }, shown)
    return writer === undefined ? [] : [{ word, writer }]
  })
  for (const { word, writer } of open.slice(0, MAX_WORDS)) {
    const power = setAndLook(stage, writer, word, conditions, hasBudget)
    if (!power) continue
    const name = `${power.contract} ${power.selector}`
    const known = found.get(name)
    if (known === undefined || weightOf(power) > weightOf(known)) found.set(name, power)
  }
  return { powers: [...found.values()], isCut: open.length > MAX_WORDS }
}

/** The worst that one of the values that the writer can make of the word does. */
export function setAndLook(
  stage: Stage,
  writer: Writer,
  word: Slot,
  conditions: DecisiveWords['conditions'],
  hasBudget: () => boolean,
): Power | undefined {
  let worst: Power | undefined
  for (const value of wantedOf(writer, word, conditions)) {
    if (!hasBudget()) return worst
    const effect = onBranch(stage, () => {
      stage.fork.evm.setStorage(word.address, word.slot, value)
      return worstOf(lookAtTrade(stage, { hasNumber: false }, false))
    })
    const power = effect && toPower(writer, effect, word, value)
    if (power && (worst === undefined || weightOf(power) > weightOf(worst))) worst = power
  }
  return worst
}

const weightOf = ({ effect, lossBps }: Power) => gravityOf(effect, lossBps)

interface Writer {
  plan: WritingEntry
  writes: readonly PlannedWrite[]
  holder: Holder
  calls: number
  /** Nothing is known about what it writes. */
  isHidden?: boolean
}

/**
 * `permit` (EIP-2612, DAI) and `delegateBySig` (ERC-5805): their guard is the signature of the
 * account whose own record they write, and setting one record alone contradicts the others.
 */
const BY_SIGNATURE: ReadonlySet<string> = new Set(['0xd505accf', '0x8fcbaf0c', '0xc3cda520'])

/** Holders that act no more. */
export const DEAD: ReadonlySet<Holder['kind']> = new Set(['renounced', 'unset'])

/**
 * A function that may write the word and was not seen to do what it can; `undefined` where each
 * was, or has no caller any more.
 */
function findUntried(
  stage: Stage,
  plans: readonly Plan[],
  all: readonly Tried[],
  { codes, ...word }: Slot & { codes: readonly TokenCode[] },
  shown: readonly Power[],
): Writer | undefined {
  for (const plan of plans) {
    const writes = writesOf(plan, word)
    if (writes.length === 0 || BY_SIGNATURE.has(plan.selector) || isShown(shown, plan)) continue
    if (codes.some((code) => isClosed(code, codes, plan, writes))) continue
    const tried = all.filter((each) => each.plan === plan)
    const isKnown = tried.some(({ found, harmless }) => found.length > 0 || harmless.length > 0)
    const living = tried.find(({ holder }) => holder !== undefined && !DEAD.has(holder.kind))
    if (isKnown || living?.holder === undefined || isOver(stage, plans, all, living)) continue
    const { assumed: _, ...named } = living.holder
    // A secret or a signature that anyone may present is held by who knows it.
    const holder: Holder = named.kind === 'anyone' ? { ...UNKNOWN, isHidden: asksWord(stage, living) } : named
    return { plan, writes: withMost(codes, plan, writes), holder, calls: living.calls }
  }
  return undefined
}

/** Whether a refusal asks for the hash of an argument: for a word that only its maker knows. */
function asksWord(stage: Stage, { plan, holder }: Tried): boolean {
  const [choice] = plan.choices
  if (holder === undefined || choice === undefined) return false
  const { refusal } = attempt(stage, [{ plan, holder, choice }])
  if (refusal === undefined || !isSmall(refusal.condition)) return false
  return [...termsIn(refusal.condition)].some(
    (term) => term.kind === 'operation' && term.name === 'KECCAK256' && (sourcesOf(term) & sources.argument) !== 0,
  )
}

/**
 * Whether the function has done all that it ever will, as one that opens trading once: the state
 * closes the way to each of these writes, and no call can open it again. Nor has a buyer agreed to
 * what is written with consent alone.
 */
function isClosed(
  { account, facts, subject }: TokenCode,
  codes: readonly TokenCode[],
  plan: Plan,
  writes: readonly PlannedWrite[],
): boolean {
  const fn = account === plan.contract ? facts.functions.find(({ selector }) => selector === plan.selector) : undefined
  const variables = new Set(writes.map(({ variable }) => variable))
  if (fn === undefined) return false
  const all = codes.flatMap((code) => (code.account === account ? [code.facts] : []))
  const made = fn.effects.flatMap((effect) =>
    effect.kind === 'write' && variables.has(classifyKey(effect.key).id) ? [effect] : [],
  )
  const isShut = ({ node }: FieldWrite['effect']) => !isOpenNow(subject, fn, node) && !canBeOpened(subject, fn, node)
  return made.length > 0 && made.every((effect) => isShut(effect) || needsConsent(facts, { fn, effect }, all))
}

/** With the bounds that the code sets itself: what lies beyond them comes to no buyer. */
function withMost(
  codes: readonly TokenCode[],
  { contract, selector }: Plan,
  writes: readonly PlannedWrite[],
): PlannedWrite[] {
  const [code, second] = codes.filter(({ account }) => account === contract)
  const fn = code?.facts.functions.find((each) => each.selector === selector)
  if (code === undefined || second !== undefined || fn === undefined || code.facts.gaps.length > 0) return [...writes]
  return writes.map((write) => {
    const { variable, shift, width } = write
    const bounds = fn.effects.flatMap((effect) =>
      effect.kind === 'write' &&
      classifyKey(effect.key).id === variable &&
      effect.shift === shift &&
      effect.width === width
        ? [largestWritten(code.subject, fn, effect)]
        : [],
    )
    const known = bounds.flatMap((bound) => bound ?? [])
    const [most] = known.length === bounds.length ? known.toSorted((a, b) => (a > b ? -1 : 1)) : []
    return most === undefined ? write : { ...write, most }
  })
}

/** What the writer can make of the word, and would, to turn a sale. */
export function wantedOf(
  { writes, isHidden = false }: Pick<Writer, 'writes' | 'isHidden'>,
  word: Slot,
  conditions: DecisiveWords['conditions'],
): bigint[] {
  const isWord = (leaf: { kind: string; slot?: bigint; address?: string }) =>
    leaf.kind === 'slot' && leaf.slot === word.slot && leaf.address === word.address
  const solved = conditions
    .filter(({ condition }) => (sourcesOf(condition) & sources.slot) !== 0)
    .flatMap(({ condition }) => solveLeaf(condition, isWord, word.value).slice(0, 2))
  const fees = solved.length > 0 && !isHidden ? [] : FEES
  const bring = (wanted: (write: PlannedWrite) => bigint) =>
    writes.flatMap((write) => {
      const value = written(write, word.value, wanted(write))
      return mayBring(write, word.value, value) ? [value] : []
    })
  const bounded = writes.filter(({ most }) => most !== undefined)
  const values = [
    ...(isHidden ? solved.slice(0, 2) : solved).flatMap((value) => bring(() => value)),
    ...fees.flatMap((fee) => bring(({ shift }) => fee << BigInt(shift))),
    ...bounded.flatMap((write) => written(write, word.value, (write.most ?? 0n) << BigInt(write.shift))),
  ]
  return [...new Set(values)].filter((value) => value !== word.value).slice(0, MAX_VALUES)
}

const worstOf = (effects: readonly Effect[]): Effect | undefined =>
  effects.toSorted((a, b) => gravityOf(b.kind, b.lossBps) - gravityOf(a.kind, a.lossBps))[0]

function toPower({ plan, holder, calls }: Writer, effect: Effect, { address, slot }: Slot, value: bigint): Power {
  const place = `slot 0x${slot.toString(16)} of ${address}`
  return {
    ...{ contract: plan.contract, selector: plan.selector, argumentTypes: plan.argumentTypes, holder },
    effect: effect.kind,
    lossBps: effect.lossBps,
    ...(effect.purchasesGoOn !== undefined && { purchasesGoOn: effect.purchasesGoOn }),
    worstCase: `shown by setting what it may write (${place}), since no call of it went through: ${effect.outcome}`,
    isBounded: effect.lossBps < FULL_BPS / 2,
    isReversible: undefined,
    isShownBySetting: true,
    tried: calls,
    proof: { settings: [{ address, slot, value }], steps: [], outcome: effect.outcome },
  }
}

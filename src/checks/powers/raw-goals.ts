import { findLeading, findLiveNodes, findReachableFrom } from '../../bytecode/graph.js'
import type { Node } from '../../bytecode/interpret.js'
import { UNKNOWN_VARIABLE } from '../../bytecode/source.js'
import { encodeCall } from '../../dex/encode-call.js'
import { erc20Abi } from '../../dex/read-contract.js'
import type { Decision, Decisions, Stored } from '../../evm/inspectors/decisions.js'
import type { Slot } from '../../evm/inspectors/term.js'
import { canBeOpened, isOpenNow } from '../bytecode/ways.js'
import type { DecisiveWords } from './decisive-words.js'
import { type CodeEntry, entryOf, hiddenEntries, NO_SELECTOR, type Place } from './hidden-entries.js'
import { wordsOf } from './ledger.js'
import type { PlannedWrite } from './plans.js'
import type { TokenCode } from './read-contracts.js'
import { specialBooks } from './special-writes.js'
import type { Stage } from './stage.js'
import type { Tried } from './try-plan.js'
import { DEAD } from './try-setting.js'
import { writesOf, written } from './writers.js'

/** Where an entry is to be led. */
export interface Goal {
  entry: CodeEntry
  /** How it was tried as a function, if it is one. */
  tried: Tried | undefined
  /** Words that a sale depends on; none where balances or allowances are written. */
  words: readonly Slot[]
  writes: readonly PlannedWrite[]
  /** Where in the code it is written. */
  pcs: ReadonlySet<number>
  /** Nodes of the code on some way to the write, and those behind it. */
  before: ReadonlySet<Node>
  behind: ReadonlySet<Node>
}

/**
 * Places where what a sale depends on is written: by entries that are no functions, and by
 * functions of which no call was seen to write it. So are balances and allowances of the token,
 * where no call went through that could write them.
 */
export function listGoals(
  stage: Stage,
  codes: readonly TokenCode[],
  all: readonly Tried[],
  decisive: DecisiveWords,
): Goal[] {
  const isOfToken = ({ account }: TokenCode) => account === stage.token
  const hidden = codes
    .flatMap((code) => hiddenEntries(code).filter(({ selector }) => isOfToken(code) || selector === NO_SELECTOR))
    .map((entry) => ({ entry, tried: undefined }))
  const unseen = all.flatMap((tried) => {
    const entry = entryOfPlan(codes, tried)
    return entry === undefined ? [] : [{ entry, tried }]
  })
  const entries = [...hidden, ...unseen]
  const own = entries.filter(({ entry }) => isOfToken(entry.code))
  return [
    ...entries.flatMap(({ entry, tried }) => goalsOf(entry, tried, decisive)),
    ...own.flatMap(({ entry, tried }) => goalsOfBooks(stage, entry, tried)),
  ]
}

/** The entry of a function that was tried, of which nothing is known yet that it does. */
function entryOfPlan(codes: readonly TokenCode[], { plan, found, holder }: Tried): CodeEntry | undefined {
  const isOpen = found.length === 0 && !plan.isConventional && holder !== undefined && !DEAD.has(holder.kind)
  if (!isOpen || holder.assumed || plan.choices.length === 0) return undefined
  for (const code of codes) {
    const fn = code.account === plan.contract && code.facts.functions.find(({ selector }) => selector === plan.selector)
    if (fn) return entryOf(code, fn, plan.argumentTypes)
  }
  return undefined
}

/** Each place at which the entry may write something else into a word that a sale depends on. */
function goalsOf(entry: CodeEntry, tried: Tried | undefined, { words }: DecisiveWords): Goal[] {
  return entry.places.flatMap((place) => {
    if (isShut(entry, place)) return []
    const writes = place.writes.filter(({ variable }) => variable !== UNKNOWN_VARIABLE)
    const here = { ...entry, writes }
    const isSeen = ({ address, slot }: Slot) => tried?.wrote.has(`${address} ${slot}`) === true
    const touched = words.filter(
      (word) =>
        !isSeen(word) &&
        writesOf(here, word).some(
          (write) => write.constant === undefined || written(write, word.value, 0n) !== word.value,
        ),
    )
    return touched.length === 0 ? [] : [{ ...waysTo(entry, [place]), tried, words: touched, writes }]
  })
}

/** Whether no call comes there again, as to what is noted before a launch. */
const isShut = ({ code: { subject, facts }, fn }: CodeEntry, { nodes }: Place): boolean =>
  facts.gaps.length === 0 && nodes.every((node) => !isOpenNow(subject, fn, node) && !canBeOpened(subject, fn, node))

/**
 * Where no call went through that could write balances and allowances; or none of those that did
 * named one who has bought, though the code writes the entry of an account that is named.
 */
function goalsOfBooks(stage: Stage, entry: CodeEntry, tried: Tried | undefined): Goal[] {
  const isQuiet = tried !== undefined && tried.harmless.length > 0
  const books = specialBooks(entry).filter(({ isNamed }) => isNamed || !isQuiet)
  if (isQuiet && books.length > 0 && wroteOfVictims(stage, tried)) return []
  const writes = books.flatMap((place) => place.writes)
  return books.length === 0 ? [] : [{ ...waysTo(entry, books), tried, words: [], writes }]
}

/** Whether a call wrote a balance of a buyer or the pool, or what its caller may take of them. */
function wroteOfVictims(stage: Stage, { wrote, holder }: Tried): boolean {
  const { fork, token, buyer, market, fresh } = stage
  const victims = [buyer.context.trader.address, market.pool.address]
  return victims.some((victim) =>
    [
      encodeCall({ abi: erc20Abi, functionName: 'balanceOf', args: [victim] }),
      encodeCall({ abi: erc20Abi, functionName: 'allowance', args: [victim, holder?.address ?? fresh] }),
    ].some((data) => wordsOf(fork, token, data).some(([slot]) => wrote.has(`${token} ${slot}`))),
  )
}

function waysTo(entry: CodeEntry, places: readonly Place[]): Pick<Goal, 'entry' | 'pcs' | 'before' | 'behind'> {
  const { run } = entry.fn
  const live = findLiveNodes(run)
  const nodes = places.flatMap((place) => place.nodes)
  const behind = nodes.flatMap((node) => [...findReachableFrom(node)]).filter((each) => live.has(each))
  const pcs = new Set(places.map(({ pc }) => pc))
  return { entry, pcs, before: findLeading(run, nodes), behind: new Set(behind) }
}

/**
 * The first branch at which a call left all ways to the write; or, once it made it, all ways to a
 * good end.
 */
export function findStraying(goal: Goal, decisions: Decisions): Decision | undefined {
  const { entry, before, behind } = goal
  const way = storesOf(goal, decisions).length > 0 ? new Set([...before, ...behind]) : before
  return decisions.branches.find((decision) => leavesWay(entry, way, decision))
}

/** Whether one of the words was written, if only with what it was. */
export const isPast = (goal: Goal, decisions: Decisions) =>
  goal.words.length === 0
    ? storesOf(goal, decisions).length > 0
    : goal.words.some((word) =>
        decisions.stores.some(({ address, slot }) => word.address === address && word.slot === slot),
      )

/** What the call wrote at the place, into whichever word. */
export const storesOf = ({ entry: { code, contract }, pcs }: Goal, { stores }: Decisions): readonly Stored[] =>
  stores.filter(
    ({ address, codeAddress, pc }) => address === contract && codeAddress === code.subject.address && pcs.has(pc),
  )

function leavesWay({ code, fn }: CodeEntry, way: ReadonlySet<Node>, decision: Decision): boolean {
  if (decision.codeAddress !== code.subject.address || decision.address !== code.account) return false
  const truth = decision.condition.value !== 0n
  const here = fn.run.nodes.filter((node) => node.endPc === decision.pc && way.has(node))
  return here.length > 0 && !here.some(({ edges }) => edges.some(({ to, taken }) => taken === truth && way.has(to)))
}

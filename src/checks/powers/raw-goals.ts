import { findLeading, findLiveNodes, findReachableFrom } from '../../bytecode/graph.js'
import type { Node } from '../../bytecode/interpret.js'
import type { Decision, Decisions } from '../../evm/inspectors/decisions.js'
import type { Slot } from '../../evm/inspectors/term.js'
import type { DecisiveWords } from './decisive-words.js'
import { type CodeEntry, entryOf, hiddenEntries } from './hidden-entries.js'
import type { TokenCode } from './read-contracts.js'
import type { Tried } from './try-plan.js'
import { DEAD } from './try-setting.js'
import { writesOf, written } from './writers.js'

/** Where an entry is to be led. */
export interface Goal {
  entry: CodeEntry
  /** How it was tried as a function, if it is one. */
  tried: Tried | undefined
  words: readonly Slot[]
  /** Nodes of the code on some way to the write, and those behind it. */
  before: ReadonlySet<Node>
  behind: ReadonlySet<Node>
}

/**
 * Places where what a sale depends on is written: by entries that are no functions, and by
 * functions of which no call was seen to write it.
 */
export function listGoals(codes: readonly TokenCode[], all: readonly Tried[], decisive: DecisiveWords): Goal[] {
  const hidden = codes.flatMap(hiddenEntries).flatMap((entry) => goalsOf(entry, undefined, decisive))
  const unseen = all.flatMap((tried) => {
    const entry = entryOfPlan(codes, tried)
    return entry === undefined ? [] : goalsOf(entry, tried, decisive)
  })
  return [...hidden, ...unseen]
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
  const { fn, places } = entry
  const live = findLiveNodes(fn.run)
  return places.flatMap(({ node, writes }) => {
    const here = { ...entry, writes: writes.filter(({ variable }) => variable !== '?') }
    const isSeen = ({ address, slot }: Slot) => tried?.wrote.has(`${address} ${slot}`) === true
    const touched = words.filter(
      (word) =>
        !isSeen(word) &&
        writesOf(here, word).some(
          (write) => write.constant === undefined || written(write, word.value, 0n) !== word.value,
        ),
    )
    if (touched.length === 0) return []
    const behind = [...findReachableFrom(node)].filter((each) => live.has(each))
    return [{ entry, tried, words: touched, before: findLeading(fn.run, [node]), behind: new Set(behind) }]
  })
}

/**
 * The first branch at which a call left all ways to the write; or, once it made it, all ways to a
 * good end.
 */
export function findStraying(goal: Goal, decisions: Decisions): Decision | undefined {
  const { entry, before, behind } = goal
  const way = isPast(goal, decisions) ? new Set([...before, ...behind]) : before
  return decisions.branches.find((decision) => leavesWay(entry, way, decision))
}

/** Whether one of the words was written, if only with what it was. */
export const isPast = ({ words }: Goal, { stores }: Decisions) =>
  words.some((word) => stores.some(({ address, slot }) => word.address === address && word.slot === slot))

function leavesWay({ code, fn }: CodeEntry, way: ReadonlySet<Node>, decision: Decision): boolean {
  if (decision.codeAddress !== code.subject.address || decision.address !== code.account) return false
  const truth = decision.condition.value !== 0n
  const here = fn.run.nodes.filter((node) => node.endPc === decision.pc && way.has(node))
  return here.length > 0 && !here.some(({ edges }) => edges.some(({ to, taken }) => taken === truth && way.has(to)))
}

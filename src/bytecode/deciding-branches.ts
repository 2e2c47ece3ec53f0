import type { Condition, ContractFacts, FunctionFacts, Located } from './facts.js'
import { findLiveNodes } from './graph.js'
import type { Node } from './interpret.js'
import { inputsOf } from './join.js'
import { findPostDominators, type PostDominators } from './post-dominators.js'
import { ERC20, type Roles } from './roles.js'
import { fromStorage, type Source } from './source.js'
import { touches } from './source-bits.js'
import { classifyKey } from './storage-key.js'
import type { Term } from './terms.js'
import { gatesOf } from './token-facts.js'

/**
 * What stands on one side of a branch. `refuses`: nothing but a revert. `silent`: it ends well and
 * moves nothing. `differs`: other amounts, other accounts, another answer, or a further condition.
 */
export type Outcome = 'refuses' | 'silent' | 'differs'

/** A branch that decides what a function does to the holder who calls it. */
export interface DecidingBranch extends Omit<Condition, 'fails'> {
  fn: FunctionFacts
  outcome: Outcome
  /** The side of that outcome; `undefined` where each side has its own. */
  hostile: boolean | undefined
  /** It chooses a value that goes into the outcome, and nothing else. */
  isChoice: boolean
}

export interface Deciding {
  branches: readonly DecidingBranch[]
  /** What was not looked at, for there was too much of it. */
  isTruncated: boolean
}

/** permit(owner,spender,value,deadline,v,r,s) of EIP-2612. */
const PERMIT = 0xd505accf
/** Functions between a holder and his money, and what they answer from. */
const STANDARD: ReadonlySet<number> = new Set([
  ERC20.transfer,
  ERC20.transferFrom,
  ERC20.approve,
  PERMIT,
  ERC20.balanceOf,
  ERC20.allowance,
])

/** The functions of a token that a holder's money goes through, or is told by. */
export const standardFunctions = ({ functions }: ContractFacts): FunctionFacts[] =>
  functions.filter(({ entry }) => entry.kind === 'function' && STANDARD.has(entry.selector))

/**
 * Nodes looked at for all branches of one function: ordinary transfers need some hundred, a loop
 * in a loop the square of its blocks.
 */
const MAX_VISITS = 60_000

/**
 * Every branch that an outcome of the function hangs on: one side of it reverts, or what it does
 * to balances, allowances and its answer lies between the branch and the place where its sides
 * meet again, or is computed from what they bring together there.
 */
export function readDecidingBranches(facts: ContractFacts, fn: FunctionFacts): Deciding {
  const found = known.get(fn) ?? findDecidingBranches(facts, fn)
  known.set(fn, found)
  return found
}

const known = new WeakMap<FunctionFacts, Deciding>()

function findDecidingBranches(facts: ContractFacts, fn: FunctionFacts): Deciding {
  const live = findLiveNodes(fn.run)
  const meets = findPostDominators(fn.run, live)
  const outcomes = readOutcomes(facts, fn)
  const gates = new Map(gatesOf(facts, fn).map((gate) => [gate.condition.node, gate]))
  const branches: DecidingBranch[] = []
  const others: { condition: Omit<Condition, 'fails'>; region: ReadonlySet<Node> }[] = []
  let left = MAX_VISITS
  for (const { fails, ...condition } of fn.conditions) {
    const gate = gates.get(condition.node)
    const hostile = fails ?? gate?.condition.fails
    if (hostile !== undefined) {
      const outcome = fails === undefined && gate?.alone === true ? 'silent' : 'refuses'
      branches.push({ ...condition, fn, outcome, hostile, isChoice: false })
    } else if (meets === undefined || left <= 0) {
      branches.push({ ...condition, fn, outcome: 'differs', hostile: undefined, isChoice: false })
    } else {
      const region = findRegion(condition.node, meets, live)
      left -= region.size
      const isChoice = !holdsOutcome(region, outcomes)
      if (!isChoice || chooses(condition.node, region, meets, outcomes))
        branches.push({ ...condition, fn, outcome: 'differs', hostile: undefined, isChoice })
      else others.push({ condition, region })
    }
  }
  // A word that is known on each way, and was brought together as `0 or 1`, says no more what it
  // was: where it is asked again, the branch that taught it decides.
  const asked = choicesIn(branches.map(({ term }) => term))
  if (meets !== undefined && asked.size > 0)
    for (const { condition, region } of others)
      if (chooses(condition.node, region, meets, { ...NO_OUTCOMES, parts: asked }))
        branches.push({ ...condition, fn, outcome: 'differs', hostile: undefined, isChoice: true })
  return { branches, isTruncated: left <= 0 || meets === undefined }
}

/** Choices of constants among the terms, and within them. */
function choicesIn(terms: readonly Term[]): Set<Term> {
  const [seen, open] = [new Set<Term>(), [...terms]]
  for (let term = open.pop(); term !== undefined; term = open.pop()) {
    if (seen.has(term)) continue
    seen.add(term)
    open.push(...term.args)
  }
  return new Set([...seen].filter(({ op, args }) => op === 'choice' && args.every((arg) => arg.op === 'const')))
}

/** What a function is asked for, and what it is computed from. */
interface Outcomes {
  nodes: ReadonlySet<Node>
  /** Terms that go into it, and what paths brought together for it. */
  parts: ReadonlySet<Term>
  joins: ReadonlySet<ReadonlySet<Term>>
  /** Where parts of it may come from that could not be followed. */
  unfollowed: ReadonlySet<Source>
}

const NO_OUTCOMES: Outcomes = { nodes: new Set(), parts: new Set(), joins: new Set(), unfollowed: new Set() }

function readOutcomes(facts: ContractFacts, fn: FunctionFacts): Outcomes {
  const effects = outcomesOf(facts, fn)
  const nodes = new Set(effects.map(({ node }) => node))
  const terms = effects.flatMap((effect) => effect.terms)
  const parts = new Set<Term>()
  const joins = new Set<ReadonlySet<Term>>()
  const unfollowed = new Set<Source>()
  for (let part = terms.pop(); part !== undefined; part = terms.pop()) {
    if (parts.has(part)) continue
    parts.add(part)
    terms.push(...part.args)
    const inputs = inputsOf(fn.run, part)
    if (inputs.size > 0 && !joins.has(inputs)) {
      joins.add(inputs)
      terms.push(...inputs)
    }
    if (part.op === 'unknown') for (const source of part.taint.sources) unfollowed.add(source)
  }
  return { nodes, parts, joins, unfollowed }
}

/** What a function does to balances, allowances and its answer, and the terms it does it with. */
export const outcomesOf = ({ roles }: ContractFacts, { effects }: FunctionFacts) =>
  effects.flatMap((effect) => {
    const terms = termsOf(roles, effect)
    return terms === undefined ? [] : [{ node: effect.node, pc: effect.pc, terms }]
  })

/** What a holder has of the effect; `undefined` where it is none of his affair. */
function termsOf({ balanceFields, allowances }: Roles, effect: Located): Term[] | undefined {
  if (effect.kind === 'return') {
    const [word] = effect.words
    return word === undefined || (word.op === 'const' && word.value === 1n) ? undefined : [word]
  }
  if (effect.kind !== 'write') return undefined
  const { id, keys } = classifyKey(effect.key)
  // What the token allows its own router is its own affair; what is allowed over a pool is not.
  const isAllowed = allowances.has(id) && keys[0]?.op !== 'ADDRESS'
  const isOfBalance = () => isHolder(keys[0]) && [...balanceFields].some((field) => touches(effect, field))
  if (!isAllowed && !isOfBalance()) return undefined
  return [effect.value, effect.key]
}

/**
 * Whether the account can be the holder, or the one that the holder pays: what a token moves
 * between its own accounts while it sells its fees is its own affair.
 */
const isHolder = (account: Term | undefined): boolean =>
  account !== undefined &&
  account.op !== 'const' &&
  account.op !== 'ADDRESS' &&
  (account.taint.sources.length === 0 || account.taint.sources.some((source) => !fromStorage(source)))

/** Everything on the ways from a branch to where its sides meet again. */
function findRegion(branch: Node, meets: PostDominators, live: ReadonlySet<Node>): Set<Node> {
  const end = meets.get(branch)
  const region = new Set<Node>()
  const open = branch.edges.map(({ to }) => to)
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node === end || region.has(node) || !live.has(node)) continue
    region.add(node)
    for (const { to } of node.edges) open.push(to)
  }
  return region
}

function holdsOutcome(region: ReadonlySet<Node>, { nodes }: Outcomes): boolean {
  for (const node of region) if (nodes.has(node)) return true
  return false
}

/** Whether what its sides bring together goes into an outcome. */
function chooses(branch: Node, region: ReadonlySet<Node>, meets: PostDominators, outcomes: Outcomes): boolean {
  const end = meets.get(branch)
  const joins = end === undefined ? region : [...region, end]
  for (const node of joins)
    for (const [place, inputs] of node.joined ?? []) if (goesInto(outcomes, node, place, inputs)) return true
  return false
}

/** Whether what was brought together at a node goes into an outcome. */
function goesInto(
  { parts, joins, unfollowed }: Outcomes,
  node: Node,
  place: string,
  inputs: ReadonlySet<Term>,
): boolean {
  if (joins.has(inputs)) return true
  const whole = node.stack[Number(place)]
  if (whole?.op === 'choice' && parts.has(whole)) return true
  return unfollowed.size > 0 && [...inputs].some(({ taint }) => taint.sources.some((source) => unfollowed.has(source)))
}

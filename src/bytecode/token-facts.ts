import type { WriteEffect } from './effects.js'
import type { Condition, ContractFacts, FunctionFacts, Located } from './facts.js'
import { findLeading, findReachableFromAll } from './graph.js'
import type { Node } from './interpret.js'
import { ERC20 } from './roles.js'
import { classifyKey, variableOf } from './storage-key.js'
import { hasSource, type Source, type Term } from './terms.js'

/** How a function changes the balance of an account. */
export interface BalanceChange {
  fn: FunctionFacts
  effect: Located<WriteEffect>
  account: Term
  /**
   * `set`: not computed from the old balance. `change`: computed in a way that could not be
   * followed.
   */
  kind: 'add' | 'subtract' | 'set' | 'change'
  amount: Term | undefined
}

export interface FieldWrite {
  fn: FunctionFacts
  effect: Located<WriteEffect>
}

export interface TokenGate {
  fn: FunctionFacts
  /**
   * `fails` is the outcome after which the transfer reverts or ends without moving anything, at
   * once or unless something else lets it pass (`a || b`).
   */
  condition: Condition & { fails: boolean }
  /** Fails at once: nothing else can let the transfer pass. */
  alone: boolean
  /**
   * What is asked last where this is a part of `a || b`; the condition itself where it stands
   * alone.
   */
  last: Condition & { fails: boolean }
}

/** What the standard functions of a token do, and who else touches what they use. */
export interface TokenFacts {
  /** Has `transfer` and `balanceOf`. */
  isToken: boolean
  /** `transfer` and `transferFrom`, as far as they are there. */
  transfers: readonly FunctionFacts[]
  balanceChanges: readonly BalanceChange[]
  /** Branches of the transfer path of which one side can only revert, or moves nothing. */
  gates: readonly TokenGate[]
  /** Every branch of the transfer path where both sides can succeed. */
  branches: readonly { fn: FunctionFacts; condition: Condition }[]
  /** Writes, outside the transfer path, of the field that this source names. */
  writersOf(source: Source): readonly FieldWrite[]
  /** Whether a transfer writes the field: it is bookkeeping then, not a switch. */
  isKept(source: Source): boolean
  /**
   * Whether a transfer computes the field anew, as running totals are: not so where it only sets
   * fees aside and puts them back.
   */
  isComputed(source: Source): boolean
}

const known = new WeakMap<ContractFacts, TokenFacts>()

/** Reads the token behind the contract; once per contract. */
export function readTokenFacts(facts: ContractFacts): TokenFacts {
  const found = known.get(facts) ?? read(facts)
  known.set(facts, found)
  return found
}

export const findFunction = (facts: ContractFacts, selector: number): FunctionFacts | undefined =>
  facts.functions.find(({ entry }) => entry.kind === 'function' && entry.selector === selector)

function read(facts: ContractFacts): TokenFacts {
  const transfers = [ERC20.transfer, ERC20.transferFrom].flatMap((selector) => findFunction(facts, selector) ?? [])
  const conditions = transfers.flatMap((fn) => fn.conditions.map((condition) => ({ fn, condition })))
  const writes: FieldWrite[] = facts.functions.flatMap((fn) =>
    fn.effects.flatMap((effect) => (effect.kind === 'write' ? [{ fn, effect }] : [])),
  )
  // By variable: contracts with many writes have many gates too.
  const byVariable = new Map<string, FieldWrite[]>()
  for (const write of writes) {
    const { id } = classifyKey(write.effect.key)
    const known = byVariable.get(id)
    if (known === undefined) byVariable.set(id, [write])
    else known.push(write)
  }
  const writesOf = (source: Source) => {
    const field = parseSource(source)
    return (field && byVariable.get(field.id)?.filter(({ effect }) => overlaps(effect, field))) ?? []
  }
  return {
    isToken: transfers.length > 0 && findFunction(facts, ERC20.balanceOf) !== undefined,
    transfers,
    balanceChanges: facts.functions.flatMap((fn) => readBalanceChanges(facts, fn)),
    gates: transfers.flatMap((fn) => readGates(fn, findSilent(fn, facts.roles.balanceFields))),
    branches: conditions.filter(({ condition }) => condition.fails === undefined),
    isComputed: (source) =>
      writesOf(source).some(({ fn, effect }) => transfers.includes(fn) && !PLAIN.has(effect.value.op)),
    isKept: (source) => writesOf(source).some(({ fn }) => transfers.includes(fn)),
    writersOf: (source) => writesOf(source).filter(({ fn }) => !transfers.includes(fn)),
  }
}

/**
 * Blocks between the parts of one `a || b`; a few when optimised, some dozens of small ones when
 * not.
 */
const MAX_ALTERNATIVE = 48

/**
 * The first part of `require(a || b)` has two sides that can succeed: one goes on to the test of
 * `b`, the other straight to where that test leads when it passes. The one that is tested further
 * is the one that fails.
 */
function readAlternative({ node }: Condition, gates: ReadonlyMap<Node, boolean>): boolean | undefined {
  for (const side of [true, false]) {
    const [edge, other] = [
      node.edges.find(({ taken }) => taken === side),
      node.edges.find(({ taken }) => taken === !side),
    ]
    const gate = edge === undefined ? undefined : findNextGate(edge.to, gates)
    const pass = gate?.edges.find(({ taken }) => taken !== gates.get(gate))
    if (pass !== undefined && other !== undefined && leadsStraightTo(other.to, pass.to.pc)) return side
  }
  return undefined
}

/**
 * Outcomes after which a transfer ends well and has moved nothing: `if (frozen[from]) return
 * false`. What stands behind the first change of a balance is about fees and bookkeeping.
 */
function findSilent({ run, effects, conditions }: FunctionFacts, balances: ReadonlySet<Source>): Map<Node, boolean> {
  const moving = new Set(
    effects.flatMap((effect) =>
      effect.kind === 'write' && [...balances].some((source) => touches(effect, source)) ? [effect.node] : [],
    ),
  )
  const silent = new Map<Node, boolean>()
  if (moving.size === 0) return silent
  const leading = findLeading(run, moving)
  const moved = findReachableFromAll(moving)
  for (const { node, fails } of conditions) {
    if (fails !== undefined || moved.has(node)) continue
    const moves = (side: boolean) => node.edges.some(({ taken, to }) => taken === side && leading.has(to))
    if (moves(true) !== moves(false)) silent.set(node, moves(false))
  }
  return silent
}

/** Parts of one chain of `||`. */
const MAX_PARTS = 6

/**
 * Every gate of a function, those included that something else can let pass, found from the last
 * part of each chain to the first.
 */
function readGates(fn: FunctionFacts, silent: ReadonlyMap<Node, boolean>): TokenGate[] {
  const gates = new Map(silent)
  for (const { fails, node } of fn.conditions) if (fails !== undefined) gates.set(node, fails)
  const hard = new Set(gates.keys())
  for (let part = 0; part < MAX_PARTS; part += 1) {
    const known = gates.size
    for (const condition of fn.conditions) {
      const fails = gates.has(condition.node) ? undefined : readAlternative(condition, gates)
      if (fails !== undefined) gates.set(condition.node, fails)
    }
    if (gates.size === known) break
  }
  const found = fn.conditions.flatMap((condition) => {
    const fails = gates.get(condition.node)
    return fails === undefined ? [] : [{ ...condition, fails }]
  })
  const byNode = new Map(found.map((condition) => [condition.node, condition]))
  const lastOf = (condition: (typeof found)[number]) => {
    let last = condition
    for (let part = 0; part < MAX_PARTS && !hard.has(last.node); part += 1) {
      const edge = last.node.edges.find(({ taken }) => taken === last.fails)
      const next = edge && findNextGate(edge.to, gates)
      last = (next && byNode.get(next)) ?? last
    }
    return last
  }
  return found.map((condition) => ({ fn, condition, alone: hard.has(condition.node), last: lastOf(condition) }))
}

/** The gate that straight code leads to, without doing anything on the way. */
function findNextGate(start: Node, gates: ReadonlyMap<Node, boolean>): Node | undefined {
  let node = start
  for (let step = 0; step < MAX_ALTERNATIVE; step += 1) {
    if (node.effects.some(({ kind }) => kind !== 'read')) return undefined
    if (gates.has(node)) return node
    const [only, second] = node.edges
    if (only === undefined || second !== undefined) return undefined
    node = only.to
  }
  return undefined
}

function leadsStraightTo(start: Node, pc: number): boolean {
  let node: Node | undefined = start
  for (let step = 0; step < MAX_ALTERNATIVE && node !== undefined; step += 1) {
    if (node.pc === pc) return true
    node = node.edges.length === 1 ? node.edges[0]?.to : undefined
  }
  return false
}

/** Every change of a balance that the function makes. */
export const readBalanceChanges = (facts: ContractFacts, fn: FunctionFacts): BalanceChange[] =>
  fn.effects.flatMap((effect) => (effect.kind === 'write' ? (readBalanceChange(facts, fn, effect) ?? []) : []))

function readBalanceChange(
  facts: ContractFacts,
  fn: FunctionFacts,
  effect: Located<WriteEffect>,
): BalanceChange | undefined {
  const { id, keys } = classifyKey(effect.key)
  const [account] = keys
  const { balances, balanceFields } = facts.roles
  if (account === undefined || ![...balanceFields].some((source) => touches(effect, source))) return undefined
  const { value } = effect
  const isOld = (term: Term | undefined): boolean =>
    term !== undefined &&
    ((term.op === 'sload' && term.args[0] === effect.key) || (term.op === 'field' && isOld(term.args[0])))
  const [a, b] = value.args
  const base = { fn, effect, account }
  if (isLengthOf(balances, id) && value.op === 'ADD' && isOld(a) && b?.op === 'const' && b.value === 1n)
    return isMoveOrBurn(facts, fn, account) ? undefined : { ...base, kind: 'add', amount: undefined }
  if (id.includes(LIST)) return { ...base, ...readDatedChange(id, value) }
  // Compilers spell `- 1` as adding the largest number.
  if (value.op === 'ADD' && isOld(a) && b?.op === 'const' && b.value >= HALF)
    return { ...base, kind: 'subtract', amount: facts.store.constant(WORD - b.value) }
  if (value.op === 'ADD' && isOld(a)) return { ...base, kind: 'add', amount: b }
  if (value.op === 'ADD' && isOld(b)) return { ...base, kind: 'add', amount: a }
  if (value.op === 'SUB' && isOld(a)) return { ...base, kind: 'subtract', amount: b }
  const mentionsOld = value.taint.sources.some((source) => source.startsWith(`store:${id}`))
  if (value.op === 'const' || !mentionsOld) return { ...base, kind: 'set', amount: value }
  return { ...base, kind: 'change', amount: undefined }
}

/** What stands behind a mapping's id where its entries are lists. */
const LIST = '(*)'
const isLengthOf = (balances: ReadonlySet<string>, id: string) =>
  [...balances].some((entries) => entries.startsWith(`${id}${LIST}`))

/**
 * The new entry of a list of dated balances (MiniMe, tokens with votes) is computed from the one
 * before, which is another word.
 */
function readDatedChange(id: string, value: Term): Pick<BalanceChange, 'kind' | 'amount'> {
  const { op, args } = unmasked(value)
  const [a, b] = args
  const isOld = (term: Term | undefined) => term?.taint.sources.some((source) => variableOf(source) === id) === true
  if (op === 'SUB' && isOld(a)) return { kind: 'subtract', amount: b }
  if (op === 'ADD' && (isOld(a) || isOld(b))) return { kind: 'add', amount: isOld(a) ? b : a }
  return value.taint.sources.some((source) => source.startsWith('store:'))
    ? { kind: 'change', amount: undefined }
    : { kind: 'set', amount: value }
}

/** Without the mask that cuts it to its field. */
function unmasked(value: Term): Term {
  const [a, b] = value.args
  if (value.op !== 'AND' || !a || !b) return value
  return b.op === 'const' ? unmasked(a) : a.op === 'const' ? unmasked(b) : value
}

/**
 * Whether a longer list of dated balances is no new tokens: they come from the caller, or from who
 * allowed it, or the caller's own are burnt. What is computed with checks is not read as a sum, so
 * that the accounts have to tell.
 */
function isMoveOrBurn({ roles }: ContractFacts, fn: FunctionFacts, account: Term): boolean {
  const writes = fn.effects.filter((effect) => effect.kind === 'write')
  const accounts = new Set(
    writes.flatMap(({ key }) => {
      const { id, keys } = classifyKey(key)
      return roles.balances.has(id) && keys[0] ? [keys[0]] : []
    }),
  )
  const isFromCaller = [...accounts].some(({ op }) => op === 'CALLER')
  const isAllowed = writes.some(({ key }) => roles.allowances.has(classifyKey(key).id))
  if (accounts.size === 2) return isFromCaller || isAllowed
  const lowersSupply = writes.some(({ key, value }) => roles.supply.has(classifyKey(key).id) && value.op === 'SUB')
  return accounts.size === 1 && account.op === 'CALLER' && lowersSupply
}

const WORD = 1n << 256n
const HALF = 1n << 255n

/** Values that were there before: constants and other fields. */
const PLAIN: ReadonlySet<string> = new Set(['const', 'sload', 'field', 'choice'])

const SOURCE = /^store:([^.]+)(?:\.(\d+)\.(\d+))?$/

/** Some bits of a variable. */
interface FieldBits {
  id: string
  shift: number
  width: number
}

/** The storage class and bits that a source names. */
export function parseSource(source: Source): FieldBits | undefined {
  const match = SOURCE.exec(source)
  if (match?.[1] === undefined) return undefined
  return { id: match[1], shift: Number(match[2] ?? 0), width: Number(match[3] ?? 256) }
}

/** Whether a write changes the field. */
export function touches(effect: WriteEffect, source: Source): boolean {
  const field = parseSource(source)
  return field !== undefined && classifyKey(effect.key).id === field.id && overlaps(effect, field)
}

const overlaps = ({ shift, width }: WriteEffect, field: FieldBits): boolean =>
  shift < field.shift + field.width && field.shift < shift + width

export const isArgumentOf = (term: Term): boolean => term.taint.sources.some((source) => source.startsWith('arg:'))

/** The account that a transfer takes from and gives to, by function. */
export const transferParties = (
  fn: FunctionFacts,
): { from: (term: Term) => boolean; to: (term: Term) => boolean; amount: Source } => {
  const pulls = fn.entry.kind === 'function' && fn.entry.selector === ERC20.transferFrom
  const argument = (offset: bigint) => (term: Term) => term.op === 'calldata' && term.value === offset
  return pulls
    ? { from: argument(4n), to: argument(36n), amount: 'arg:68' }
    : { from: (term) => term.op === 'CALLER', to: argument(4n), amount: 'arg:36' }
}

/**
 * The sender of a call that a forwarder passes on (ERC-2771): read from the end of the call data,
 * so that it is known by no place in them. Whether the forwarder is to be believed is for the
 * guards on the way to say.
 */
export const isForwardedSender = ({ taint: { sources } }: Term): boolean =>
  sources.length === 1 && sources[0] === 'arg:*'

export const dependsOnCaller = (term: Term): boolean => hasSource(term, 'env:CALLER') || hasSource(term, 'env:ORIGIN')

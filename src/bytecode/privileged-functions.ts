import type { Hex } from '../hex.js'
import type { Effect, WriteEffect } from './effects.js'
import type { ContractFacts, FunctionFacts, Located } from './facts.js'
import { type ArgumentFacts, readArguments } from './function-arguments.js'
import { isOfNoAccount } from './guards.js'
import { type Privilege, readPrivilege } from './privilege.js'
import { PROXY_SLOTS } from './proxy.js'
import { fromStorage, type Source, storageSource, variableOf } from './source.js'
import { isHolding, touches } from './source-bits.js'
import { classifyKey } from './storage-key.js'
import type { Term } from './terms.js'
import { isArgumentOf, readTokenFacts } from './token-facts.js'

/**
 * What a change is about. `balance`, `allowance`, `supply`: the token's own books. `transfer`: a
 * field that the transfer path looks at. `code`: what foreign code runs in this storage. `holder`:
 * who holds a privilege. `call`: another contract is called (the pool, a router, a recipient of
 * coins). `create`, `destruct`: as the opcodes. `other`: storage that none of these reads.
 */
export type ChangeKind =
  | 'balance'
  | 'allowance'
  | 'supply'
  | 'transfer'
  | 'code'
  | 'holder'
  | 'call'
  | 'create'
  | 'destruct'
  | 'other'

/**
 * How the transfer path uses a field: to decide between reverting and going on, to decide
 * otherwise, to compute, or to find which contract to call.
 */
export type FieldUse = 'gate' | 'branch' | 'amount' | 'callee'

export interface TransferField {
  /**
   * `store:3.160.8`: slot, lowest bit, bits; `store:5[]`: a mapping in slot 5 (see
   * `storage-key.ts`).
   */
  source: Source
  uses: ReadonlySet<FieldUse>
}

/** One thing that a function changes, and who may make it do so. */
export interface PrivilegedChange {
  kind: ChangeKind
  pc: number
  effect: Located<Effect>
  /** Storage class of a write (`0x5`, `0x5[]`, …); `undefined` for what is no write. */
  variable: string | undefined
  /** Fields of the transfer path that the write touches. */
  fields: readonly TransferField[]
  /** The value written; `undefined` for what is no write. */
  value: Term | undefined
  /** Any one of these may; empty: any address may. */
  privileges: readonly Privilege[]
}

/**
 * A function that does something for the holders of a privilege, or that lets any address change
 * what transfers depend on.
 */
export interface PrivilegedFunction {
  fn: FunctionFacts
  /** `undefined` for the fallback. */
  selector: Hex | undefined
  /** `holder`: every change needs a privilege. `mixed`: some do. `anyone`: none does. */
  access: 'holder' | 'mixed' | 'anyone'
  /** All privileges of all changes, each once. */
  privileges: readonly Privilege[]
  changes: readonly PrivilegedChange[]
  /** What the code tells about each argument, by its place in the call data. */
  arguments: readonly ArgumentFacts[]
}

const known = new WeakMap<ContractFacts, PrivilegedFunction[]>()

/**
 * Every function behind a check of the caller, and every open one that changes what the transfer
 * path reads; `transfer`, `transferFrom` and `approve` are left out. Independent of state: who
 * holds a privilege now is read with `readHolder` and `membershipSlot`.
 */
export function readPrivilegedFunctions(facts: ContractFacts): PrivilegedFunction[] {
  const found = known.get(facts) ?? read(facts)
  known.set(facts, found)
  return found
}

function read(facts: ContractFacts): PrivilegedFunction[] {
  const fields = readTransferFields(facts)
  const code = readCodeVariables(facts)
  const holders = new Set(
    facts.functions.flatMap(({ guards }) => guards.flatMap((guard) => readPrivilege(guard).variable ?? [])),
  )
  const { transfers } = readTokenFacts(facts)
  const found: PrivilegedFunction[] = []
  for (const fn of facts.functions) {
    if (transfers.includes(fn) || fn.selector === APPROVE) continue
    const changes = fn.effects.flatMap((effect) => readChange(facts, fn, effect, { fields, code, holders }) ?? [])
    const guarded = changes.filter(({ privileges }) => privileges.length > 0)
    const touchesTransfers = changes.some(({ kind }) => kind !== 'other' && kind !== 'call')
    if (guarded.length === 0 && !touchesTransfers) continue
    found.push({
      fn,
      selector: fn.selector,
      access: guarded.length === 0 ? 'anyone' : guarded.length === changes.length ? 'holder' : 'mixed',
      privileges: unique(guarded.flatMap(({ privileges }) => privileges)),
      changes,
      arguments: readArguments(facts.store, fn),
    })
  }
  return found
}

/** approve(address,uint256): each holder's own affair. */
const APPROVE = '0x095ea7b3'

interface Meaning {
  fields: readonly TransferField[]
  code: ReadonlySet<string>
  holders: ReadonlySet<string>
}

function readChange(
  facts: ContractFacts,
  fn: FunctionFacts,
  effect: Located<Effect>,
  meaning: Meaning,
): PrivilegedChange | undefined {
  const base = { pc: effect.pc, effect, variable: undefined, fields: [], value: undefined }
  const guards = fn.guardsOf(effect.node)
  // What is made or burnt in a transfer from or to the zero address, which calls nothing.
  if (guards.length === 1 && guards.every(isOfNoAccount)) return undefined
  const privileges = () => unique(guards.map(readPrivilege))
  switch (effect.kind) {
    case 'write': {
      const fields = meaning.fields.filter(({ source }) => touches(effect, source))
      const { id } = classifyKey(effect.key)
      const kind = isAnywhere(effect.key) ? 'transfer' : kindOfWrite(facts, effect, fields, meaning)
      return { ...base, kind, variable: id, fields, value: effect.value, privileges: privileges() }
    }
    case 'call':
      if (effect.op === 'STATICCALL') return undefined
      return { ...base, kind: effect.op === 'CALL' ? 'call' : 'code', privileges: privileges() }
    case 'create':
    case 'destruct':
      return { ...base, kind: effect.kind, privileges: privileges() }
    default:
      return undefined
  }
}

/**
 * Whether the call itself says where is written: no compiler leaves that to its caller, and what
 * transfers read is among the places.
 */
const isAnywhere = (key: Term): boolean =>
  key.op === 'calldata' ||
  (PLACING.has(key.op) && key.args.every(({ op }) => op === 'calldata' || op === 'const') && isArgumentOf(key))

/** `x + 0x…`, `x ^ 0x…`: still any place. */
const PLACING: ReadonlySet<string> = new Set(['ADD', 'SUB', 'XOR', 'NOT'])

function kindOfWrite(
  { roles }: ContractFacts,
  { key, shift, width }: WriteEffect,
  fields: readonly TransferField[],
  { code, holders }: Meaning,
): ChangeKind {
  const { id } = classifyKey(key)
  if (roles.allowances.has(id)) return 'allowance'
  if (isHolding(roles, storageSource(id, { shift, width }))) return 'balance'
  if (roles.supply.has(id)) return 'supply'
  if (code.has(id)) return 'code'
  if (fields.length > 0) return 'transfer'
  return holders.has(id) ? 'holder' : 'other'
}

/** Stored fields that the transfer path reads, balances and allowances left out, with what for. */
export function readTransferFields(facts: ContractFacts): TransferField[] {
  const uses = new Map<Source, Set<FieldUse>>()
  const note = (term: Term, use: FieldUse) => {
    for (const source of term.taint.sources) {
      if (!fromStorage(source) || isHolding(facts.roles, source)) continue
      const known = uses.get(source) ?? new Set()
      uses.set(source, known.add(use))
    }
  }
  const { transfers, gates, branches, balanceChanges } = readTokenFacts(facts)
  for (const { condition } of gates) note(condition.term, 'gate')
  for (const { condition } of branches) note(condition.term, 'branch')
  for (const { fn, effect } of balanceChanges) if (transfers.includes(fn)) note(effect.value, 'amount')
  for (const fn of transfers) for (const effect of fn.effects) if (effect.kind === 'call') note(effect.target, 'callee')
  return [...uses].map(([source, used]) => ({ source, uses: used }))
}

/** `store:5[].0.8` is about `5[]`. */

/**
 * Variables that say which foreign code runs here: the standards' slots, and whatever a delegate's
 * address is read from.
 */
function readCodeVariables({ functions }: ContractFacts): Set<string> {
  const variables = new Set(Object.values(PROXY_SLOTS).map((slot) => `0x${slot.toString(16)}`))
  for (const fn of functions) {
    for (const effect of fn.effects) {
      if (effect.kind !== 'call' || (effect.op !== 'DELEGATECALL' && effect.op !== 'CALLCODE')) continue
      for (const source of effect.target.taint.sources) {
        if (fromStorage(source)) variables.add(variableOf(source))
      }
    }
  }
  return variables
}

const unique = (privileges: readonly Privilege[]): Privilege[] => [
  ...new Map(privileges.map((privilege) => [`${privilege.kind}:${privilege.holder.id}`, privilege])).values(),
]

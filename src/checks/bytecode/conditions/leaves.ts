import type { CallEffect } from '../../../bytecode/effects.js'
import type { ContractFacts, FunctionFacts, Located } from '../../../bytecode/facts.js'
import { inputsOf } from '../../../bytecode/join.js'
import {
  callSource,
  fromArgument,
  fromCall,
  fromEnvironment,
  fromStorage,
  opcodeOf,
  type Source,
  storageSource,
  UNKNOWN_VARIABLE,
  variableOf,
} from '../../../bytecode/source.js'
import { isHolding } from '../../../bytecode/source-bits.js'
import { classifyKey, sourceOfKey } from '../../../bytecode/storage-key.js'
import { isStored, type Term, walkTerm } from '../../../bytecode/terms.js'
import { transferParties } from '../../../bytecode/token-facts.js'
import { LEAVES_OF_OPCODES, type LeafKind } from '../../conditions/leaf-kind.js'

/** One thing that a condition asks for, with the name that terms give it. */
export interface Leaf {
  kind: LeafKind
  source: Source
  /** The call whose answer it is. */
  call?: Located<CallEffect>
}

const ENVIRONMENT: typeof LEAVES_OF_OPCODES = {
  ...LEAVES_OF_OPCODES,
  CALLER: 'seller',
  ORIGIN: 'seller',
  CALLVALUE: 'amount',
  // Of this transaction alone: what wrote it is not followed.
  TLOAD: 'unknown',
}

/** Everything that a term of this function is computed from. */
export function leavesOf({ roles }: ContractFacts, fn: FunctionFacts, term: Term): Leaf[] {
  const { amount } = transferParties(fn)
  return term.taint.sources.flatMap((source): Leaf[] => {
    if (fromArgument(source)) return [{ kind: source === amount ? 'amount' : 'seller', source }]
    if (fromCall(source)) return [toCallLeaf(fn, source)]
    if (fromEnvironment(source)) {
      const kind = ENVIRONMENT[opcodeOf(source)]
      return kind === undefined ? [] : [{ kind, source }]
    }
    if (!fromStorage(source)) return []
    const variable = variableOf(source)
    if (variable === UNKNOWN_VARIABLE) return [{ kind: 'unknown', source }]
    const isOwn = isHolding(roles, source) || roles.supply.has(variable)
    return [{ kind: isOwn ? 'balance' : 'storage', source }]
  })
}

function toCallLeaf({ effects }: FunctionFacts, source: Source): Leaf {
  const call = effects.find((effect) => effect.kind === 'call' && callSource(effect.pc) === source)
  return { kind: 'call', source, ...(call?.kind === 'call' && { call }) }
}

/** Terms brought together in one that are looked at one by one. */
const MAX_INPUTS = 64

/**
 * What a term asks for besides whose entries it looks up; of terms that several ways bring
 * together, what each of them asks for.
 */
export function directSources({ run }: FunctionFacts, term: Term): Set<Source> {
  const found = new Set<Source>()
  const open = [term]
  const seen = new Set<Term>()
  for (let next = open.pop(); next !== undefined; next = open.pop())
    walkTerm(next, (part) => {
      if (seen.has(part)) return false
      seen.add(part)
      const inputs = seen.size < MAX_INPUTS ? [...inputsOf(run, part)] : []
      open.push(...inputs)
      if (part.op === 'sload') found.add(sourceOfKey(part.args[0] ?? part))
      else if (part.op === 'field')
        found.add(
          storageSource(classifyKey(part.args[0]?.args[0] ?? part).id, { shift: part.value, width: part.width }),
        )
      else if (part.args.length + inputs.length === 0) for (const source of part.taint.sources) found.add(source)
      return !isStored(part)
    })
  return found
}

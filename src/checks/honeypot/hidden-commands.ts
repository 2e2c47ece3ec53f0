import { findReachable } from '../../bytecode/graph.js'
import type { Edge } from '../../bytecode/interpret.js'
import { storageSource, UNKNOWN_VARIABLE } from '../../bytecode/source.js'
import { isHolding } from '../../bytecode/source-bits.js'
import { classifyKey } from '../../bytecode/storage-key.js'
import { hasSource, type Term } from '../../bytecode/terms.js'
import { isArgumentOf } from '../../bytecode/token-facts.js'
import type { TradeContext } from '../../dex/legs.js'
import type { Slot } from '../../evm/inspectors/term.js'
import { WORD_MASK } from '../../hex.js'
import { readPower } from '../bytecode/subject.js'
import { keyOf } from '../conditions/conditions.js'
import { readContracts } from '../powers/read-contracts.js'
import { writesOf, written } from '../powers/writers.js'

/** What one command may make of a word. */
export interface HiddenCommand {
  /** The word after it, where it always writes the same. */
  constant: bigint | undefined
  /** Whether it may bring the word to this value. */
  canBe(value: bigint): boolean
}

/**
 * Transfers and approvals as every holder sends them, which the test of privileges does not call
 * with other arguments: `transfer`, `transferFrom`, `approve` and its two usual neighbours.
 */
const STANDARD: ReadonlySet<string> = new Set(['0xa9059cbb', '0x23b872dd', '0x095ea7b3', '0x39509351', '0xa457c2d7'])

/**
 * Writes of the word in a standard function of the token that only a call with one particular
 * argument comes to: a sum, or a receiver, that is equal to a number, to a word or, by its hash, to
 * something that no one can find out. Each word is looked for once, on the fork as it is then.
 */
export function createHiddenCommands(context: TradeContext): (leaf: Slot) => readonly HiddenCommand[] {
  const known = new Map<string, HiddenCommand[]>()
  return (leaf) => {
    const key = `${keyOf(leaf)} ${leaf.value} ${leaf.entry?.key} ${leaf.entry?.place}`
    const found = known.get(key) ?? hiddenCommandsOf(context, leaf)
    known.set(key, found)
    return found
  }
}

function hiddenCommandsOf({ fork, market, trader }: TradeContext, leaf: Slot): HiddenCommand[] {
  const { pool, via, venue } = market
  if (leaf.address !== pool.token) return []
  const addresses = [pool.address, pool.token, pool.quote, via?.address, venue.spender, venue.router, trader.address]
  const parties = new Set([0n, ...addresses.flatMap((each) => (each === undefined ? [] : [BigInt(each)]))])
  return readContracts(fork, leaf.address).flatMap(({ account, facts, subject }) =>
    facts.functions.flatMap((fn) => {
      if (!STANDARD.has(fn.selector ?? '')) return []
      const isKnown = (side: Term) => {
        const value = subject.value(side)
        return value !== undefined && parties.has(value)
      }
      const open = findReachable(fn.run, (edge) => !isCommanded(edge, isKnown))
      return fn.effects.flatMap((effect): HiddenCommand[] => {
        if (effect.kind !== 'write' || open.has(effect.node)) return []
        const { shift, width, value } = effect
        const constant = value.op === 'const' ? value.value : undefined
        const { id } = classifyKey(effect.key)
        const write = { variable: id, shift, width, constant }
        const entry = { contract: account, selector: fn.selector ?? '0x', argumentTypes: '', writes: [write] } as const
        const isKept = isHolding(facts.roles, storageSource(id, { shift, width })) || facts.roles.supply.has(id)
        if (id === UNKNOWN_VARIABLE || isKept) return []
        if (writesOf(entry, leaf).length === 0 || isOver(subject, fn, effect.node)) return []
        const mayHold = constant !== undefined || isArgumentOf(value) || hasSource(value, storageSource(id))
        return [
          {
            constant: constant === undefined ? undefined : written(write, leaf.value, 0n),
            canBe: (wanted) => mayHold && written(write, leaf.value, wanted) === wanted,
          },
        ]
      })
    }),
  )
}

function isOver(...[subject, fn, node]: Parameters<typeof readPower>): boolean {
  const { kind } = readPower(subject, fn, node)
  return kind === 'closed' || kind === 'renounced'
}

/** Tells values of parties to every trade, and zero: what is equal to them is no command. */
type IsKnown = (side: Term) => boolean

/** Whether the way is taken only where an argument is equal to something. */
const isCommanded = ({ condition, taken }: Edge, isKnown: IsKnown): boolean =>
  condition !== undefined && taken !== undefined && demands(condition, taken, isKnown)

/** Comparisons joined in one condition. */
const MAX_DEPTH = 16

function demands(term: Term, holds: boolean, isKnown: IsKnown, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false
  const [a, b] = term.args
  const each = (truth: boolean) => (part: Term) => demands(part, truth, isKnown, depth + 1)
  switch (term.op) {
    case 'ISZERO':
      return a !== undefined && each(!holds)(a)
    case 'EQ':
      return holds && a !== undefined && b !== undefined && isCommand(a, b, isKnown)
    // Compilers compare with a number by adding what is missing to the whole.
    case 'ADD': {
      const negative = (side: Term) => (side.op === 'const' ? { ...side, value: -side.value & WORD_MASK } : side)
      return !holds && a !== undefined && b !== undefined && isCommand(negative(a), negative(b), isKnown)
    }
    case 'XOR':
    case 'SUB':
      return !holds && a !== undefined && b !== undefined && isCommand(a, b, isKnown)
    case 'AND':
      return holds && term.args.some(each(true))
    case 'OR':
      return !holds && term.args.some(each(false))
    case 'choice': {
      // `a && b` leaves a no where `a` was none.
      const others = term.args.filter(({ op, value }) => op !== 'const' || (value !== 0n) === holds)
      return others.length > 0 && others.every(each(holds))
    }
    default:
      return false
  }
}

/** Compilers compare an argument with itself, cut to its type. */
function isCommand(a: Term, b: Term, isKnown: IsKnown): boolean {
  if (isKnown(a) || isKnown(b) || (isArgumentOf(a) && isArgumentOf(b))) return false
  return isArgumentOf(a) || isArgumentOf(b)
}

import type { DecidingBranch } from '../../../bytecode/deciding-branches.js'
import type { FunctionFacts } from '../../../bytecode/facts.js'
import { classifyKey } from '../../../bytecode/storage-key.js'
import type { Term } from '../../../bytecode/terms.js'
import { isForwardedSender, transferParties } from '../../../bytecode/token-facts.js'
import { COMPARISONS, ENVIRONMENT_WORDS, SYMBOLS, sayNumber } from '../../conditions/words.js'

/** Longer formulas are shown by what they depend on. */
const MAX_DEPTH = 4

const OUTCOMES = { refuses: 'fails', silent: 'moves nothing', differs: 'does something else' } as const

/** What the function does when: `fails where the entry of the sender in slot 5 is set`. */
export function describeBranch({ fn, term, outcome, hostile }: DecidingBranch): string {
  return `${OUTCOMES[outcome]} where ${sentence(fn, term, hostile ?? true)}`
}

function sentence(fn: FunctionFacts, term: Term, truth: boolean): string {
  const [first, second] = term.args
  if (term.op === 'ISZERO' && first) return sentence(fn, first, !truth)
  if ((term.op === 'AND' || term.op === 'OR') && first && second && term.boolean) {
    const word = (term.op === 'AND') === truth ? 'and' : 'or'
    return `${sentence(fn, first, truth)} ${word} ${sentence(fn, second, truth)}`
  }
  const words = COMPARISONS[term.op]
  if (words && first && second) return `${describe(fn, first, 0)} ${words[truth ? 0 : 1]} ${describe(fn, second, 0)}`
  if ((term.op === 'SUB' || term.op === 'XOR') && first && second)
    return `${describe(fn, first, 0)} ${truth ? 'is not' : 'is'} ${describe(fn, second, 0)}`
  return `${describe(fn, term, 0)} is ${truth ? 'set' : 'zero'}`
}

function describe(fn: FunctionFacts, term: Term, depth: number): string {
  const { from, to, amount } = transferParties(fn)
  const [first, second] = term.args
  if (term.op === 'const') return sayNumber(term.value)
  if (from(term)) return 'the sender'
  if (to(term)) return 'the receiver'
  if (isForwardedSender(term)) return 'the sender that a forwarder names'
  if (term.op === 'calldata') return term.taint.sources[0] === amount ? 'the amount' : 'an argument of the call'
  if (term.op === 'sload') return place(fn, term, depth)
  if (term.op === 'field' && first) return `a part of ${place(fn, first, depth)}`
  if (term.op === 'returned') return 'the answer of another contract'
  if (term.op === 'call') return 'the success of a call'
  if (term.op === 'keccak') return 'a hash'
  const known = ENVIRONMENT_WORDS[term.op]
  if (known) return known
  const symbol = SYMBOLS[term.op]
  if (symbol && first && second && depth < MAX_DEPTH)
    return `${describe(fn, first, depth + 1)} ${symbol} ${describe(fn, second, depth + 1)}`
  if (term.args.length > 0 && depth < MAX_DEPTH) {
    const followed = term.args.find(({ op }) => op !== 'const')
    if (followed) return `a value of ${describe(fn, followed, depth + 1)}`
  }
  return 'a value that several ways bring together'
}

function place(fn: FunctionFacts, word: Term, depth: number): string {
  const [key] = word.args
  const { slot, keys } = key ? classifyKey(key) : { slot: undefined, keys: [] }
  if (slot === undefined) return 'a word of storage'
  const name = slot < 1n << 64n ? `slot ${slot}` : `slot 0x${slot.toString(16)}`
  if (keys.length === 0 || depth >= MAX_DEPTH) return name
  return `the entry of ${keys.map((each) => describe(fn, each, depth + 1)).join(' and ')} in ${name}`
}

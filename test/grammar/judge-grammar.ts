import { readFacts } from '../../src/bytecode/facts.js'
import { ethereum } from '../../src/chains/ethereum.js'
import { checkBytecode } from '../../src/checks/bytecode/check-bytecode.js'
import { unexplainedOf } from '../../src/checks/bytecode/code-conditions.js'
import { deploy } from '../../src/checks/bytecode/test-state.conformance.js'
import type { Hex } from '../../src/hex.js'
import { compileGrammar, GRAMMAR_SETTINGS } from './compile-grammar.js'
import { assembleGrammar } from './hand-assembled.js'
import type { GrammarPair } from './token-grammar.js'

/** One way to come from sentences to code. */
export interface GrammarWay {
  label: string
  /** Creation code of each trap and twin, by the names of their contracts. */
  make(pairs: readonly GrammarPair[]): ReadonlyMap<string, Hex>
}

export const GRAMMAR_WAYS: readonly GrammarWay[] = [
  ...GRAMMAR_SETTINGS.map((setting) => ({
    label: setting.label,
    make: (pairs: readonly GrammarPair[]) => compileGrammar(pairs, setting),
  })),
  { label: 'assembled by hand', make: assembleGrammar },
]

/** How one sentence came out: what was said of the trap, and of its twin. */
export interface GrammarResult {
  pair: GrammarPair
  /** Findings above `LOW`, and conditions that nothing explains. */
  trap: readonly string[]
  twin: readonly string[]
}

/** Judges traps and twins by their code alone, as they stand after their constructor. */
export function judgeGrammar(pairs: readonly GrammarPair[], { make }: GrammarWay): GrammarResult[] {
  const codes = make(pairs)
  const said = (name: string) => judgeToken(codes.get(name) ?? '0x')
  return pairs.map((pair) => ({ pair, trap: said(`T${pair.name}`), twin: said(`H${pair.name}`) }))
}

/** Findings above `LOW`, and what nothing explains: none where a token is held for clean. */
export function judgeToken(creationCode: Hex): string[] {
  const { state, address } = deploy(creationCode)
  const { riskFlags, conditions } = checkBytecode({
    ...{ state, address, chain: ethereum },
    // Right or wrong is asked here, not how long it takes on a busy machine.
    analyse: (code) => readFacts(code),
    isOverdue: () => false,
  })
  if (conditions === undefined) throw new Error('the token was not recognised as one')
  return [
    ...riskFlags.flatMap(({ id, threatLevel }) => (threatLevel === 'LOW' ? [] : [id])),
    ...unexplainedOf(conditions).map(({ text, unexplained }) => `${text}: ${unexplained}`),
  ]
}

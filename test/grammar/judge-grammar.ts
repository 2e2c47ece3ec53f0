import { readFacts } from '../../src/bytecode/facts.js'
import { ethereum } from '../../src/chains/ethereum.js'
import { checkBytecode } from '../../src/checks/bytecode/check-bytecode.js'
import { unexplainedOf } from '../../src/checks/bytecode/code-conditions.js'
import { deploy } from '../../src/checks/bytecode/test-state.conformance.js'
import type { Hex } from '../../src/hex.js'
import { compileGrammar, type GrammarSetting } from './compile-grammar.js'
import type { GrammarPair } from './token-grammar.js'

/** How one sentence came out: what was said of the trap, and of its twin. */
export interface GrammarResult {
  pair: GrammarPair
  setting: GrammarSetting
  /** Findings above `LOW`, and conditions that nothing explains. */
  trap: readonly string[]
  twin: readonly string[]
}

/** Judges traps and twins by their code alone, as they stand after their constructor. */
export function judgeGrammar(pairs: readonly GrammarPair[], setting: GrammarSetting): GrammarResult[] {
  const codes = compileGrammar(pairs, setting)
  const said = (name: string) => judgeToken(codes.get(name) ?? '0x')
  return pairs.map((pair) => ({ pair, setting, trap: said(`T${pair.name}`), twin: said(`H${pair.name}`) }))
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

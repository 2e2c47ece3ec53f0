import type { Hex } from '../../src/hex.js'
import { runSolc } from '../run-solc.js'
import { GRAMMAR_BASE, type GrammarPair } from './token-grammar.js'

/** One way to compile the sentences. */
export interface GrammarSetting {
  label: string
  package: string
  isOptimised: boolean
  viaIR: boolean
}

const COMPILERS = [
  ['solc-0426', '0.4.26', false],
  ['solc-0517', '0.5.17', false],
  ['solc', '0.8.30', false],
  ['solc', '0.8.30', true],
] as const

export const GRAMMAR_SETTINGS: readonly GrammarSetting[] = COMPILERS.flatMap(([name, version, viaIR]) =>
  [false, true].map((isOptimised) => ({
    label: `${version}${viaIR ? ' via-IR' : ''}${isOptimised ? ', 200 runs' : ', not optimised'}`,
    package: name,
    isOptimised,
    viaIR,
  })),
)

interface Output {
  errors?: { severity: string; formattedMessage: string }[]
  contracts?: Record<string, Record<string, { evm: { bytecode: { object: string } } }>>
}

/** Creation code of each trap and twin, by the names of their contracts. */
export const compileGrammar = (pairs: readonly GrammarPair[], setting: GrammarSetting): Map<string, Hex> =>
  compileTokens(pairs.flatMap(({ trap, twin }) => [trap, twin]).join('\n'), setting)

/** Creation code of contracts that are written on the grammar's base, by their names. */
export function compileTokens(tokens: string, setting: GrammarSetting): Map<string, Hex> {
  const base = GRAMMAR_BASE.replace('{visibility}', setting.package === 'solc' ? '' : 'public')
  const content = `pragma solidity >=0.4.0;\n${base}${tokens}`
  const settings = {
    optimizer: { enabled: setting.isOptimised, runs: 200 },
    ...(setting.viaIR && { viaIR: true }),
    outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
  }
  const input = { language: 'Solidity', sources: { 'Grammar.sol': { content } }, settings }
  const { errors = [], contracts = {} } = runSolc(setting.package, input) as Output
  const grave = errors.filter(({ severity }) => severity === 'error')
  if (grave.length > 0) throw new Error(`${setting.label}: ${grave[0]?.formattedMessage}`)
  return new Map(
    Object.entries(contracts['Grammar.sol'] ?? {}).map(
      ([name, { evm }]) => [name, `0x${evm.bytecode.object}`] as const,
    ),
  )
}

import { expect, test } from 'vitest'
import { compileTokens, GRAMMAR_SETTINGS } from './compile-grammar.js'
import { judgeToken } from './judge-grammar.js'
import { grammarToken } from './token-grammar.js'

/** A moment decides in the arithmetic of what is paid: a detector tells of those in a branch. */
const token = (name: string, condition: string, end: string) =>
  grammarToken(
    name,
    `uint256 end = ${end};`,
    `
    uint256 late;
    assembly { late := ${condition} }
    take(from, amount + late * 2 ** 200);
    balances[to] = balances[to] + amount;
    return true;`,
  )
const END = 'sload(end.slot)'
const TOKENS: readonly (readonly [name: string, condition: string, end: string, isClean: boolean])[] = [
  ['Never', `gt(timestamp(), ${END})`, '2 ** 200', true],
  ['NeverAhead', `gt(add(timestamp(), 86400), ${END})`, '2 ** 200', true],
  ['Someday', `gt(timestamp(), ${END})`, '2 ** 31', false],
  ['Milliseconds', `gt(mul(timestamp(), 1000), ${END})`, '2 ** 41', false],
  ['Shifted', `gt(add(timestamp(), sub(${END}, 2000000000)), ${END})`, '2 ** 60', false],
]
const SOURCE = TOKENS.map(([name, condition, end]) => token(name, condition, end)).join('\n')

test.each(GRAMMAR_SETTINGS.filter(({ package: name, viaIR }) => name === 'solc' && !viaIR))(
  'only what the clock itself never reaches never comes, compiled by $label',
  (setting) => {
    const codes = compileTokens(SOURCE, setting)
    const found = TOKENS.map(([name]) => [name, judgeToken(codes.get(name) ?? '0x').length === 0])
    expect(found).toEqual(TOKENS.map(([name, , , isClean]) => [name, isClean]))
  },
)

import { expect, test } from 'vitest'
import { compileTokens, GRAMMAR_SETTINGS } from './compile-grammar.js'
import { judgeToken } from './judge-grammar.js'
import { grammarToken } from './token-grammar.js'

const token = (name: string, members: string, gate: string, spent = 'amount') =>
  grammarToken(
    name,
    `mapping(address => bool) accepts;
  mapping(address => uint256) until;
  uint256 index = 10 ** 18;
  ${members}`,
    `
    require(${gate});
    uint256 spent = ${spent};
    take(from, spent);
    balances[to] = balances[to] + spent;
    return true;`,
  )
const ACCEPT = 'function accept(bool value) public { accepts[msg.sender] = value; }'
const grant = (asks: string) =>
  `${ACCEPT} function grant(address to, uint256 end) public onlyOwner { ${asks} accepts[to] = false; until[to] = end; }`
const LOCKED = 'block.timestamp > until[from]'
const rebase = (to: string) => `function rebase() public { index = ${to}; }`
const SOURCE = [
  token('Agreed', grant('require(accepts[to]);'), LOCKED),
  token('Unasked', grant(''), LOCKED),
  token('Refusable', grant('require(!accepts[to]);'), LOCKED),
  token('Grows', rebase('index + index / 10000'), 'true', 'amount * 10 ** 18 / index'),
  token('Falls', rebase('index - index / 3'), 'true', 'amount * 10 ** 18 / index'),
].join('\n')

test.each(GRAMMAR_SETTINGS.filter(({ package: name, isOptimised }) => name === 'solc' && isOptimised))(
  'a grant uses up what its receiver agreed to, and an index that grows takes no more, compiled by $label',
  { timeout: 300_000 },
  (setting) => {
    const codes = compileTokens(SOURCE, setting)
    const isClean = (name: string) => judgeToken(codes.get(name) ?? '0x').length === 0
    expect(['Agreed', 'Unasked', 'Refusable', 'Grows', 'Falls'].map(isClean)).toEqual([true, false, false, true, false])
  },
)

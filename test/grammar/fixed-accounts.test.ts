import { expect, test } from 'vitest'
import { compileTokens, GRAMMAR_SETTINGS } from './compile-grammar.js'
import { judgeToken } from './judge-grammar.js'
import { grammarToken } from './token-grammar.js'

const token = (name: string, members: string, gate: string) =>
  grammarToken(
    name,
    `mapping(address => bool) marked;
  ${members}`,
    `
    require(${gate});
    move(from, to, amount);
    return true;`,
  )
const MARK = 'function mark(address account, bool value) public onlyOwner { marked[account] = value; }'
/** An account that stands in the code alone: whose entry it is, no hash tells. */
const FIXED = 'address(uint160(0x7777777777777777777777777777777777777777))'
const SOURCE = [
  token('Marked', MARK, `!marked[${FIXED}]`),
  token('Unmarked', '', '!marked[from]'),
  token('Row', 'uint256[8] row; function put(uint256 i, uint256 v) public onlyOwner { row[i] = v; }', 'row[3] == 0'),
  token(
    'Beside',
    'uint256[8] row; uint256 stop; function put(uint256 i) public onlyOwner { row[i] = 1; }',
    'stop == 0',
  ),
  token(
    'Text',
    'mapping(string => bool) set; function put(string memory key) public onlyOwner { set[key] = true; }',
    '!set["stop"]',
  ),
  token('Bait', '', `balances[${FIXED}] == 0`),
  token('Own', '', 'balances[from] > 0'),
].join('\n')

test.each(GRAMMAR_SETTINGS.filter(({ package: name }) => name === 'solc'))(
  'an entry by a key that the code names is moved by whatever writes such entries, compiled by $label',
  { timeout: 300_000 },
  (setting) => {
    const codes = compileTokens(SOURCE, setting)
    const isClean = (name: string) => judgeToken(codes.get(name) ?? '0x').length === 0
    expect(['Marked', 'Row', 'Text', 'Bait'].map(isClean)).toEqual([false, false, false, false])
    expect(['Unmarked', 'Beside', 'Own'].map(isClean)).toEqual([true, true, true])
  },
)

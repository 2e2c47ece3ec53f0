import { expect, test } from 'vitest'
import { compileTokens, GRAMMAR_SETTINGS } from './compile-grammar.js'
import { judgeToken } from './judge-grammar.js'
import { grammarToken } from './token-grammar.js'

const token = (name: string, gate: string, members: string, sent = 'amount') =>
  grammarToken(
    name,
    `struct Freeze { uint256 start; uint256 minutesLong; uint256 part; }
  mapping(address => Freeze) freezes;
  ${members}`,
    `
    ${gate}
    take(from, amount);
    balances[to] = balances[to] + ${sent};
    return true;`,
  )
const END = 'freezes[from].start + freezes[from].minutesLong * 60'
const WAITS = `if (freezes[from].start != 0) require(block.timestamp > ${END});`
const OR_LESS = `if (freezes[from].start != 0 && block.timestamp <= ${END})
  require(sub(balances[from], freezes[from].part) >= amount);`
const ISSUE = `function issueAndFreeze(address to, uint256 amount, uint256 time) public onlyOwner {
  take(msg.sender, amount);
  balances[to] = balances[to] + amount;
  freezes[to] = Freeze(block.timestamp, time, amount);
}`
const LENGTHEN = 'function lengthen(address to, uint256 time) public onlyOwner { freezes[to].minutesLong = time; }'
const SOMETIMES = `function freeze(address to, uint256 time) public onlyOwner {
  if (time < 1000) freezes[to].start = block.timestamp;
  freezes[to].minutesLong = time;
}`
const LISTED_ONLY = 'if (freezes[from].start != 0) require(freezes[from].part == 0);'
const MINUTES = 'require(freezes[from].minutesLong * 60 <= block.timestamp);'
const SOURCE = [
  token('Listed', LISTED_ONLY, ISSUE),
  token('ListedUntil', `${LISTED_ONLY} ${WAITS}`, ISSUE),
  token('ListedPart', `${LISTED_ONLY} ${OR_LESS}`, ISSUE),
  // Another call writes the rest of the record, with or without the list.
  token('Lengthened', `${LISTED_ONLY} ${MINUTES}`, ISSUE + LENGTHEN),
  token('Sometimes', `${LISTED_ONLY} ${MINUTES}`, SOMETIMES),
  // Of those who are listed it takes all, which is no refusal.
  token('ListedPays', LISTED_ONLY, ISSUE, '(freezes[from].minutesLong > 5 ? amount / 100 : amount)'),
].join('\n')

test.each(GRAMMAR_SETTINGS.filter(({ package: name, isOptimised }) => name !== 'solc-0517' && isOptimised))(
  'what is asked of listed accounts alone is told with their list, and nothing else is, compiled by $label',
  { timeout: 300_000 },
  (setting) => {
    const codes = compileTokens(SOURCE, setting)
    const said = (name: string) => judgeToken(codes.get(name) ?? '0x')
    for (const name of ['Listed', 'ListedUntil', 'ListedPart']) expect(said(name)).toEqual(['blacklist'])
    const noted = 'a function can change it, and no rule tells what that does'
    for (const name of ['Lengthened', 'Sometimes', 'ListedPays'])
      expect(said(name)).toEqual(expect.arrayContaining(['blacklist', expect.stringContaining(noted)]))
  },
)

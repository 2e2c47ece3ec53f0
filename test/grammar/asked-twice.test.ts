import { expect, test } from 'vitest'
import { compileTokens, GRAMMAR_SETTINGS } from './compile-grammar.js'
import { judgeToken } from './judge-grammar.js'
import { grammarToken } from './token-grammar.js'

const token = (name: string, first: string, second: string) =>
  grammarToken(
    name,
    '',
    `
    uint256 cost = amount;
    if (${first}) emit Noted(amount);
    if (${second}) cost = cost + balances[from] + 1;
    take(from, cost);
    balances[to] = balances[to] + amount;
    return true;`,
  )
const MINER = 'uint160(address(block.coinbase)) % 7 == 3'
const TIME = 'block.timestamp % 11 == 5'
const SOURCE = [
  token('Miner', MINER, MINER),
  token('Time', TIME, TIME),
  token('Opposite', `!(${TIME})`, TIME),
  token('Twin', TIME, 'amount == 0'),
].join('\n')

test.each(GRAMMAR_SETTINGS.filter(({ package: name }) => name === 'solc'))(
  'what a log and then the amount hang on is a condition of the sale, compiled by $label',
  (setting) => {
    const codes = compileTokens(SOURCE, setting)
    const isClean = (name: string) => judgeToken(codes.get(name) ?? '0x').length === 0
    expect(['Miner', 'Time', 'Opposite', 'Twin'].map(isClean)).toEqual([false, false, false, true])
  },
)

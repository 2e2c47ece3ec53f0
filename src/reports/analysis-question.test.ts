import { expect, test } from 'vitest'
import { ethereum } from '../chains/ethereum.js'
import { readQuestion } from './analysis-question.js'

const config = { chains: [ethereum], compat: false }
const TOKEN = '0x00000000000000000000000000000000000000aa'
const POOL = '0x00000000000000000000000000000000000000bb'

test.each([
  ['what stands now', {}, true],
  ['an amount', { amount: '1000' }, true],
  ['a pool', { pair: POOL }, false],
  ['a height', { blockNumber: 7 }, false],
])('a question about %s of a known token is short or not', (_, wishes, isShort) => {
  const question = readQuestion({ targetContractAddress: TOKEN, chainId: 1, ...wishes }, config as never)
  expect(question.isShort({ isKnown: ({ address }) => address === TOKEN })).toBe(isShort)
  expect(question.isShort({ isKnown: () => false })).toBe(false)
})

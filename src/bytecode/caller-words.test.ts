import { expect, test } from 'vitest'
import { readContract } from '../devnet/artifacts.js'
import { hexToBytes } from '../hex.js'
import { readCallerWords } from './caller-words.js'
import { readFacts } from './facts.js'

/** `crosschainBurn(address,uint256)`, and `withdraw(uint256,address)` that calls it. */
const [BURN, WITHDRAW] = ['0x2b8c49e3', '0x00f714ce'] as const

const wordsOf = (name: string) => readCallerWords(readFacts(hexToBytes(readContract(name).runtimeBytecode)))

test('what a portal burns is its caller’s', () => {
  expect(wordsOf('CallersPortal')).toEqual(new Map([[BURN, { places: new Set([0]), within: new Set([WITHDRAW]) }]]))
})

test('one more function that names another account is enough for none to be sure', () => {
  expect(wordsOf('MakersPortal').get(BURN)?.places).toEqual(new Set())
})

test.each(['CallingPortal', 'PortalBehind'])('%s may call anything', (name) => {
  expect(wordsOf(name).size).toBe(0)
})

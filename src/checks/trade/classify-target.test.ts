import { expect, test } from 'vitest'
import { createEvm } from '../../evm/create-evm.js'
import type { Fork } from '../../simulation/scenario.js'
import { type Case, createTestState, TARGET } from '../bytecode/test-state.conformance.js'
import { classifyTarget } from './classify-target.js'

const TRADER = '0x00000000000000000000000000000000000a11ce'

/** Answers for the selectors with a word, refuses everything else in silence. */
function answering(selectors: readonly string[], last = '5f5ffd'): string {
  const at = (place: number) => place.toString(16).padStart(4, '0')
  // Eleven bytes for each selector before what comes last: DUP1 PUSH4 EQ PUSH2 JUMPI.
  const answer = 5 + selectors.length * 11 + last.length / 2
  const tests = selectors.map((selector) => `8063${selector}1461${at(answer)}57`).join('')
  return `0x5f3560e01c${tests}${last}5b60015f5260205ff3`
}

const [BALANCE_OF, TOTAL_SUPPLY, TRANSFER] = ['70a08231', '18160ddd', 'a9059cbb'] as const

async function classify(code: string): Promise<string> {
  const given: Case = { name: '', code }
  const state = createTestState(given)
  await state.load([
    { kind: 'account', address: TARGET },
    { kind: 'account', address: TRADER },
  ])
  const { block } = state
  const evm = createEvm({
    state,
    block: { ...block, coinbase: TRADER, baseFeePerGas: 0n, blobBaseFee: 1n, prevRandao: `0x${'00'.repeat(32)}` },
    hardfork: 'cancun',
  })
  return classifyTarget({ evm } as unknown as Fork, TARGET, TRADER)
}

test('what answers for balances and supply, and can be handed on, is a token', async () => {
  expect(await classify(answering([BALANCE_OF, TOTAL_SUPPLY, TRANSFER]))).toBe('token')
})

test('what keeps book of what cannot be handed on is a contract', async () => {
  expect(await classify(answering([BALANCE_OF, TOTAL_SUPPLY]))).toBe('contract')
})

test('is a token where another call writes', async () => {
  // SSTORE where coin is sent along, a refusal elsewhere.
  const place = (5 + 2 * 11 + 11).toString(16).padStart(4, '0')
  expect(await classify(answering([BALANCE_OF, TOTAL_SUPPLY], `341561${place}5760015f55005b5f5ffd`))).toBe('token')
})

test('is a token where it refuses a transfer with a word', async () => {
  expect(await classify(answering([BALANCE_OF, TOTAL_SUPPLY], '60015f5260205ffd'))).toBe('token')
})

import { expect, test } from 'vitest'
import type { TradeContext } from '../../dex/legs.js'
import type { Leaf } from '../../evm/inspectors/term.js'
import { clearOfGas } from './environment-circumstances.js'

const SELLER = '0x0000000000000000000000000000000000007ade'
const GWEI = 1_000_000_000n
const context = {
  trader: { address: SELLER, tipPerGas: GWEI },
  fork: { evm: { block: { baseFeePerGas: GWEI } } },
} as unknown as TradeContext
const coinsOf = (about: bigint): Leaf => ({ kind: 'environment', name: 'BALANCE', value: 10n ** 18n, about })
const LEAST = 10n ** 16n

test('coins are taken clear of a border, which what approving costs might miss', () => {
  const leaf = coinsOf(BigInt(SELLER))
  const [poor = LEAST] = clearOfGas(context, { leaf, values: [LEAST], turns: (value) => value <= LEAST })
  expect(poor).toBeLessThan(LEAST - 10_000n * GWEI)
  const [rich = 0n] = clearOfGas(context, {
    leaf,
    values: [2n * 10n ** 18n],
    turns: (value) => value >= 2n * 10n ** 18n,
  })
  expect(rich).toBeGreaterThan(2n * 10n ** 18n + 10_000n * GWEI)
})

test('what turns at one value alone, and the coins of another, are left as they are', () => {
  const own = coinsOf(BigInt(SELLER))
  expect(clearOfGas(context, { leaf: own, values: [LEAST], turns: (value) => value === LEAST })).toEqual([LEAST])
  expect(clearOfGas(context, { leaf: coinsOf(5n), values: [LEAST], turns: () => true })).toEqual([LEAST])
})

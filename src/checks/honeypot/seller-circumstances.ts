import { buy, type TradeContext, transfer } from '../../dex/legs.js'
import { balanceOf } from '../../dex/read-contract.js'
import { evaluatorOf } from '../../evm/inspectors/evaluator-of.js'
import type { Leaf, Term } from '../../evm/inspectors/term.js'
import { nextBlock } from '../../simulation/pending-block.js'
import type { SeededRandom } from '../../simulation/random.js'
import { createTrader } from '../../simulation/trader.js'
import type { Candidate, Circumstance, Setting } from './circumstance.js'
import type { SellFacts } from './honeypot-facts.js'
import { pass } from './pass.js'

/** Wallets among which one is looked for that a condition answers otherwise. */
const MAX_WALLETS = 64

/**
 * Another wallet whose address the condition answers otherwise, as digits, order and hashes of
 * addresses do.
 */
export function otherSellers({ context, random }: Setting, formula: Term): Candidate[] {
  const own = BigInt(context.trader.address)
  const truth = formula.value !== 0n
  const is = (leaf: Leaf) => leaf.value === own
  const valueAt = evaluatorOf(formula, is)
  for (let i = 0; i < MAX_WALLETS; i += 1) {
    const name = `wallet ${i}`
    const value = BigInt(random.address(name))
    if ((valueAt(value) !== 0n) === truth) continue
    return [{ leaf: 'seller', is, value, circumstance: handTo(random, name) }]
  }
  return []
}

const handTo = (random: SeededRandom, name: string): Circumstance => ({
  name: 'other-sellers',
  key: name,
  enter({ context, held, block }) {
    const { fork, market } = context
    const trader = createTrader(fork, random, name, 0n)
    if (!transfer(context, trader.address, held / 2n).success) return undefined
    fork.evm.setBlock(nextBlock(fork.chain, fork.evm.block))
    const received = balanceOf(fork, market.pool.token, trader.address) ?? 0n
    return received > 0n ? { context: { ...context, trader }, held: received, block } : undefined
  },
})

/** What a large sale costs. */
export function sayCostlySale({ market }: TradeContext, amount: bigint, { taxBps }: SellFacts): string {
  const share = Number((amount * 1_000n) / market.pool.tokenReserve) / 10
  return `Selling more than ${share} % of the pool at once costs ${Math.round((taxBps ?? 0) / 100)} %`
}

/** Larger sales move the price so far that they are not made. */
const LARGEST_POOL_SHARE = 10n
/** More is paid than the amount is worth, for the price moves. */
const PAID = { part: 13n, of: 10n }

export function sellOther({ context, random, held }: Setting, amount: bigint): Circumstance | undefined {
  const { tokenReserve } = context.market.pool
  if (amount <= 0n || amount * LARGEST_POOL_SHARE > tokenReserve) return undefined
  const key = `amount ${amount}`
  if (amount <= held) return { name: 'small-sell', key, enter: (sale) => ({ ...sale, held: amount }) }
  return {
    name: 'large-sell',
    key,
    // What is found first depends on who buys how much before: the amount is not told.
    meaning: ({ taxBps = 0 }) => `Selling certain amounts costs ${Math.round(taxBps / 100)} %`,
    enter(sale) {
      const { fork, market } = sale.context
      const paid = (market.depth * amount * PAID.part) / (tokenReserve * PAID.of)
      const rich = { ...sale.context, trader: createTrader(fork, random, 'rich', paid) }
      const bought = buy(rich, paid)
      if (!bought.success || bought.tokenDelta < amount) return undefined
      pass(fork, 0)
      return { ...sale, context: rich, held: amount }
    },
  }
}

import { buy, type TradeContext, transfer } from '../../dex/legs.js'
import { balanceOf } from '../../dex/read-contract.js'
import type { BlockEnvironment } from '../../evm/block-environment.js'
import type { Decision } from '../../evm/inspectors/decisions.js'
import { type Leaf, type Term, valueIf } from '../../evm/inspectors/term.js'
import { toPaddedHex } from '../../hex.js'
import { nextBlock } from '../../simulation/pending-block.js'
import type { SeededRandom } from '../../simulation/random.js'
import { solveLeaf } from '../../simulation/solve-leaf.js'
import { createTrader, GENEROUS_GAS_LIMIT, WALLET_GAS_LIMIT } from '../../simulation/trader.js'
import { keyOf, leavesOf, truthsIn } from '../conditions/conditions.js'
import type { Moved } from './crowd.js'
import type { ProbeFacts, SellFacts } from './honeypot-facts.js'
import { turningWord } from './motions.js'
import { pass } from './pass.js'

/** A sale that is about to be made, on a branch of the fork. */
export interface Sale {
  context: TradeContext
  /** Base units. */
  held: bigint
  /** What the block of the sale holds instead. */
  block: Partial<BlockEnvironment>
}

/** Something that wallets, markets, chains or time bring about before a sale. */
export interface Circumstance {
  name: ProbeFacts['name']
  /** Equal for two that would bring about the same. */
  key: string
  /** What a loss in it means, where that can be said more exactly than by the name. */
  meaning?(sold: SellFacts): string
  /** `undefined` where it cannot be brought about. */
  enter(sale: Sale): Sale | undefined
}

/** What circumstances are worked out from. */
export interface Setting {
  context: TradeContext
  random: SeededRandom
  held: bigint
  motions: readonly Moved[]
}

/** A circumstance, with what it makes of one leaf of a formula. */
interface Candidate {
  leaf: string
  is(leaf: Leaf): boolean
  value: bigint
  circumstance: Circumstance
}

/** For one condition. */
const MAX_CIRCUMSTANCES = 6
/** Comparisons within one condition, and pairs of candidates that are tried on it. */
const MAX_TRUTHS = 8
const MAX_PAIRS = 400

/**
 * Circumstances in which a condition answers otherwise, each worked out from its formula for one
 * leaf, and for two together where none alone is enough; within what wallets, markets and chains
 * do.
 */
export function circumstancesOf(setting: Setting, decision: Decision): Circumstance[] {
  const { condition } = decision
  const leaves = leavesOf(condition)
  const alone = leaves.flatMap((leaf) => candidatesFor(setting, decision, leaf, condition))
  const found = alone.length > 0 ? alone.map(({ circumstance }) => circumstance) : inPairs(setting, decision, leaves)
  return found.slice(0, MAX_CIRCUMSTANCES)
}

/** Code that joins conditions without a branch between them asks for two things at once. */
function inPairs(setting: Setting, decision: Decision, leaves: readonly Leaf[]): Circumstance[] {
  const { condition } = decision
  const parts = truthsIn(condition, MAX_TRUTHS)
  if (parts.length < 2 || leaves.length < 2) return []
  const candidates = parts.flatMap((part) => leaves.flatMap((leaf) => candidatesFor(setting, decision, leaf, part)))
  const truth = condition.value !== 0n
  const found: Circumstance[] = []
  let left = MAX_PAIRS
  for (const [i, a] of candidates.entries())
    for (const b of candidates.slice(i + 1)) {
      left -= 1
      if (left < 0) return found
      if (a.leaf === b.leaf) continue
      const value = valueIf(condition, (leaf) => (a.is(leaf) ? a.value : b.is(leaf) ? b.value : undefined))
      if ((value !== 0n) !== truth) found.push(together(a.circumstance, b.circumstance))
    }
  return found
}

/** One after the other. */
export function together(first: Circumstance, second: Circumstance): Circumstance {
  return {
    name: first.name === 'later' ? second.name : first.name,
    key: `${first.key} and ${second.key}`,
    enter(sale) {
      const entered = first.enter(sale)
      return entered && second.enter(entered)
    },
  }
}

function candidatesFor(setting: Setting, decision: Decision, leaf: Leaf, formula: Term): Candidate[] {
  const { context, held, motions } = setting
  if (valueIf(formula, () => undefined) !== formula.value) return []
  if (leaf.value === BigInt(context.trader.address)) return otherSellers(setting, formula)
  if (leaf.kind === 'slot') {
    const motion = motions.find(({ address, slot }) => address === leaf.address && slot === leaf.slot)
    const value = motion && turningWord(motion, formula)
    return motion === undefined || value === undefined ? [] : [candidate(leaf, value, moveWord(motion, value))]
  }
  const isAmount = leaf.kind === 'argument' && leaf.value === held
  if (leaf.kind === 'argument' && !isAmount) return []
  if (leaf.kind === 'environment' && !(leaf.name in BROUGHT_ABOUT)) return []
  const is = (each: Leaf) => (isAmount ? each.kind === 'argument' && each.value === held : keyOf(each) === keyOf(leaf))
  return solveLeaf(formula, is, leaf.value).flatMap((value) => {
    const circumstance = isAmount
      ? sellOther(setting, value)
      : leaf.kind === 'environment' && BROUGHT_ABOUT[leaf.name]?.(value, leaf.value, setting, decision)
    return circumstance ? [{ leaf: keyOf(leaf), is, value, circumstance }] : []
  })
}

const candidate = (leaf: Leaf, value: bigint, circumstance: Circumstance): Candidate => ({
  ...{ leaf: keyOf(leaf), is: (each: Leaf) => keyOf(each) === keyOf(leaf), value, circumstance },
})

function moveWord({ by, address, slot }: Moved, value: bigint): Circumstance {
  const enter = (sale: Sale) => {
    sale.context.fork.evm.setStorage(address, slot, value)
    return sale
  }
  return { name: by, key: `${address} ${slot} ${value}`, enter }
}

const ADDRESS_LIMIT = 1n << 160n
/** Wei: what EIP-1559 reaches on the busiest days. */
const MOST_BASE_FEE = 2_000_000_000_000n
/** Gas of a block: no chain here allows more. */
const MOST_BLOCK_GAS = 1n << 53n
/** Wei per gas that a wallet offers on a busy day. */
const MOST_TIP_PER_GAS = 30_000_000_000n
/** Seconds: a trap that waits longer earns its maker nothing. */
const HORIZON = 157_680_000n

type BringAbout = (value: bigint, now: bigint, setting: Setting, decision: Decision) => Circumstance | undefined

/** By the name of what a contract asks for; `undefined` for values that are out of reach. */
const BROUGHT_ABOUT: Record<string, BringAbout> = {
  GAS: (value, now, { context }) => otherGas(context, value - now),
  GASPRICE: (value, _, { context }) => otherTip(context, value),
  TIMESTAMP: (value, now) => (value > now && value - now < HORIZON ? wait(Number(value - now) * 1_000) : undefined),
  NUMBER: (value, now, { context: { fork } }) => {
    const ms = value > now && value - now < HORIZON ? Number(value - now) * fork.chain.numberTimeMs : 0
    return ms > 0 && ms < Number(HORIZON) * 1_000 ? wait(ms) : undefined
  },
  PREVRANDAO: (value) => (value > 0n ? inBlock(value, { prevRandao: toPaddedHex(value, 32) }) : undefined),
  COINBASE: (value) =>
    value > 0n && value < ADDRESS_LIMIT ? inBlock(value, { coinbase: toPaddedHex(value, 20) }) : undefined,
  BASEFEE: (value) => (value > 0n && value <= MOST_BASE_FEE ? inBlock(value, { baseFeePerGas: value }) : undefined),
  BLOBBASEFEE: (value) => (value > 0n && value <= MOST_BASE_FEE ? inBlock(value, { blobBaseFee: value }) : undefined),
  GASLIMIT: (value) =>
    value >= GENEROUS_GAS_LIMIT && value <= MOST_BLOCK_GAS ? inBlock(value, { gasLimit: value }) : undefined,
  SELFBALANCE: (value, now, _, { address }) => (value > now && value <= MOST_SENT ? send(address, value) : undefined),
}

/** Wei that are sent to a contract to change its answer. */
const MOST_SENT = 10n ** 21n

const send = (address: Decision['address'], balance: bigint): Circumstance => ({
  name: 'sent-coins',
  key: `balance ${address} ${balance}`,
  enter(sale) {
    sale.context.fork.evm.setBalance(address, balance)
    return sale
  },
})

const wait = (ms: number): Circumstance => ({
  name: 'later',
  key: `wait ${ms}`,
  enter(sale) {
    pass(sale.context.fork, ms)
    return sale
  },
})

function inBlock(value: bigint, block: Partial<BlockEnvironment>): Circumstance {
  return {
    name: 'block-values',
    key: `${Object.keys(block).join()} ${value}`,
    enter(sale) {
      const { fork, trader } = sale.context
      if (block.baseFeePerGas !== undefined) fork.evm.setBalance(trader.address, RICH)
      if (block.coinbase !== undefined) fork.evm.addStranger(block.coinbase)
      return { ...sale, block: { ...sale.block, ...block } }
    },
  }
}

/** Wei: pays for gas at any price that is tried. */
const RICH = 10n ** 22n

/**
 * Calls pass on 63 of 64 parts of what is left (EIP-150): a router, a pool and a proxy are three of
 * them.
 */
const PASSED_ON = (gas: bigint) => (gas * 67n) / 64n
const GAS_MARGIN = 2_000n
/** No sale on any exchange takes less. */
const LEAST_GAS = 60_000n

function otherGas({ trader }: TradeContext, difference: bigint): Circumstance | undefined {
  const usual = trader.gasLimit ?? WALLET_GAS_LIMIT
  const gasLimit = usual + PASSED_ON(difference) + (difference < 0n ? -GAS_MARGIN : GAS_MARGIN)
  if (gasLimit < LEAST_GAS || gasLimit > GENEROUS_GAS_LIMIT) return undefined
  const name = difference < 0n ? 'estimated-gas' : 'plentiful-gas'
  return { name, key: `gas ${gasLimit}`, enter: (sale) => asTrader(sale, { gasLimit }) }
}

function otherTip({ fork }: TradeContext, price: bigint): Circumstance | undefined {
  const tipPerGas = price - fork.evm.block.baseFeePerGas
  if (tipPerGas < 0n || tipPerGas > MOST_TIP_PER_GAS) return undefined
  return { name: 'other-tip', key: `tip ${tipPerGas}`, enter: (sale) => asTrader(sale, { tipPerGas }) }
}

const asTrader = (sale: Sale, different: Partial<TradeContext['trader']>): Sale => ({
  ...sale,
  context: { ...sale.context, trader: { ...sale.context.trader, ...different } },
})

/** Wallets among which one is looked for that a condition answers otherwise. */
const MAX_WALLETS = 64

/**
 * Another wallet whose address the condition answers otherwise, as digits, order and hashes of
 * addresses do.
 */
function otherSellers({ context, random }: Setting, formula: Term): Candidate[] {
  const own = BigInt(context.trader.address)
  const truth = formula.value !== 0n
  const is = (leaf: Leaf) => leaf.value === own
  for (let i = 0; i < MAX_WALLETS; i += 1) {
    const name = `wallet ${i}`
    const value = BigInt(random.address(name))
    if ((valueIf(formula, (leaf) => (is(leaf) ? value : undefined)) !== 0n) === truth) continue
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

function sellOther({ context, random, held }: Setting, amount: bigint): Circumstance | undefined {
  const { tokenReserve } = context.market.pool
  if (amount <= 0n || amount * LARGEST_POOL_SHARE > tokenReserve) return undefined
  const key = `amount ${amount}`
  if (amount <= held) return { name: 'small-sell', key, enter: (sale) => ({ ...sale, held: amount }) }
  return {
    name: 'large-sell',
    key,
    meaning: (sold) => sayCostlySale(context, amount, sold),
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

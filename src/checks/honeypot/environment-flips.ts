import { approve, sell, type TradeContext, transfer } from '../../dex/legs.js'
import { balanceOf } from '../../dex/read-contract.js'
import type { BlockEnvironment } from '../../evm/block-environment.js'
import type { Decision } from '../../evm/inspectors/decisions.js'
import { type Leaf, sources, sourcesOf, valueIf } from '../../evm/inspectors/term.js'
import { toPaddedHex } from '../../hex.js'
import { nextBlock } from '../../simulation/pending-block.js'
import type { SeededRandom } from '../../simulation/random.js'
import { solveLeaf } from '../../simulation/solve-leaf.js'
import { createTrader, GENEROUS_GAS_LIMIT, type Trader, WALLET_GAS_LIMIT } from '../../simulation/trader.js'
import { leavesOf } from '../conditions/conditions.js'
import { onBranch } from '../on-branch.js'
import { DIVERGENCE_BPS, lossOf } from './findings.js'
import type { ProbeFacts, SellFacts } from './honeypot-facts.js'
import { playSell, toSellFacts } from './play-window.js'

/** Sales that are played in other circumstances, for all conditions together. */
const MAX_FLIPS = 24
/** Wallets among which one is looked for that a condition answers otherwise. */
const MAX_WALLETS = 64
/** Wei per gas that a wallet offers on a busy day. */
const MOST_TIP_PER_GAS = 30_000_000_000n

/** What a sale is compared with. */
export interface UsualSale {
  held: bigint
  sold: SellFacts
  conditions: readonly Decision[]
}

/**
 * Sells once more for each condition of the sale that asks for the gas, the block, the price of gas
 * or the seller's address, in circumstances in which the condition answers otherwise: worked out
 * from its formula, and within what wallets and chains do. Those that made a difference.
 */
export function flipEnvironment(context: TradeContext, random: SeededRandom, usual: UsualSale): ProbeFacts[] {
  const found: ProbeFacts[] = []
  const played = new Set<string>()
  for (const { condition } of usual.conditions) {
    if ((sourcesOf(condition) & (sources.environment | sources.argument)) === 0) continue
    for (const leaf of leavesOf(condition)) {
      for (const flip of flipsOf(context, random, condition, leaf)) {
        if (played.size >= MAX_FLIPS || played.has(flip.key)) continue
        played.add(flip.key)
        const sold = onBranch(context, () => flip.play(usual.held))
        if (sold && lossOf(sold) >= lossOf(usual.sold) + DIVERGENCE_BPS) found.push({ name: flip.name, sold })
      }
    }
  }
  return found
}

interface Flip {
  name: ProbeFacts['name']
  /** Equal for two flips that would play the same. */
  key: string
  /** `undefined` where it could not begin. */
  play(held: bigint): SellFacts | undefined
}

function flipsOf(context: TradeContext, random: SeededRandom, condition: Decision['condition'], leaf: Leaf): Flip[] {
  if (leaf.value === BigInt(context.trader.address)) return flipSeller(context, random, condition)
  if (leaf.kind !== 'environment') return []
  const isLeaf = (each: Leaf) => each.kind === 'environment' && each.name === leaf.name
  if (leaf.name !== 'GAS' && !(leaf.name in BLOCK_VALUES) && leaf.name !== 'GASPRICE') return []
  return solveLeaf(condition, isLeaf, leaf.value).flatMap((value): Flip[] => {
    const key = `${leaf.name} ${value}`
    if (leaf.name === 'GAS') return flipGas(context, value - leaf.value, key)
    if (leaf.name === 'GASPRICE') return flipPrice(context, value, key)
    const block = BLOCK_VALUES[leaf.name]?.(value)
    return block ? [{ name: 'block-values', key, play: (held) => sellInBlock(context, held, block) }] : []
  })
}

const ADDRESS_LIMIT = 1n << 160n
/** Wei: what EIP-1559 reaches on the busiest days. */
const MOST_BASE_FEE = 2_000_000_000_000n
/** Gas of a block: no chain here allows more. */
const MOST_BLOCK_GAS = 1n << 53n

/** What the next block may hold instead; `undefined` for what no block holds. */
const BLOCK_VALUES: Record<string, (value: bigint) => Partial<BlockEnvironment> | undefined> = {
  PREVRANDAO: (value) => (value > 0n ? { prevRandao: toPaddedHex(value, 32) } : undefined),
  COINBASE: (value) => (value > 0n && value < ADDRESS_LIMIT ? { coinbase: toPaddedHex(value, 20) } : undefined),
  BASEFEE: (value) => (value > 0n && value <= MOST_BASE_FEE ? { baseFeePerGas: value } : undefined),
  BLOBBASEFEE: (value) => (value > 0n && value <= MOST_BASE_FEE ? { blobBaseFee: value } : undefined),
  GASLIMIT: (value) => (value >= GENEROUS_GAS_LIMIT && value <= MOST_BLOCK_GAS ? { gasLimit: value } : undefined),
}

/** A sale whose block is the given one; approved in the block before. */
function sellInBlock(context: TradeContext, held: bigint, block: Partial<BlockEnvironment>): SellFacts | undefined {
  const { evm, chain } = context.fork
  if (approve(context, held)?.success === false) return undefined
  evm.setBlock({ ...nextBlock(chain, evm.block), ...block })
  if (block.baseFeePerGas !== undefined) evm.setBalance(context.trader.address, RICH)
  if (block.coinbase !== undefined) evm.addStranger(block.coinbase)
  return toSellFacts(context, sell(context, held))
}

/** Wei: pays for gas at any price that is tried. */
const RICH = 10n ** 22n

/**
 * Calls pass on 63 of 64 parts of what is left (EIP-150): a router, a pool and a proxy are three of
 * them.
 */
const PASSED_ON = (gas: bigint) => (gas * 67n) / 64n

function flipGas(context: TradeContext, difference: bigint, key: string): Flip[] {
  const usual = context.trader.gasLimit ?? WALLET_GAS_LIMIT
  const gasLimit = usual + PASSED_ON(difference) + (difference < 0n ? -GAS_MARGIN : GAS_MARGIN)
  if (gasLimit < LEAST_GAS || gasLimit > GENEROUS_GAS_LIMIT) return []
  const name = difference < 0n ? 'estimated-gas' : 'plentiful-gas'
  return [{ name, key, play: (held) => playSell({ ...context, trader: { ...context.trader, gasLimit } }, held) }]
}

const GAS_MARGIN = 2_000n
/** No sale on any exchange takes less. */
const LEAST_GAS = 60_000n

function flipPrice(context: TradeContext, price: bigint, key: string): Flip[] {
  const tipPerGas = price - context.fork.evm.block.baseFeePerGas
  if (tipPerGas < 0n || tipPerGas > MOST_TIP_PER_GAS) return []
  const trader: Trader = { ...context.trader, tipPerGas }
  return [{ name: 'other-tip', key, play: (held) => playSell({ ...context, trader }, held) }]
}

/**
 * Another wallet whose address the condition answers otherwise, as digits, order and hashes of
 * addresses do.
 */
function flipSeller(context: TradeContext, random: SeededRandom, condition: Decision['condition']): Flip[] {
  if (valueIf(condition, () => undefined) !== condition.value) return []
  const own = BigInt(context.trader.address)
  const truth = condition.value !== 0n
  for (let i = 0; i < MAX_WALLETS; i += 1) {
    const name = `wallet ${i}`
    const address = BigInt(random.address(name))
    const isOther = (valueIf(condition, (leaf) => (leaf.value === own ? address : undefined)) !== 0n) !== truth
    if (isOther) return [{ name: 'other-sellers', key: name, play: (held) => sellAs(context, random, name, held) }]
  }
  return []
}

function sellAs(context: TradeContext, random: SeededRandom, name: string, held: bigint): SellFacts | undefined {
  const { fork, market } = context
  const trader = createTrader(fork, random, name, 0n)
  if (!transfer(context, trader.address, held / 2n).success) return undefined
  fork.evm.setBlock(nextBlock(fork.chain, fork.evm.block))
  const received = balanceOf(fork, market.pool.token, trader.address) ?? 0n
  return received > 0n ? playSell({ ...context, trader }, received) : undefined
}

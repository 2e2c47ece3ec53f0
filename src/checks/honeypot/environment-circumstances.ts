import type { TradeContext } from '../../dex/legs.js'
import type { BlockEnvironment } from '../../evm/block-environment.js'
import type { Decision } from '../../evm/inspectors/decisions.js'
import type { Leaf } from '../../evm/inspectors/term.js'
import { ADDRESS_MASK, toPaddedHex, wordToAddress } from '../../hex.js'
import { GENEROUS_GAS_LIMIT, WALLET_GAS_LIMIT } from '../../simulation/trader.js'
import { isAbout } from '../conditions/conditions.js'
import type { Circumstance, Sale, Setting } from './circumstance.js'
import { pass } from './pass.js'

/** Wei: what EIP-1559 reaches on the busiest days. */
const MOST_BASE_FEE = 2_000_000_000_000n
/** Gas of a block: no chain here allows more. */
const MOST_BLOCK_GAS = 1n << 53n
/** Wei per gas that a wallet offers on a busy day. */
const MOST_TIP_PER_GAS = 30_000_000_000n
/** Seconds: a trap that waits longer earns its maker nothing. */
const HORIZON = 157_680_000n

type Asked = Extract<Leaf, { kind: 'environment' }>
type BringAbout = (value: bigint, leaf: Asked, setting: Setting, decision: Decision) => Circumstance | undefined

/** Blocks and slots pass at the chain's own pace. */
function untilHeight(value: bigint, { value: now }: Asked, { context: { fork } }: Setting): Circumstance | undefined {
  const ms = value > now && value - now < HORIZON ? Number(value - now) * fork.chain.numberTimeMs : 0
  return ms > 0 && ms < Number(HORIZON) * 1_000 ? wait(ms) : undefined
}

/** By the name of what a contract asks for; `undefined` for values that are out of reach. */
export const BROUGHT_ABOUT: Record<string, BringAbout> = {
  GAS: (value, leaf, { context }) => otherGas(context, value - leaf.value),
  GASPRICE: (value, _, { context }) => otherTip(context, value),
  TIMESTAMP: (value, { value: now }) =>
    value > now && value - now < HORIZON ? wait(Number(value - now) * 1_000) : undefined,
  NUMBER: untilHeight,
  SLOTNUM: untilHeight,
  PREVRANDAO: (value) => (value > 0n ? inBlock(value, { prevRandao: toPaddedHex(value, 32) }) : undefined),
  COINBASE: (value) =>
    value > 0n && value <= ADDRESS_MASK ? inBlock(value, { coinbase: toPaddedHex(value, 20) }) : undefined,
  BASEFEE: (value) => (value > 0n && value <= MOST_BASE_FEE ? inBlock(value, { baseFeePerGas: value }) : undefined),
  BLOBBASEFEE: (value) => (value > 0n && value <= MOST_BASE_FEE ? inBlock(value, { blobBaseFee: value }) : undefined),
  GASLIMIT: (value) =>
    value >= GENEROUS_GAS_LIMIT && value <= MOST_BLOCK_GAS ? inBlock(value, { gasLimit: value }) : undefined,
  SELFBALANCE: (value, { value: now }, _, { address }) =>
    value > now && value <= MOST_SENT ? sendCoins(address, value) : undefined,
  BALANCE: (value, leaf, { context: { trader } }) => {
    const { value: now, about = 0n } = leaf
    if (isAbout(leaf, trader.address)) return otherMeans(value - now)
    const address = wordToAddress(about)
    return value > now && value <= MOST_SENT ? sendCoins(address, value) : undefined
  },
  EXTCODESIZE: (_, leaf, setting) => placeCode(leaf, setting),
  EXTCODEHASH: (_, leaf, setting) => placeCode(leaf, setting),
}

/** Wei that are sent to a contract to change its answer. */
const MOST_SENT = 10n ** 21n

const sendCoins = (address: Decision['address'], balance: bigint): Circumstance => ({
  name: 'sent-coins',
  key: `balance ${address} ${balance}`,
  enter(sale) {
    sale.context.fork.evm.setBalance(address, balance)
    return sale
  },
})

/** Answers any call with a word of zero. */
const ZERO_ANSWER = Uint8Array.of(0x60, 0x20, 0x60, 0x00, 0xf3)

/** Wei that a wallet keeps for gas. */
const gasMoney = ({ fork, trader }: TradeContext) =>
  (2n * fork.evm.block.baseFeePerGas + trader.tipPerGas) * 2n * WALLET_GAS_LIMIT

/** Gas that two approvals may differ by: digits of an amount that are zero cost less. */
const GAS_OF_DIGITS = 20_000n

/**
 * Values of the seller's own coins that turn a formula, taken clear of its border where that turns
 * it too: what he pays before the sale is not the same to the last wei for each amount.
 */
export function clearOfGas(
  { fork, trader }: TradeContext,
  { leaf, values, turns }: { leaf: Leaf; values: readonly bigint[]; turns: (value: bigint) => boolean },
): bigint[] {
  const isOwn = leaf.kind === 'environment' && leaf.name === 'BALANCE' && isAbout(leaf, trader.address)
  const margin = GAS_OF_DIGITS * (2n * fork.evm.block.baseFeePerGas + trader.tipPerGas)
  return values.map((value) => {
    const clear = value < leaf.value ? value - margin : value + margin
    return isOwn && clear >= 0n && turns(clear) ? clear : value
  })
}

/** The seller has more native coins, or fewer, as long as they pay for gas. */
function otherMeans(difference: bigint): Circumstance | undefined {
  if (difference > MOST_SENT) return undefined
  return {
    name: 'other-means',
    key: `means ${difference}`,
    enter(sale) {
      const { fork, trader } = sale.context
      const balance = fork.evm.account(trader.address).balance + difference
      // Who has few coins offers no tip.
      const frugal = asTrader(sale, { tipPerGas: 0n })
      const seller = balance < gasMoney(sale.context) ? frugal : sale
      if (balance < gasMoney(seller.context)) return undefined
      fork.evm.setBalance(trader.address, balance)
      return seller
    },
  }
}

/** Code where there is none now: who can deploy there is not known. */
function placeCode({ about = 0n }: Asked, { context }: Setting): Circumstance | undefined {
  const address = wordToAddress(about)
  const isParty = about <= MAX_PRECOMPILE || address === context.trader.address
  if (isParty || context.fork.evm.code(address).length > 0) return undefined
  return {
    name: 'later-code',
    key: `code ${address}`,
    enter(sale) {
      sale.context.fork.evm.setCode(address, ZERO_ANSWER)
      return sale
    },
  }
}

const MAX_PRECOMPILE = 0xffffn

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

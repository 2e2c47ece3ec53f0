import type { TradeContext } from '../../dex/legs.js'
import { hexToBytes, toPaddedHex, ZERO_ADDRESS } from '../../hex.js'
import type { SellFacts } from './honeypot-facts.js'
import { pass } from './pass.js'
import { playSell } from './play-window.js'

/** Far more than any wallet sends, and the most that a transaction may (EIP-7825). */
const NAIVE_GAS = 16_000_000n
const NAIVE_BALANCE = 2n ** 128n
const NAIVE_BLOCK_GAS = 2n ** 63n - 1n
/** Amounts in tests end in this many zeros, where the amount allows it. */
const ROUND_TO = 10n ** 18n
/**
 * EIP-7702: what the code of a delegated account begins with. The delegate has no code, so that
 * nothing runs.
 */
const DELEGATION = hexToBytes(`0xef0100${'00'.repeat(19)}99`)

/**
 * A sell in a world as careless simulators set it up: zeros for the block, free gas and plenty of
 * it, and a sender of boundless means.
 */
export function sellNaively(context: TradeContext, held: bigint): SellFacts {
  const { fork, trader } = context
  pass(fork, 0)
  fork.evm.setBlock({
    ...fork.evm.block,
    coinbase: ZERO_ADDRESS,
    baseFeePerGas: 0n,
    gasLimit: NAIVE_BLOCK_GAS,
    prevRandao: toPaddedHex(0n, 32),
  })
  fork.evm.setBalance(trader.address, NAIVE_BALANCE)
  return playSell({ ...context, trader: { ...trader, tipPerGas: 0n, gasLimit: NAIVE_GAS } }, held)
}

/**
 * The same with what an ordinary trader never shows either, for tokens that refused everything so
 * far: code, and a round amount.
 */
export function sellMoreNaively(context: TradeContext, held: bigint): SellFacts {
  context.fork.evm.setCode(context.trader.address, DELEGATION)
  const round = held > ROUND_TO ? held - (held % ROUND_TO) : held
  return sellNaively(context, round)
}

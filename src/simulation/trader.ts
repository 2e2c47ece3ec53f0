import { takesNoTips } from '../chains/chain.js'
import type { CallFrame, Inspector } from '../evm/inspector.js'
import { createCallTraceInspector } from '../evm/inspectors/call-trace.js'
import type { TransactionResult } from '../evm/transaction.js'
import type { Address, Hex } from '../hex.js'
import type { SeededRandom } from './random.js'
import { type Fork, isRemote } from './scenario.js'
import { walletCall } from './wallet-code.js'

/** An ordinary person with an ordinary wallet, that no contract has met before. */
export interface Trader {
  address: Address
  /** What the wallet offers on top of the base fee, in wei per gas. */
  tipPerGas: bigint
  /** What the wallet sends instead of its estimate. */
  gasLimit?: bigint
  /** Does not try again with more gas where that proves too little. */
  isThrifty?: true
  /** What it tries again with, where not with {@link GENEROUS_GAS_LIMIT}. */
  mostGas?: bigint
  /** Signs, and pays the gas, where `address` is a wallet that is a contract (`wallet-code.ts`). */
  signer?: Address
}

/** An address that no contract can have met, and that the engine knows to be unused. */
export function createStranger({ evm }: Fork, random: SeededRandom, name: string): Address {
  const address = random.address(name)
  evm.addStranger(address)
  return address
}

/** A fresh trader who owns `spendable` wei and a bit more than the gas will cost. */
export function createTrader(fork: Fork, random: SeededRandom, name: string, spendable: bigint): Trader {
  const trader = {
    address: createStranger(fork, random, name),
    tipPerGas: random.between(`${name} tip`, MIN_TIP_PER_GAS, MAX_TIP_PER_GAS),
  }
  const gasMoney = maxFeePerGas(fork, trader) * GENEROUS_GAS_LIMIT * GAS_MONEY_TRANSACTIONS
  fork.evm.setBalance(
    trader.address,
    spendable + gasMoney + random.between(`${name} change`, 1n, gasMoney + 1_000_000n),
  )
  return trader
}

/** 0.1 to 2 gwei: what wallets suggest. */
const MIN_TIP_PER_GAS = 100_000_000n
const MAX_TIP_PER_GAS = 2_000_000_000n
/** Transactions that the balance must pay for, at the larger gas limit. */
const GAS_MONEY_TRANSACTIONS = 8n
/**
 * What a wallet's estimate for a swap comes to, including its margin. Simulators betray themselves
 * by sending far more.
 */
export const WALLET_GAS_LIMIT = 612_480n
/** For tokens that honestly need more than a swap should. */
export const GENEROUS_GAS_LIMIT = 8_000_000n

export interface Call {
  to: Address
  value?: bigint
  data?: Hex
}

/** A transaction that was sent, with what it did. */
export interface SentTransaction {
  result: TransactionResult
  /** Written when it is first asked for. */
  readonly call: CallFrame
  /** Wei that the trader paid for gas. */
  fee: bigint
}

/**
 * Sends a transaction as a wallet would: EIP-1559 fees and a gas limit near the estimate, larger
 * only if that proves too small. `watch` makes fresh inspectors for each try.
 */
export function send(
  fork: Fork,
  trader: Trader,
  call: Call,
  watch: () => readonly Inspector[] = () => [],
): SentTransaction {
  const before = fork.evm.snapshot()
  const gasLimit = trader.gasLimit ?? WALLET_GAS_LIMIT
  const first = sendWithGas(fork, trader, call, gasLimit, watch())
  const mostGas = trader.mostGas ?? GENEROUS_GAS_LIMIT
  if (trader.isThrifty || gasLimit >= mostGas || !ranOutOfGas(first)) return first
  fork.evm.restore(before)
  return sendWithGas(fork, trader, call, mostGas, watch())
}

function sendWithGas(
  fork: Fork,
  trader: Trader,
  call: Call,
  gasLimit: bigint,
  watch: readonly Inspector[],
): SentTransaction {
  const trace = createCallTraceInspector()
  const maxFee = maxFeePerGas(fork, trader)
  afford(fork, trader, gasLimit * maxFee, call.value)
  const result = fork.evm.transact(
    { ...toSign(trader, call), gasLimit, maxFeePerGas: maxFee, maxPriorityFeePerGas: tipPerGas(fork, trader) },
    [trace, ...watch],
  )
  const fee = trader.signer === undefined ? result.gasUsed * gasPrice(fork, trader) : 0n
  return {
    result,
    get call() {
      return trace.finish()
    },
    fee,
  }
}

/**
 * Gives a trader what a transaction may cost at most, where it has less, and as much for those that
 * follow: that a check trades more often than it has paid for tells nothing of the token.
 */
function afford(fork: Fork, { address, signer = address }: Trader, gasMoney: bigint, value = 0n): void {
  const { evm } = fork
  // A node would have to be asked for it, and trades once, with what there is from the start.
  if (isRemote(fork)) return
  const needed = signer === address ? gasMoney + value : gasMoney
  if (evm.account(signer).balance < needed) evm.setBalance(signer, needed + gasMoney * GAS_MONEY_TRANSACTIONS)
}

const toSign = ({ address, signer }: Trader, { to, value = 0n, data = '0x' }: Call) =>
  signer === undefined
    ? { to, value, data, from: address }
    : { to: address, data: walletCall(to, value, data), from: signer }

/** Wallets offer twice the base fee, so that the transaction survives some full blocks. */
function maxFeePerGas(fork: Fork, trader: Trader): bigint {
  return 2n * fork.evm.block.baseFeePerGas + tipPerGas(fork, trader)
}

function gasPrice(fork: Fork, trader: Trader): bigint {
  return fork.evm.block.baseFeePerGas + tipPerGas(fork, trader)
}

/** Nothing where the chain takes none: a node that plays the chain may take what is offered. */
function tipPerGas({ chain }: Fork, trader: Trader): bigint {
  return takesNoTips(chain.engine) ? 0n : trader.tipPerGas
}

/**
 * In any of geth's wordings: there is one of its own for storing with less than the call stipend
 * (EIP-2200).
 */
export function isOutOfGas({ error }: CallFrame): boolean {
  return error?.includes('out of gas') === true
}

/**
 * An inner frame that ran dry makes the outer one revert, so the whole tree is asked. Bounded by
 * the engine's frame limit.
 */
export function ranOutOfGas(sent: SentTransaction): boolean {
  if (sent.result.status === 'success') return false
  const open: CallFrame[] = [sent.call]
  for (let frame = open.pop(); frame; frame = open.pop()) {
    if (isOutOfGas(frame)) return true
    open.push(...(frame.calls ?? []))
  }
  return false
}

import { getContractAddress } from 'viem'
import type { Inspector } from '../evm/inspector.js'
import type { TransactionResult } from '../evm/transaction.js'
import { type Address, bytesToHex, type Hex } from '../hex.js'
import { travel } from './pending-block.js'
import type { Fork } from './scenario.js'

/** Runs `play` and takes back what it did, the clock included, also where a bound ended it. */
export function branch<T>(fork: Pick<Fork, 'evm'>, play: () => T): T {
  const back = mark(fork)
  try {
    return play()
  } finally {
    back()
  }
}

/** Marks the present; what is given back returns to it, the clock included, any number of times. */
export function mark({ evm }: Pick<Fork, 'evm'>): () => void {
  const { block } = evm
  const here = evm.snapshot()
  return () => {
    evm.restore(here)
    evm.setBlock(block)
  }
}

/** Moves time and height at the chain's own pace. */
export function wait({ evm, chain }: Fork, ms: number): void {
  evm.setBlock(travel(chain, evm.block, ms))
}

export interface Sending {
  from: Address
  to?: Address
  data: Hex
  /** Wei. */
  value?: bigint
  gasLimit: bigint
  /** Wei on top of the base fee. */
  tipPerGas?: bigint
  /** Wei that the sender has besides. */
  spareWei?: bigint
}

/**
 * Sends a transaction of any account without code, which gets what it costs: wallets offer twice
 * the base fee. What it did stays.
 */
export function sendAs(
  { evm }: Pick<Fork, 'evm'>,
  { tipPerGas = 0n, spareWei = 0n, value = 0n, ...call }: Sending,
  watch: readonly Inspector[] = [],
): TransactionResult {
  const maxFeePerGas = 2n * evm.block.baseFeePerGas + tipPerGas
  evm.setBalance(call.from, value + call.gasLimit * maxFeePerGas + spareWei)
  return evm.transact({ ...call, value, maxFeePerGas, maxPriorityFeePerGas: tipPerGas }, watch)
}

/**
 * Has `from` make a contract by its transaction number `nonce`. Its address has no past, so that no
 * node is asked about it.
 */
export function deploy(
  fork: Pick<Fork, 'evm'>,
  { from, nonce, creationCode, gasLimit }: { from: Address; nonce: bigint; creationCode: Uint8Array; gasLimit: bigint },
): Address {
  const address = getContractAddress({ from, nonce }).toLowerCase() as Address
  fork.evm.addStranger(address)
  sendAs(fork, { from, data: bytesToHex(creationCode), gasLimit })
  return address
}

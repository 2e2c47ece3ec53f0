import { hardforkAt } from '../../chains/chain.js'
import { dataFee, encodeAsSigned, operatorFee, readOpFees } from '../../evm/op-fees.js'
import type { Fork } from '../../simulation/scenario.js'
import type { SentTransaction } from '../../simulation/trader.js'

/**
 * Wei that the chain takes for these transactions beside their gas; `undefined` on chains that are
 * not of the OP Stack.
 */
export function l1FeeOf({ evm, chain }: Fork, sent: readonly SentTransaction[]): bigint | undefined {
  if (chain.stack !== 'op') return undefined
  const { timestamp, baseFeePerGas } = evm.block
  const fees = readOpFees(hardforkAt(chain, timestamp), (address, slot) => evm.storage(address, slot))
  return sent.reduce((total, { call, result }) => {
    const { to, value = '0x0', input, gas } = call
    const played = { to, value: BigInt(value), data: input, gasLimit: BigInt(gas), maxFeePerGas: 2n * baseFeePerGas }
    return total + dataFee(fees, encodeAsSigned(chain.id, played)) + operatorFee(fees, result.gasUsed)
  }, 0n)
}

import { hardforkAt } from '../../chains/chain.js'
import { posterFee, readArbFees } from '../../evm/arb-fees.js'
import { dataFee, encodeAsSigned, operatorFee, readOpFees } from '../../evm/op-fees.js'
import type { Fork } from '../../simulation/scenario.js'
import type { SentTransaction } from '../../simulation/trader.js'

/**
 * Wei that the chain takes for these transactions beside their gas; `undefined` on chains that take
 * nothing, and where the chain's own words do not tell.
 */
export function l1FeeOf(fork: Fork, sent: readonly SentTransaction[]): bigint | undefined {
  const feeOf = createFee(fork)
  return feeOf && sent.reduce((total, each) => total + feeOf(each, encode(fork, each)), 0n)
}

type FeeOf = (sent: SentTransaction, encoded: Uint8Array) => bigint

function createFee({ evm, chain }: Fork): FeeOf | undefined {
  const { timestamp, baseFeePerGas } = evm.block
  if (chain.stack === 'op') {
    const fees = readOpFees(hardforkAt(chain, timestamp), evm.storage)
    return ({ result }, encoded) => dataFee(fees, encoded) + operatorFee(fees, result.gasUsed)
  }
  const fees = chain.engine?.system === 'arbitrum' ? readArbFees(evm.storage) : undefined
  return fees && ((_, encoded) => posterFee(fees, encoded, baseFeePerGas))
}

function encode({ evm, chain }: Fork, { call: { to, value = '0x0', input, gas } }: SentTransaction): Uint8Array {
  const maxFeePerGas = 2n * evm.block.baseFeePerGas
  return encodeAsSigned(chain.id, { to, value: BigInt(value), data: input, gasLimit: BigInt(gas), maxFeePerGas })
}

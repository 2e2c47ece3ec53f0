import { type Hardfork, isSince } from '../chains/chain.js'
import type { Engine } from '../evm/create-evm.js'
import type { Address, Hex } from '../hex.js'
import { type Block, InvalidBlockError } from './mined-block.js'

/**
 * What miners were paid before the merge (Yellow Paper 11.3, EIP-649, EIP-1234): the block's own,
 * and those of its ommers by their age.
 */
export function payReward(engine: Engine, { header, ommers }: Block, hardfork: Hardfork): void {
  if (isSince(hardfork, 'paris')) return
  if (header.ommersHash !== undefined && (header.ommersHash === NO_OMMERS) !== (ommers.length === 0))
    throw new InvalidBlockError('its ommers are not given')
  const reward = rewardUnder(hardfork)
  for (const { coinbase, number } of ommers) {
    if (number >= header.number || number + MAX_AGE < header.number) throw new InvalidBlockError('an ommer of no use')
    credit(engine.evm, coinbase, ((number + 8n - header.number) * reward) / 8n)
  }
  credit(engine.evm, header.coinbase, reward + (BigInt(ommers.length) * reward) / 32n)
}

/** keccak-256 of the empty list in RLP. */
const NO_OMMERS: Hex = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'
/** Blocks between an ommer and the block that names it. */
const MAX_AGE = 7n
const ETHER = 10n ** 18n

function rewardUnder(hardfork: Hardfork): bigint {
  if (isSince(hardfork, 'constantinople')) return 2n * ETHER
  return isSince(hardfork, 'byzantium') ? 3n * ETHER : 5n * ETHER
}

/** Wei that comes from no account. */
export function credit(evm: Engine['evm'], address: Address, wei: bigint): void {
  if (wei > 0n) evm.setBalance(address, evm.account(address).balance + wei)
}

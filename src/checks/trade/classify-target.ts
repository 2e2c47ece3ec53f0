import { balanceOf, erc20Abi, readWord } from '../../dex/read-contract.js'
import type { Address } from '../../hex.js'
import type { Fork } from '../../simulation/scenario.js'
import type { TradeReport } from './trade-report.js'

/**
 * A token is what answers for balances and supply; everything else with code is just a contract.
 */
export function classifyTarget(fork: Fork, target: Address, trader: Address): TradeReport['kind'] {
  // First of all: where the chain itself runs instead of code, there need not be any to see.
  const balance = balanceOf(fork, target, trader)
  if (fork.evm.code(target).length === 0) return 'account'
  const supply = readWord(fork, target, erc20Abi, 'totalSupply', [])
  return balance === undefined || supply === undefined ? 'contract' : 'token'
}

import { balanceOf, erc20Abi, readWord } from '../../dex/read-contract.js'
import type { Address } from '../../hex.js'
import type { Fork } from '../../simulation/scenario.js'
import type { SimulateReport } from './report.js'

/** A token is what answers for balances and supply; everything else with code is just a contract. */
export function classifyTarget(fork: Fork, target: Address, anybody: Address): SimulateReport['kind'] {
  if (fork.evm.code(target).length === 0) return 'account'
  const balance = balanceOf(fork, target, anybody)
  const supply = readWord(fork, target, erc20Abi, 'totalSupply', [])
  return balance === undefined || supply === undefined ? 'contract' : 'token'
}

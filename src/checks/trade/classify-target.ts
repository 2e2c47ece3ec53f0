import { findCandidateSelectors } from '../../bytecode/candidate-selectors.js'
import { readFacts } from '../../bytecode/facts.js'
import { readDesignator } from '../../bytecode/proxy.js'
import { ERC20 } from '../../bytecode/roles.js'
import { findFunction } from '../../bytecode/token-facts.js'
import { balanceOf, callData, erc20Abi, readWord } from '../../dex/read-contract.js'
import { type Address, hexToBytes } from '../../hex.js'
import type { Fork } from '../../simulation/scenario.js'
import type { TradeReport } from './trade-report.js'

/**
 * A token is what answers for balances and supply, and can be handed on; everything else with code
 * is just a contract.
 */
export function classifyTarget(fork: Fork, target: Address, trader: Address): TradeReport['kind'] {
  // First of all: where the chain itself runs instead of code, there need not be any to see.
  const balance = balanceOf(fork, target, trader)
  if (fork.evm.code(target).length === 0) return 'account'
  const supply = readWord(fork, target, erc20Abi, 'totalSupply', [])
  return balance === undefined || supply === undefined || keepsBookOnly(fork, target) ? 'contract' : 'token'
}

/**
 * Whether nothing of what it keeps book of can be handed on, as in contracts for staking: it has no
 * such function, refuses a transfer of nothing without a word, and does nothing for other calls.
 */
function keepsBookOnly(fork: Fork, target: Address): boolean {
  const code = fork.evm.code(target)
  // The call reads words that nothing else does: tokens that name the function are spared it.
  if (Buffer.from(code).includes(TRANSFER_BYTES)) return false
  const { status, output } = fork.evm.read({ to: target, data: callData(TRANSFER, [target, 0n]) })
  if (status === 'success' || output !== '0x') return false
  const facts = readFacts(code, { candidates: findCandidateSelectors(code) })
  if (readDesignator(code) !== undefined || facts.gaps.length > 0) return false
  const handsOn = [ERC20.transfer, ERC20.transferFrom].some((selector) => findFunction(facts, selector) !== undefined)
  const others = facts.functions.filter(({ selector }) => selector === undefined)
  return !handsOn && others.every(({ effects }) => effects.every(({ kind }) => HARMLESS.has(kind)))
}

/** `transfer(address,uint256)` */
const TRANSFER = '0xa9059cbb'
const TRANSFER_BYTES = Buffer.from(hexToBytes(TRANSFER))
/** What a fallback that only takes coin, or refuses it, may do. */
const HARMLESS: ReadonlySet<string> = new Set(['read', 'transient', 'log', 'return'])

import { encodeFunctionData, parseAbi } from 'viem'
import { OPERATOR_GETTERS } from '../../bytecode/granted.js'
import type { TradeContext } from '../../dex/legs.js'
import { balanceOf, callData, erc20Abi, readAddress, readWord, readWords } from '../../dex/read-contract.js'
import { type Address, toPaddedHex, wordToAddress, ZERO_ADDRESS } from '../../hex.js'
import { defineScenario, type Fork } from '../../simulation/scenario.js'
import { FIRST_VARIABLES } from '../bytecode/read-subject.js'
import type { TradeInput } from '../trade/run-trade-scenario.js'

/** An address that may take tokens out of the pool without trading. */
export interface PoolAllowance {
  spender: Address
  /** Base units. */
  amount: bigint
  /** Of what the pool holds, in basis points; at most 10,000. */
  shareBps: number
}

/** A flag of one byte is often packed below an address. */
const SHIFTS = [0n, 8n]
/** Smaller numbers are counters and flags. */
const LEAST_ADDRESS = 1n << 64n
const FULL_BPS = 10_000n

const OWNER_CALLS = ['owner', 'getOwner'].map((functionName) =>
  encodeFunctionData({
    abi: parseAbi(['function owner() view returns (address)', 'function getOwner() view returns (address)']),
    functionName: functionName as 'owner',
  }),
)

/** Accounts that the token names, outside the exchange: its owner, addresses in its first slots. */
export function findNamedAccounts({ fork, market }: TradeContext): Address[] {
  const { pool, via, venue } = market
  const exchange = [pool.address, via?.address, venue.spender, pool.quote, pool.token, ZERO_ADDRESS]
  const named = OWNER_CALLS.flatMap((data) => readAddress(fork, pool.token, data) ?? [])
  const stored = FIRST_VARIABLES.flatMap((slot) => {
    const word = fork.evm.storage(pool.token, slot)
    return SHIFTS.map((shift) => word >> shift)
      .filter((value) => BigInt.asUintN(160, value) >= LEAST_ADDRESS)
      .map(wordToAddress)
  })
  return [...new Set([...named, ...stored])].filter((account) => !exchange.includes(account))
}

interface PoolAllowanceInput extends TradeInput {
  pool: Address
  /** Who may have been allowed to take from it. */
  spenders: readonly Address[]
}

/**
 * The largest allowance over the pool's tokens, or an operator's right, among those that the token
 * names. No trade ever asks
 * a pool to approve anything, so that one who has such an allowance was given it by the token's
 * maker, most often before the first trade. Played beside what is looked at after the trade: these
 * words are read by no trade, and all of the trade would have to be played again for them.
 */
export const findPoolAllowance = defineScenario({
  module: import.meta.url,
  name: 'findPoolAllowance',
  runsOnNode: true,
  run(fork, { address: token, pool, spenders }: PoolAllowanceInput): PoolAllowance | undefined {
    const held = balanceOf(fork, token, pool) ?? 0n
    const allowances = spenders.map((spender) => {
      const amount = isOperator(fork, token, pool, spender)
        ? held
        : (readWord(fork, token, erc20Abi, 'allowance', [pool, spender]) ?? 0n)
      return { spender, amount, shareBps: shareOf(amount, held) }
    })
    return allowances.filter(({ shareBps }) => shareBps > 0).toSorted((a, b) => b.shareBps - a.shareBps)[0]
  },
})

/** Operators move what a holder has without any allowance. */
const isOperator = (fork: Fork, token: Address, holder: Address, account: Address): boolean =>
  OPERATOR_GETTERS.some(({ selector, isHolderFirst }) => {
    const args = isHolderFirst ? [holder, account] : [account, holder]
    return readWords(fork, token, callData(toPaddedHex(BigInt(selector), 4), args))?.[0] === 1n
  })

/** Of a pool that is empty, or made on the fork alone, it is all that will come. */
function shareOf(amount: bigint, held: bigint): number {
  if (amount === 0n) return 0
  return Number(amount >= held ? FULL_BPS : (amount * FULL_BPS) / held)
}

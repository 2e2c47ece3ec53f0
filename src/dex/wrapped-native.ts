import { parseAbi } from 'viem'
import type { Chain } from '../chains/chain.js'
import type { Log } from '../evm/inspector.js'
import type { Hex } from '../hex.js'
import { encodeCall } from './encode-call.js'
import type { Pool, Venue } from './venue.js'

const abi = parseAbi(['function deposit() payable', 'function withdraw(uint256 amount)'])

/**
 * `Deposit(address indexed dst, uint wad)` and `Withdrawal(address indexed src, uint wad)` of
 * WETH9.
 */
const DEPOSIT_TOPIC = '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c'
const WITHDRAWAL_TOPIC = '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65'

/** The wrapped native coin is bought and sold at its own counter: one for one, without a pool. */
export function createWrappedNativeCounter(chain: Chain): Venue {
  const { wrappedNative } = chain
  const name = 'Wrapped native coin'
  const counter: Pool = {
    venue: name,
    address: wrappedNative,
    token: wrappedNative,
    quote: wrappedNative,
    quoteReserve: 0n,
    tokenReserve: 0n,
  }
  return {
    name,
    factory: wrappedNative,
    router: wrappedNative,
    // It burns the caller's own balance.
    spender: undefined,
    guessPools: (token) => (token === wrappedNative ? [counter] : []),
    findPools(fork, token) {
      const { balance } = fork.evm.account(wrappedNative)
      return token === wrappedNative && balance > 0n
        ? [{ ...counter, quoteReserve: balance, tokenReserve: balance }]
        : []
    },
    // It is no pool: one for one.
    curve: () => undefined,
    probes: () => [{ kind: 'account', address: wrappedNative }],
    seeds: () => [],
    buy: ({ amountIn }) => ({
      to: wrappedNative,
      value: amountIn,
      data: encodeCall({ abi, functionName: 'deposit' }),
    }),
    sell: ({ amountIn }) => ({
      to: wrappedNative,
      value: 0n,
      data: encodeCall({ abi, functionName: 'withdraw', args: [amountIn] }),
    }),
    readSwap(pool, direction, logs) {
      const topic: Hex = direction === 'buy' ? DEPOSIT_TOPIC : WITHDRAWAL_TOPIC
      const log = logs.findLast((each: Log) => each.address === pool.address && each.topics[0] === topic)
      if (!log || log.data.length !== 2 + 64) return undefined
      return { amountIn: BigInt(log.data), amountOut: BigInt(log.data) }
    },
  }
}

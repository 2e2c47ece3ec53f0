import { encodeFunctionData, parseAbi } from 'viem'
import { balanceOf, readAddress, readWords } from '../../dex/read-contract.js'
import { type Address, type Hex, ZERO_ADDRESS } from '../../hex.js'
import type { Fork } from '../../simulation/scenario.js'

/**
 * A contract through which a token seems to be traded, and which is not supported here. Named, and
 * nothing is concluded from it.
 */
export interface UnknownVenue {
  address: Address
  /**
   * `pool`: two tokens, this among them; `curve`: one that quotes by itself; `holder`: it has a
   * large part of the supply.
   */
  kind: 'pool' | 'curve' | 'holder'
  /** Who made the pool, where it says. */
  factory: Address | undefined
}

const abi = parseAbi([
  'function token0() view returns (address)',
  'function token1() view returns (address)',
  'function factory() view returns (address)',
  'function coins(uint256) view returns (address)',
  'function get_dy(int128, int128, uint256) view returns (uint256)',
  'function getAmountOut(address, uint256) view returns (uint256)',
  'function getBuyPrice(uint256) view returns (uint256)',
  'function calculatePurchaseReturn(uint256) view returns (uint256)',
  'function totalSupply() view returns (uint256)',
])
const call = (functionName: 'token0' | 'token1' | 'factory' | 'totalSupply') =>
  encodeFunctionData({ abi, functionName })
const coin = (index: bigint) => encodeFunctionData({ abi, functionName: 'coins', args: [index] })
/**
 * What a curve that sells a token is asked, in some spellings; a contract that answers a number
 * quotes.
 */
const quotesFor = (token: Address): Hex[] => [
  encodeFunctionData({ abi, functionName: 'getAmountOut', args: [token, ONE] }),
  encodeFunctionData({ abi, functionName: 'getBuyPrice', args: [ONE] }),
  encodeFunctionData({ abi, functionName: 'calculatePurchaseReturn', args: [ONE] }),
]
const ONE = 10n ** 18n
/** Each candidate costs a round trip's worth of state. */
const MAX_CANDIDATES = 6
/** Of the supply, one part in this many. */
const LARGE_PART = 20n

/** Which of the parties to a token's transfers look like places where it is traded. */
export function findUnknownVenues(fork: Fork, token: Address, parties: readonly Address[]): UnknownVenue[] {
  const contracts = parties.slice(0, MAX_CANDIDATES).filter((party) => fork.evm.code(party).length > 0)
  return contracts.flatMap((address) => describe(fork, token, address) ?? [])
}

function describe(fork: Fork, token: Address, address: Address): UnknownVenue | undefined {
  const ask = (data: Hex) => readAddress(fork, address, data)
  const factory = ask(call('factory'))
  if ([ask(call('token0')), ask(call('token1'))].includes(token)) return { address, kind: 'pool', factory }
  if ([ask(coin(0n)), ask(coin(1n))].includes(token)) return { address, kind: 'curve', factory }
  if (quotesFor(token).some((data) => (readWords(fork, address, data)?.[0] ?? 0n) > 0n))
    return { address, kind: 'curve', factory }
  const [supply = 0n] = readWords(fork, token, call('totalSupply')) ?? []
  const held = balanceOf(fork, token, address) ?? 0n
  return supply > 0n && held * LARGE_PART >= supply ? { address, kind: 'holder', factory } : undefined
}

/** Said after a sentence about missing liquidity; empty where nothing was found. */
export function nameUnknownVenues(venues: readonly UnknownVenue[]): string {
  const names = venues.map(({ address, kind, factory }) => {
    const maker = factory && factory !== ZERO_ADDRESS ? ` of the factory ${factory}` : ''
    return `${address} (${KINDS[kind]}${maker})`
  })
  return names.length === 0 ? '' : `; it seems to trade at ${names.join(', ')}, which is not known here`
}

const KINDS: Record<UnknownVenue['kind'], string> = {
  pool: 'a pool',
  curve: 'a contract that quotes a price',
  holder: 'a contract that holds a large part',
}

import { type Abi, type ContractFunctionArgs, type ContractFunctionName, parseAbi } from 'viem'
import type { Inspector } from '../evm/inspector.js'
import { type Address, type Hex, wordToAddress } from '../hex.js'
import type { Fork } from '../simulation/scenario.js'
import { encodeCall } from './encode-call.js'

/** The calls of ERC-20 (EIP-20) that a trade needs. */
export const erc20Abi = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'function totalSupply() view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function approve(address spender, uint256 amount) returns (bool)',
  'function transfer(address to, uint256 amount) returns (bool)',
])

/**
 * Asks a contract for one word on the fork. `undefined` when the call fails or answers less than a
 * word: hostile contracts do both.
 */
export function readWord<const A extends Abi, N extends ContractFunctionName<A, 'view' | 'pure'>>(
  { evm }: Fork,
  to: Address,
  abi: A,
  functionName: N,
  args: ContractFunctionArgs<A, 'view' | 'pure', N>,
): bigint | undefined {
  return readWords({ evm } as Fork, to, encodeCall({ abi, functionName, args } as never))?.[0]
}

/** As {@link readWord}, for answers of several words and calldata already encoded. */
export function readWords(
  { evm }: Pick<Fork, 'evm'>,
  to: Address,
  data: Hex,
  { watch = [], gas }: { watch?: readonly Inspector[]; gas?: number } = {},
): bigint[] | undefined {
  const { status, output } = evm.read({ to, data, ...(gas && { gas }) }, watch)
  if (status !== 'success' || output.length < 2 + WORD_DIGITS) return undefined
  const count = Math.min(Math.floor((output.length - 2) / WORD_DIGITS), MAX_WORDS)
  return Array.from({ length: count }, (_, i) =>
    BigInt(`0x${output.slice(2 + i * WORD_DIGITS, 2 + (i + 1) * WORD_DIGITS)}`),
  )
}

/** As {@link readWords}, for an address other than zero. */
export function readAddress(fork: Fork, to: Address, data: Hex): Address | undefined {
  const [word] = readWords(fork, to, data) ?? []
  return word ? wordToAddress(word) : undefined
}

/**
 * Calldata for arguments of one word each. Looking for pools means dozens of calls; encoding these
 * by their ABI takes longer than running them.
 */
export function callData(selector: Hex, args: readonly (Address | bigint)[]): Hex {
  const words = args.map((arg) =>
    (typeof arg === 'bigint' ? arg.toString(16) : arg.slice(2)).padStart(WORD_DIGITS, '0'),
  )
  return `0x${selector.slice(2)}${words.join('')}`
}

const WORD_DIGITS = 64
/** No answer that a venue reads is longer. */
const MAX_WORDS = 16

export function balanceOf(fork: Fork, token: Address, owner: Address): bigint | undefined {
  return readWords(fork, token, callData(BALANCE_OF, [owner]))?.[0]
}

/**
 * The balance with a word of the token changed on trial. The word may be the length of a list, and
 * an amount of coins in it a loop without end.
 */
export function balanceOnTrial(fork: Fork, token: Address, owner: Address): bigint | undefined {
  return readWords(fork, token, callData(BALANCE_OF, [owner]), { gas: TRIAL_GAS })?.[0]
}

/** What a balance that loops over a short list takes. */
const TRIAL_GAS = 500_000

/** `balanceOf(address)` */
const BALANCE_OF = '0x70a08231'

import { hexToString, parseAbi } from 'viem'
import type { Address, Hex } from '../hex.js'
import { defineScenario, type Fork } from '../simulation/scenario.js'
import { plainText } from '../untrusted-text.js'
import { encodeCall } from './encode-call.js'

/** What a token says of itself. Untrusted: for showing, never for judging. */
export interface TokenMetadata {
  /** As the token gives it, at most {@link MAX_TEXT_BYTES}; empty when the token does not say. */
  name: string
  symbol: string
  /** EIP-20's uint8; `undefined` when the token does not say, or says something else. */
  decimals: number | undefined
  /** Base units; `undefined` when the token does not say. */
  totalSupply: bigint | undefined
}

/** Asks the token on the fork, so that it costs no request of its own. */
export const readTokenMetadata = defineScenario({
  module: import.meta.url,
  name: 'readTokenMetadata',
  run: (fork, token: Address): TokenMetadata => {
    const decimals = readNumber(fork, token, CALLS.decimals)
    return {
      name: readText(fork, token, CALLS.name),
      symbol: readText(fork, token, CALLS.symbol),
      decimals: decimals !== undefined && decimals <= 255n ? Number(decimals) : undefined,
      totalSupply: readNumber(fork, token, CALLS.totalSupply),
    }
  },
})

/** What a token calls itself in short, as one line of visible characters. */
export const shownSymbol = ({ symbol }: Pick<TokenMetadata, 'symbol'>) => plainText(symbol, MAX_SYMBOL_LENGTH)

const abi = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function decimals() view returns (uint8)',
  'function totalSupply() view returns (uint256)',
])
const CALLS = {
  name: encodeCall({ abi, functionName: 'name' }),
  symbol: encodeCall({ abi, functionName: 'symbol' }),
  decimals: encodeCall({ abi, functionName: 'decimals' }),
  totalSupply: encodeCall({ abi, functionName: 'totalSupply' }),
}

/** Longer symbols are advertisements. */
const MAX_SYMBOL_LENGTH = 32
const WORD_DIGITS = 64

function readText({ evm }: Fork, token: Address, data: Hex): string {
  const { status, output } = evm.read({ to: token, data })
  return status === 'success' ? decodeText(output) : ''
}

function readNumber({ evm }: Fork, token: Address, data: Hex): bigint | undefined {
  const { status, output } = evm.read({ to: token, data })
  return status === 'success' && output.length >= 2 + WORD_DIGITS ? BigInt(output.slice(0, 2 + WORD_DIGITS)) : undefined
}

/**
 * An ABI string, or the bytes32 that tokens before EIP-20 was settled return (MKR does). Anything
 * else is no text.
 */
export function decodeText(output: Hex): string {
  const digits = output.slice(2)
  if (digits.length === WORD_DIGITS) return utf8(digits.replace(/(00)+$/, ''))
  if (wordAt(digits, 0) !== 32n) return ''
  const length = wordAt(digits, 1)
  if (length === undefined || length > MAX_TEXT_BYTES) return ''
  return utf8(digits.slice(2 * WORD_DIGITS, 2 * WORD_DIGITS + Number(length) * 2))
}

/** Enough for every honest symbol; the rest is not read. */
const MAX_TEXT_BYTES = 1_024n

function wordAt(digits: string, index: number): bigint | undefined {
  const word = digits.slice(index * WORD_DIGITS, (index + 1) * WORD_DIGITS)
  return word.length === WORD_DIGITS ? BigInt(`0x${word}`) : undefined
}

const utf8 = (digits: string) => (digits.length % 2 === 0 ? hexToString(`0x${digits}`) : '')

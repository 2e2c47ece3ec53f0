import { ApiError } from '../api-error.js'
import { findChain } from '../chains/index.js'
import type { AnalysisTarget } from '../checks/target.js'
import { parseAddress } from '../checksum-address.js'
import type { Config } from '../config.js'
import type { Hex } from '../hex.js'

/** What of the configuration decides on requests; without chains, those that we know. */
export type RequestConfig = Pick<Config, 'compat'> & Partial<Pick<Config, 'chains'>>

/**
 * Turns the body of an analysis request into its target. Reads own fields only, so that a body
 * cannot bring fields in through its prototype; ignores fields it does not know; and reports the
 * address before the chain when both are wrong.
 */
export function parseAnalysisRequest(body: unknown, { compat, chains }: RequestConfig): AnalysisTarget {
  const fields = parseFields(body)
  const address = parseTarget(readAddress(fields, compat))
  const chain = parseChain(readChainId(fields, compat), chains)
  const blockNumber = parseBlockNumber(fields.get('blockNumber'))
  const where = parsePair(fields.get('pair'))
  const simulateLiquidity = parseFlag(fields.get('simulateLiquidity'), 'invalid_simulate_liquidity')
  const only = parseFlag(fields.get('only'), 'invalid_only')
  // Existing clients send an `amount` of their own, which means nothing.
  const amount = compat ? undefined : parseAmount(fields.get('amount'))
  const trace = parseTrace(fields.get('trace'))
  return {
    chain,
    address,
    ...(blockNumber !== undefined && { blockNumber }),
    ...where,
    ...(simulateLiquidity && { simulateLiquidity }),
    ...(amount !== undefined && { amount }),
    ...(only && { only }),
    ...(trace !== undefined && { trace }),
  }
}

/** Names under which clients of the mirrored API send the address, in order of preference. */
const ADDRESS_ALIASES = ['contractAddress', 'tokenAddress']

/** 30 digits of wei are a trillion coins; longer text is not worth turning into a number. */
const AMOUNT_FORM = /^[1-9]\d{0,29}$/

export type Fields = ReadonlyMap<string, unknown>

/** No body at all is a body without fields. */
export function parseFields(body: unknown): Fields {
  if (body === undefined) return new Map()
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new ApiError('invalid_json')
  return new Map(Object.entries(body))
}

export function readAddress(fields: Fields, compat: boolean): unknown {
  const names = ['targetContractAddress', ...(compat ? ADDRESS_ALIASES : [])]
  return names.map((name) => fields.get(name)).find((value) => !isMissing(value))
}

/** The chain, or what clients of the mirrored API send in its place. */
function readChainId(fields: Fields, compat: boolean): unknown {
  const chainId = fields.get('chainId')
  if (!compat || !isMissing(chainId)) return chainId
  return CHAINS_BY_COIN.get(fields.get('currencySymbol'))
}

const CHAINS_BY_COIN: ReadonlyMap<unknown, number> = new Map([
  ['ETH', 1],
  ['BNB', 56],
])

function parseTarget(value: unknown) {
  if (isMissing(value)) throw new ApiError('address_required')
  const address = parseAddress(value)
  if (address === undefined) throw new ApiError('invalid_address')
  return address
}

function parseChain(value: unknown, chains: RequestConfig['chains']) {
  if (isMissing(value)) throw new ApiError('chain_required')
  const chain = typeof value === 'number' ? findChain(value, chains) : undefined
  if (chain === undefined) throw new ApiError('unsupported_chain')
  return chain
}

function parseBlockNumber(value: unknown): bigint | undefined {
  if (isAbsent(value)) return undefined
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw new ApiError('invalid_block_number')
  return BigInt(value)
}

/** A pool by its address, or by the 32-byte id that it has on Uniswap V4. */
function parsePair(value: unknown): Pick<AnalysisTarget, 'pair' | 'poolId'> {
  if (isAbsent(value)) return {}
  if (typeof value === 'string' && POOL_ID_FORM.test(value)) return { poolId: value.toLowerCase() as Hex }
  const pair = parseAddress(value)
  if (pair === undefined) throw new ApiError('invalid_pair')
  return { pair }
}

const POOL_ID_FORM = /^0x[0-9a-fA-F]{64}$/

function parseFlag(value: unknown, code: 'invalid_simulate_liquidity' | 'invalid_only'): boolean {
  if (isAbsent(value)) return false
  if (typeof value !== 'boolean') throw new ApiError(code)
  return value
}

/** The usual length is what a request without the field asks for: one spelling for one question. */
function parseTrace(value: unknown): 'full' | undefined {
  if (isAbsent(value) || value === 'short') return undefined
  if (value !== 'full') throw new ApiError('invalid_trace')
  return value
}

function parseAmount(value: unknown): bigint | undefined {
  if (isAbsent(value)) return undefined
  if (typeof value !== 'string' || !AMOUNT_FORM.test(value)) throw new ApiError('invalid_amount')
  return BigInt(value)
}

const isAbsent = (value: unknown) => value === undefined || value === null

/** An empty text is what a form sends when nothing was entered. */
export const isMissing = (value: unknown) => isAbsent(value) || (typeof value === 'string' && value.trim() === '')

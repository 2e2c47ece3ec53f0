import { ApiError, type ApiErrorCode } from '../../api-error.js'
import type { WalletAuthorization, WalletCall } from '../../checks/wallet-request.js'
import { parseAddress } from '../../checksum-address.js'
import { recoverAuthority } from '../../evm/recover-authority.js'
import type { Address, Hex } from '../../hex.js'

/** Calls of one question: more than any wallet asks consent for at once. */
const MAX_CALLS = 16
/** Each costs 25,000 gas, and wallets ask for one. */
const MAX_AUTHORIZATIONS = 8

/** Wei in digits, or as JSON-RPC writes quantities; 30 digits are a trillion coins. */
const AMOUNT_FORM = /^(0|[1-9]\d{0,29}|0x[0-9a-fA-F]{1,24})$/
const DATA_FORM = /^0x([0-9a-fA-F]{2})*$/

/**
 * The calls of EIP-5792 in their order; `data` may be called `calldata`. Throws `invalid_calls`.
 */
export function parseCalls(value: unknown): WalletCall[] {
  return itemsOf(value, MAX_CALLS, 'invalid_calls').map((item) => {
    const to = parseAddress(item.get('to'))
    const data = item.get('data') ?? item.get('calldata')
    const amount = item.get('value')
    if (to === undefined || !isMatch(data, DATA_FORM) || !isMatch(amount, AMOUNT_FORM)) {
      throw new ApiError('invalid_calls')
    }
    return {
      to,
      ...(amount !== undefined && { value: BigInt(amount) }),
      ...(data !== undefined && { data: data.toLowerCase() as Hex }),
    }
  })
}

const QUANTITY_FORM = /^(\d{1,20}|0x[0-9a-fA-F]{1,16})$/
const WORD_FORM = /^(\d{1,78}|0x[0-9a-fA-F]{1,64})$/

/**
 * The authorizations of EIP-7702, signed or still to be signed. Throws
 * `invalid_authorization_list`.
 */
export function parseAuthorizations(value: unknown): WalletAuthorization[] {
  return itemsOf(value, MAX_AUTHORIZATIONS, 'invalid_authorization_list').map((item) => {
    const address = parseAddress(item.get('address'))
    if (address === undefined) throw new ApiError('invalid_authorization_list')
    const chainId = parseNumber(item.get('chainId'), QUANTITY_FORM)
    const nonce = parseNumber(item.get('nonce'), QUANTITY_FORM)
    const authority = parseAuthority(item, { address, chainId, nonce })
    return {
      address,
      ...(chainId !== undefined && { chainId }),
      ...(nonce !== undefined && { nonce }),
      ...(authority !== undefined && { authority }),
    }
  })
}

interface Signed {
  address: Address
  chainId: bigint | undefined
  nonce: bigint | undefined
}

/** Who has signed; `undefined` where the wallet is still to. A request of ours may name it. */
function parseAuthority(item: Fields, { address, chainId, nonce }: Signed): Address | undefined {
  const named = item.get('authority')
  if (named !== undefined && named !== null) {
    const authority = parseAddress(named)
    if (authority === undefined) throw new ApiError('invalid_authorization_list')
    return authority
  }
  const [yParity, r, s] = ['yParity', 'r', 's'].map((name) => parseNumber(item.get(name), WORD_FORM))
  if (yParity === undefined && r === undefined && s === undefined) return undefined
  const isWhole = yParity !== undefined && r !== undefined && s !== undefined
  if (!isWhole || chainId === undefined || nonce === undefined) throw new ApiError('invalid_authorization_list')
  const authority = recoverAuthority({ address, chainId, nonce, yParity, r, s })
  if (authority === undefined) throw new ApiError('invalid_authorization_list')
  return authority
}

type Fields = ReadonlyMap<string, unknown>

function itemsOf(value: unknown, most: number, code: ApiErrorCode): Fields[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > most) throw new ApiError(code)
  return value.map((item: unknown) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) throw new ApiError(code)
    return new Map(Object.entries(item))
  })
}

const isMatch = (value: unknown, form: RegExp): value is string | undefined =>
  value === undefined || (typeof value === 'string' && form.test(value))

function parseNumber(value: unknown, form: RegExp): bigint | undefined {
  if (value === undefined || value === null) return undefined
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  if (typeof text !== 'string' || !form.test(text)) throw new ApiError('invalid_authorization_list')
  return BigInt(text)
}

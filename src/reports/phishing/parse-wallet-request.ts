import { ApiError, type ApiErrorCode } from '../../api-error.js'
import type { Json, TypedData, WalletRequest } from '../../checks/wallet-request.js'
import { parseAddress } from '../../checksum-address.js'
import type { Address, Hex } from '../../hex.js'
import { parseAuthorizations, parseCalls } from './parse-wallet-lists.js'

/**
 * Reads what a wallet is asked to send or sign out of the body of an analysis request. `undefined`
 * when there is neither calldata, typed data, coins, calls nor an authorization. Own fields only;
 * what is not known is ignored.
 */
export function parseWalletRequest(body: unknown, { compat }: { compat: boolean }): WalletRequest | undefined {
  const fields = new Map(typeof body === 'object' && body !== null ? Object.entries(body) : [])
  const read = <T>(name: string, parse: (value: unknown) => T) => {
    const value: unknown = fields.get(name)
    return value === undefined || value === null ? undefined : parse(value)
  }
  const from = read('from', (value) => parseAccount(value, 'invalid_from'))
  const calldata = read('calldata', parseCalldata)
  const typedData = read('typedData', parseTypedData)
  const calls = read('calls', parseCalls)
  const authorizationList = read('authorizationList', parseAuthorizations)
  // Existing clients send a `value` and a `to` of their own, which mean nothing.
  const isForeign = compat && calldata === undefined
  const value = isForeign ? undefined : read('value', parseValue)
  const to = isForeign ? undefined : read('to', (each) => parseAccount(each, 'invalid_to'))
  // One question has one order: what stood beside the list would have no place in it.
  if (calls !== undefined && (calldata !== undefined || value !== undefined)) throw new ApiError('invalid_calls')
  const asked = { calldata, typedData, value, calls, authorizationList }
  if (Object.values(asked).every((each) => each === undefined)) return undefined
  return Object.fromEntries(Object.entries({ from, to, ...asked }).filter(([, each]) => each !== undefined))
}

function parseAccount(value: unknown, code: ApiErrorCode): Address {
  const address = parseAddress(value)
  if (address === undefined) throw new ApiError(code)
  return address
}

/** 30 digits of wei are a trillion coins. */
const VALUE_FORM = /^(0|[1-9]\d{0,29})$/

function parseValue(value: unknown): bigint {
  if (typeof value !== 'string' || !VALUE_FORM.test(value)) throw new ApiError('invalid_value')
  return BigInt(value)
}

/** Nothing at all is what a plain payment carries. The body's own bound keeps it short. */
const CALLDATA_FORM = /^0x([0-9a-fA-F]{2})*$/

function parseCalldata(value: unknown): Hex {
  if (typeof value !== 'string' || !CALLDATA_FORM.test(value)) throw new ApiError('invalid_calldata')
  return value.toLowerCase() as Hex
}

/** Names of structures and their fields, as the encoding of types allows them. */
const NAME_FORM = /^[A-Za-z_$][\w$]{0,63}$/
const TYPE_FORM = /^[A-Za-z_$][\w$]{0,63}(\[\d{0,3}\]){0,3}$/

function parseTypedData(value: unknown): TypedData {
  const fields = toRecord(value)
  const [domain, types, message] = ['domain', 'types', 'message'].map((name) => toRecord(fields.domain && fields[name]))
  const { primaryType } = fields
  if (!domain || !types || !message || typeof primaryType !== 'string' || !NAME_FORM.test(primaryType)) {
    throw new ApiError('invalid_typed_data')
  }
  const known = Object.entries(types).map(([name, members]) => [name, toMembers(name, members)] as const)
  return { domain, types: Object.fromEntries(known), primaryType, message }
}

function toRecord(value: unknown): Readonly<Record<string, Json>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ApiError('invalid_typed_data')
  return value as Readonly<Record<string, Json>>
}

function toMembers(name: string, members: unknown): { name: string; type: string }[] {
  if (!NAME_FORM.test(name) || !Array.isArray(members)) throw new ApiError('invalid_typed_data')
  return members.map((member: unknown) => {
    const { name: field, type } = toRecord(member)
    const isRight =
      typeof field === 'string' && typeof type === 'string' && NAME_FORM.test(field) && TYPE_FORM.test(type)
    if (!isRight) throw new ApiError('invalid_typed_data')
    return { name: field, type }
  })
}

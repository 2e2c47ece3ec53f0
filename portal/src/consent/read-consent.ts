/** What the form holds: texts as they were entered. */
export interface ConsentFields {
  chain: string
  from: string
  to: string
  value: string
  calldata: string
  request: string
}

/** A question as the service takes it, or what is wrong with the fields. */
export type ReadConsent = { body: object } | { problem: string }

const ADDRESS = /^0x[0-9a-fA-F]{40}$/
const BYTES = /^0x([0-9a-fA-F]{2})*$/
const WEI = /^(0|[1-9]\d{0,29})$/

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Reads a question out of the form. The request of a website may be pasted whole: the parameters of
 * `eth_sendTransaction`, of `wallet_sendCalls`, or of `eth_signTypedData_v4`.
 */
export function readConsent({ chain, from, to, value, calldata, request }: ConsentFields): ReadConsent {
  if (from !== '' && !ADDRESS.test(from)) return { problem: 'The wallet is an address: 0x and 40 hex digits.' }
  const shared = { chainId: Number(chain), only: true, ...(from !== '' && { from }) }
  if (request !== '') return readPasted(request, shared)
  if (!ADDRESS.test(to)) return { problem: 'Enter where it goes: 0x and 40 hex digits. Or paste the request.' }
  if (calldata !== '' && !BYTES.test(calldata)) return { problem: 'Call data is 0x and pairs of hex digits.' }
  if (value !== '' && !WEI.test(value)) return { problem: 'The value is a whole number of wei.' }
  const sent = { calldata: calldata === '' ? '0x' : calldata, ...(value !== '' && { value }) }
  return { body: { targetContractAddress: to, ...shared, ...sent } }
}

function readPasted(text: string, shared: object): ReadConsent {
  const given = unwrap(parse(text))
  if (!isObject(given)) return { problem: 'The request is not JSON as a website sends it.' }
  const { domain, calls, authorizationList } = given
  const list = Array.isArray(authorizationList) ? { authorizationList } : {}
  const from = typeof given.from === 'string' ? { from: given.from } : {}
  if (isObject(domain)) {
    const target = domain.verifyingContract
    if (typeof target !== 'string') return { problem: 'The message names no contract that it is for.' }
    return { body: { targetContractAddress: target, ...shared, typedData: given } }
  }
  if (Array.isArray(calls)) {
    const first: unknown = calls[0]
    return { body: { targetContractAddress: isObject(first) ? first.to : '', ...from, ...shared, calls, ...list } }
  }
  const { to, data = '0x', value } = given
  return {
    body: {
      targetContractAddress: to,
      ...from,
      ...shared,
      calls: [{ to, data, ...(value !== undefined && { value }) }],
      ...list,
    },
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The parameters inside a JSON-RPC request, or those that matter of a list; typed data may be text.
 */
function unwrap(value: unknown, depth = 0): unknown {
  if (depth > MAX_WRAPPERS) return undefined
  if (isObject(value)) return Array.isArray(value.params) ? unwrap(value.params, depth + 1) : value
  if (Array.isArray(value))
    return unwrap(
      value.find((each) => isObject(each) || isJson(each)),
      depth + 1,
    )
  return isJson(value) ? unwrap(parse(value), depth + 1) : undefined
}

/** A request, its parameters, and typed data in a text. */
const MAX_WRAPPERS = 4
const isJson = (value: unknown): value is string => typeof value === 'string' && /^\s*[[{]/.test(value)

import type { CheckPhishingRequest } from './operations.js'

/** What a page asks a wallet for. */
export type WalletQuestion = {
  /** The method, as the page called it. */
  method: string
  /** What Assay is asked: one question for each address that is called or named. */
  requests: CheckPhishingRequest[]
  /** The text of a message, where it is one. */
  text?: string
  /**
   * Why Assay cannot be asked, in words for the log: there is no contract to look at, or what is to
   * be signed does not show what it is.
   */
  unreadable?: string
}

/** Methods that send, sign or hand out power. Any other is passed on as it is. */
export const isGuarded = (method: string): boolean => READERS.has(method) || SIGNS.test(method)

/** What a wallet may call its own kind of signature next year is not to slip through. */
const SIGNS = /sign|sendTransaction|sendRawTransaction|sendCalls|grantPermissions|sendUserOperation/i

const READERS = new Map<string, (params: readonly unknown[], chainId: number) => Omit<WalletQuestion, 'method'>>([
  ['eth_sendTransaction', ([transaction], chainId) => readTransaction(transaction, chainId)],
  ['eth_signTransaction', ([transaction], chainId) => readTransaction(transaction, chainId)],
  ['wallet_sendCalls', ([bundle], chainId) => readCalls(bundle, chainId)],
  ['eth_signTypedData_v4', ([account, data], chainId) => readTypedData(account, data, chainId)],
  ['eth_signTypedData_v3', ([account, data], chainId) => readTypedData(account, data, chainId)],
  ['personal_sign', ([message]) => readMessage(message)],
])

/** Reads what is asked of a wallet on this chain. Never throws: a page may send anything. */
export function readWalletQuestion(method: string, params: unknown, chainId: number): WalletQuestion {
  const read = READERS.get(method)
  if (read === undefined) return { method, requests: [], unreadable: 'it does not show what it signs' }
  return { method, ...read(Array.isArray(params) ? params : [], chainId) }
}

function readTransaction(given: unknown, chainId: number): Omit<WalletQuestion, 'method'> {
  const { from, to, value, data, input, authorizationList } = toFields(given)
  if (isText(data) && isText(input) && data.toLowerCase() !== input.toLowerCase()) {
    return unreadable('it has two different kinds of data')
  }
  if (!isAddress(to)) return unreadable('it makes a contract, or goes nowhere')
  const calldata = input ?? data
  return {
    requests: [
      {
        ...{ targetContractAddress: to, chainId, only: true },
        ...(isAddress(from) && { from }),
        calldata: isText(calldata) ? calldata : '0x',
        ...(isText(value) && { value: toDecimal(value) }),
        ...(Array.isArray(authorizationList) && { authorizationList }),
      },
    ],
  }
}

function readCalls(given: unknown, current: number): Omit<WalletQuestion, 'method'> {
  const { from, calls, chainId: own } = toFields(given)
  const chainId = isText(own) ? Number(own) : current
  const read = (Array.isArray(calls) ? calls : []).map(toFields)
  const targets = read.map(({ to }) => to).filter(isAddress)
  if (read.length === 0 || targets.length < read.length) return unreadable('one of its calls goes nowhere')
  if (read.length > MAX_CALLS) return unreadable(`it has more than ${MAX_CALLS} calls`)
  const played = read.map(({ to, data, value }) => ({
    to: String(to),
    ...(isText(data) && { data }),
    ...(isText(value) && { value }),
  }))
  const [first = '', ...others] = new Map(targets.map((address) => [address.toLowerCase(), address])).values()
  const whole = { calls: played, ...(isAddress(from) && { from }) }
  return {
    requests: [
      { targetContractAddress: first, chainId, only: true, ...whole },
      ...others.map((targetContractAddress) => ({ targetContractAddress, chainId, only: true })),
    ],
  }
}

/** As many as the service plays. */
const MAX_CALLS = 16

function readTypedData(account: unknown, given: unknown, current: number): Omit<WalletQuestion, 'method'> {
  const { domain, types, primaryType, message } = toFields(parseJson(given))
  const { verifyingContract, chainId } = toFields(domain)
  if (!isAddress(verifyingContract)) return unreadable('it names no contract')
  if (typeof primaryType !== 'string') return unreadable('it is no typed data')
  const typedData = { domain: toFields(domain), types: toFields(types), primaryType, message: toFields(message) }
  return {
    requests: [
      {
        targetContractAddress: verifyingContract,
        chainId: chainId === undefined ? current : Number(chainId),
        ...{ only: true, typedData },
        ...(isAddress(account) && { from: account }),
      },
    ],
  }
}

/** A message is no contract's business, unless it is a hash: that can be anything. */
function readMessage(message: unknown): Omit<WalletQuestion, 'method'> {
  const text = toText(message)
  return text === undefined || !READABLE.test(text)
    ? unreadable('its message is no text, and may be the hash of anything')
    : { requests: [], text }
}

const READABLE = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]([^\p{Cf}\p{Cs}\p{Co}\p{Cn}]*)$/u

function toText(message: unknown): string | undefined {
  if (typeof message !== 'string') return undefined
  if (!/^0x([0-9a-f]{2})*$/i.test(message)) return message
  const bytes = Uint8Array.from(message.slice(2).match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function parseJson(given: unknown): unknown {
  if (typeof given !== 'string') return given
  try {
    return JSON.parse(given)
  } catch {
    return undefined
  }
}

function toDecimal(value: string): string {
  try {
    return String(BigInt(value))
  } catch {
    return value
  }
}

const unreadable = (reason: string) => ({ requests: [], unreadable: reason })
const isText = (value: unknown): value is string => typeof value === 'string'
const isAddress = (value: unknown): value is string => isText(value) && /^0x[0-9a-f]{40}$/i.test(value)
const toFields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

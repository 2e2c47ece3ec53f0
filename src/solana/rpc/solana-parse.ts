import { parseList, parseObject, RpcInvalidAnswerError } from '../../rpc/parse.js'
import type { SolanaAccount } from '../account.js'
import { parseSolanaAddress, type SolanaAddress } from '../address.js'

/** `confirmed`: voted on by two thirds, a second or so behind the tip. */
export const COMMITMENT = 'confirmed'

/** A value together with the slot at which the node read it. */
export interface AtSlot<T> {
  slot: bigint
  value: T
}

export function parseAtSlot<T>(answer: unknown, parse: (value: unknown) => T): AtSlot<T> {
  const { context, value } = parseObject(answer)
  return { slot: parseCount(parseObject(context).slot), value: parse(value) }
}

/** A whole number of JSON that is neither negative nor too large to be exact. */
export function parseCount(value: unknown): bigint {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw new RpcInvalidAnswerError('a count', value)
  }
  return BigInt(value)
}

export function parseBase58Address(value: unknown): SolanaAddress {
  const address = parseSolanaAddress(value)
  if (address === undefined) throw new RpcInvalidAnswerError('an address', value)
  return address
}

/**
 * An account in base64; `undefined` when there is none. Balances above 9 million SOL lose their
 * last digits in JSON, which nothing here depends on.
 */
export function parseAccount(value: unknown): SolanaAccount | undefined {
  if (value === null) return undefined
  const { lamports, owner, executable, data } = parseObject(value)
  if (typeof lamports !== 'number' || !(lamports >= 0) || !Number.isFinite(lamports)) {
    throw new RpcInvalidAnswerError('a balance', lamports)
  }
  if (typeof executable !== 'boolean') throw new RpcInvalidAnswerError('an executable flag', executable)
  return {
    lamports: BigInt(Math.trunc(lamports)),
    owner: parseBase58Address(owner),
    executable,
    data: parseBase64(data),
  }
}

/** Data as `[text, "base64"]`. Whatever else a node puts there is no data. */
function parseBase64(value: unknown): Uint8Array {
  const [text, encoding] = parseList(value, (item) => item, 2)
  if (typeof text !== 'string' || encoding !== 'base64' || text.length > MAX_BASE64_CHARACTERS) {
    throw new RpcInvalidAnswerError('base64', text)
  }
  const bytes = Buffer.from(text, 'base64')
  // Node skips what is no base64; a cut or altered text would otherwise pass as shorter data.
  if (bytes.length !== base64Length(text)) throw new RpcInvalidAnswerError('base64', text)
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
}

function base64Length(text: string): number {
  if (text.length % 4 !== 0) return -1
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return (text.length / 4) * 3 - padding
}

/** The runtime's limit on an account is 10 MiB. */
const MAX_BASE64_CHARACTERS = Math.ceil((10 * 1024 * 1024) / 3) * 4

/** Of a transaction, in base 58. */
export function parseSignature(value: unknown): string {
  if (typeof value !== 'string' || !/^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(value)) {
    throw new RpcInvalidAnswerError('a signature', value)
  }
  return value
}

import { secp256k1 } from '@noble/curves/secp256k1.js'
import { type DecodeFunctionDataReturnType, decodeFunctionData, parseAbi } from 'viem'
import { readWords } from '../../dex/read-contract.js'
import type { CallFrame } from '../../evm/inspector.js'
import { type Address, bytesToHex, type Hex, hexToBytes, toPaddedHex } from '../../hex.js'
import { keccak256 as keccakHex } from '../../keccak.js'
import type { Fork } from '../../simulation/scenario.js'
import { PERMIT2 } from './assets.js'

/** A permission that a call claims was signed. */
export interface SignedPermit {
  owner: Address
  /** Who may take. */
  spender: Address
  /** What the owner would have signed (EIP-712). */
  digest: Hex
  /**
   * Words by which the call names the permission, to be replaced by what makes it valid: each under
   * its meaning.
   */
  parts: { tokens: bigint[]; amounts: bigint[]; nonces: bigint[]; spenders: bigint[]; receivers: bigint[] }
  /** The signature that the call brought: three words, or bytes. */
  signature: { v: bigint; r: bigint; s: bigint } | Hex
}

const abi = parseAbi([
  'struct Details { address token; uint160 amount; uint48 expiration; uint48 nonce; }',
  'struct Single { Details details; address spender; uint256 sigDeadline; }',
  'struct Batch { Details[] details; address spender; uint256 sigDeadline; }',
  'struct Permissions { address token; uint256 amount; }',
  'struct Transfer { Permissions permitted; uint256 nonce; uint256 deadline; }',
  'struct BatchTransfer { Permissions[] permitted; uint256 nonce; uint256 deadline; }',
  'struct Receipt { address to; uint256 requestedAmount; }',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  'function permit(address holder, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function permit(address owner, Single single, bytes signature)',
  'function permit(address owner, Batch batch, bytes signature)',
  'function permitTransferFrom(Transfer permitted, Receipt receipt, address owner, bytes signature)',
  'function permitTransferFrom(BatchTransfer permitted, Receipt[] receipts, address owner, bytes signature)',
  'function permitWitnessTransferFrom(Transfer permitted, Receipt receipt, address owner, bytes32 witness, string witnessType, bytes signature)',
  'function permitWitnessTransferFrom(BatchTransfer permitted, Receipt[] receipts, address owner, bytes32 witness, string witnessType, bytes signature)',
])

const EIP2612 = hashText('Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)')
const DAI = hashText('Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)')
const AUTHORIZATION =
  'WithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)'
/** Permit2's types (github.com/Uniswap/permit2, `PermitHash`). */
const DETAILS = 'PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)'
const SINGLE = `PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)${DETAILS}`
const BATCH = `PermitBatch(PermitDetails[] details,address spender,uint256 sigDeadline)${DETAILS}`
const PERMISSIONS = 'TokenPermissions(address token,uint256 amount)'
const TRANSFER_FIELDS = 'address spender,uint256 nonce,uint256 deadline'

/** `DOMAIN_SEPARATOR()` and `nonces(address)` */
const DOMAIN_SEPARATOR = '0x3644e515'
const NONCES = '0x7ecebe00'

/**
 * Reads a call that brings a signature. `undefined` where it is no such call, or names a permission
 * that cannot be signed.
 */
export function readPermit(fork: Fork, frame: CallFrame): SignedPermit | undefined {
  if (frame.to === undefined) return undefined
  try {
    const call = decodeFunctionData({ abi, data: frame.input })
    if (isOfPermit2(call)) return readPermit2(fork, frame.from, call)
    const isAuthorization = call.functionName.endsWith('WithAuthorization')
    return isAuthorization ? readAuthorization(fork, frame.to, call) : readTokenPermit(fork, frame.to, call)
  } catch {
    // Such a call need not be well formed.
    return undefined
  }
}

type Call = DecodeFunctionDataReturnType<typeof abi>

const isOfPermit2 = ({ args }: Call) => args.some((arg) => typeof arg === 'object')

function readTokenPermit(fork: Fork, token: Address, { args }: Call): SignedPermit | undefined {
  const [domain] = readWords(fork, token, DOMAIN_SEPARATOR) ?? []
  if (domain === undefined) return undefined
  const isDai = args.length === 8
  const [owner, spender] = (args.slice(0, 2) as [Address, Address]).map(lower) as [Address, Address]
  const numbers = (args as readonly unknown[]).slice(2).map((arg) => BigInt(arg as bigint | boolean | Hex))
  const [a = 0n, b = 0n, c = 0n] = numbers
  const [v = 0n, r = 0n, s = 0n] = numbers.slice(isDai ? 3 : 2)
  const [nonce = 0n] = readWords(fork, token, `${NONCES}${toPaddedHex(BigInt(owner), 32).slice(2)}` as Hex) ?? []
  const struct = isDai
    ? hashWords([DAI, BigInt(owner), BigInt(spender), a, b, c])
    : hashWords([EIP2612, BigInt(owner), BigInt(spender), a, nonce, b])
  return {
    owner,
    spender,
    digest: digestOf(domain, struct),
    parts: {
      tokens: [BigInt(token)],
      amounts: isDai ? [] : [a],
      nonces: isDai ? [a] : [],
      spenders: [BigInt(spender)],
      receivers: [],
    },
    signature: { v, r, s },
  }
}

/** A payment that was signed (EIP-3009): it moves the tokens itself. */
function readAuthorization(fork: Fork, token: Address, { functionName, args }: Call): SignedPermit | undefined {
  const [domain] = readWords(fork, token, DOMAIN_SEPARATOR) ?? []
  if (domain === undefined) return undefined
  const words = (args as readonly unknown[]).map((arg) => BigInt(arg as bigint | Hex))
  const [from = 0n, to = 0n, value = 0n, validAfter = 0n] = words
  const [v = 0n, r = 0n, s = 0n] = words.slice(6)
  const kind = functionName === 'transferWithAuthorization' ? 'Transfer' : 'Receive'
  const struct = hashWords([hashText(`${kind}${AUTHORIZATION}`), ...words.slice(0, 6)])
  return {
    owner: toPaddedHex(from, 20),
    spender: toPaddedHex(to, 20),
    digest: digestOf(domain, struct),
    // A time before which it does not hold has to be past, as a first number has to be none.
    parts: { tokens: [BigInt(token)], amounts: [value], nonces: [validAfter], spenders: [], receivers: [] },
    signature: { v, r, s },
  }
}

function readPermit2(fork: Fork, caller: Address, { functionName, args }: Call): SignedPermit | undefined {
  const [domain] = readWords(fork, PERMIT2, DOMAIN_SEPARATOR) ?? []
  if (domain === undefined) return undefined
  return functionName === 'permit'
    ? readAllowance(domain, args as unknown as AllowanceArguments)
    : readTransfer(domain, caller, args as unknown as TransferArguments)
}

interface Details {
  token: Address
  amount: bigint
  expiration: number
  nonce: number
}

type AllowanceArguments = [
  owner: Address,
  permit: { details: Details | readonly Details[]; spender: Address; sigDeadline: bigint },
  signature: Hex,
]

function readAllowance(domain: bigint, [owner, { details, spender, sigDeadline }, signature]: AllowanceArguments) {
  const isBatch = Array.isArray(details)
  const list = [details].flat() as Details[]
  const hashes = list.map(({ token, amount, expiration, nonce }) =>
    hashWords([hashText(DETAILS), BigInt(token), amount, BigInt(expiration), BigInt(nonce)]),
  )
  const hashed = isBatch ? hashWords(hashes) : (hashes[0] ?? 0n)
  const struct = hashWords([hashText(isBatch ? BATCH : SINGLE), hashed, BigInt(spender), sigDeadline])
  return {
    owner: lower(owner),
    spender: lower(spender),
    digest: digestOf(domain, struct),
    parts: {
      tokens: list.map(({ token }) => BigInt(token)),
      amounts: list.map(({ amount }) => amount),
      nonces: list.map(({ nonce }) => BigInt(nonce)),
      spenders: [BigInt(spender)],
      receivers: [],
    },
    signature,
  }
}

interface Permissions {
  token: Address
  amount: bigint
}

interface Receipt {
  to: Address
  requestedAmount: bigint
}

type TransferArguments = [
  permit: { permitted: Permissions | readonly Permissions[]; nonce: bigint; deadline: bigint },
  receipts: Receipt | readonly Receipt[],
  owner: Address,
  ...rest: [signature: Hex] | [witness: Hex, witnessType: string, signature: Hex],
]

function readTransfer(domain: bigint, caller: Address, args: TransferArguments) {
  const [{ permitted, nonce, deadline }, receipts, owner, ...rest] = args
  const isBatch = Array.isArray(permitted)
  const list = [permitted].flat() as Permissions[]
  const hashes = list.map(({ token, amount }) => hashWords([hashText(PERMISSIONS), BigInt(token), amount]))
  const hashed = isBatch ? hashWords(hashes) : (hashes[0] ?? 0n)
  const [witness, witnessType] = rest.length === 3 ? rest : []
  const type = transferType(isBatch, witnessType)
  const fields = [hashText(type), hashed, BigInt(caller), nonce, deadline]
  const struct = hashWords(witness === undefined ? fields : [...fields, BigInt(witness)])
  const received = [receipts].flat() as Receipt[]
  return {
    owner: lower(owner),
    spender: caller,
    digest: digestOf(domain, struct),
    parts: {
      tokens: list.map(({ token }) => BigInt(token)),
      amounts: [...list.map(({ amount }) => amount), ...received.map(({ requestedAmount }) => requestedAmount)],
      nonces: [],
      spenders: [],
      receivers: received.map(({ to }) => BigInt(to)),
    },
    signature: rest.at(-1) as Hex,
  }
}

function transferType(isBatch: boolean, witnessType: string | undefined): string {
  const name = `Permit${isBatch ? 'Batch' : ''}${witnessType === undefined ? '' : 'Witness'}TransferFrom`
  const permitted = `TokenPermissions${isBatch ? '[]' : ''} permitted`
  return witnessType === undefined
    ? `${name}(${permitted},${TRANSFER_FIELDS})${PERMISSIONS}`
    : `${name}(${permitted},${TRANSFER_FIELDS},${witnessType}`
}

/** Signs as a wallet does: 27 or 28, and the low half of the curve (EIP-2). */
export function signDigest(digest: Hex, key: Uint8Array): { v: bigint; r: bigint; s: bigint; bytes: Hex } {
  const signed = secp256k1.sign(hexToBytes(digest), key, { prehash: false, format: 'recovered' })
  const [recovery = 0] = signed
  const rest = bytesToHex(signed.subarray(1))
  const v = 27 + recovery
  const bytes: Hex = `${rest}${v.toString(16)}`
  return { v: BigInt(v), r: BigInt(rest.slice(0, 66)), s: BigInt(`0x${rest.slice(66)}`), bytes }
}

function digestOf(domain: bigint, struct: bigint): Hex {
  return keccakHex(hexToBytes(`1901${wordHex(domain)}${wordHex(struct)}`))
}

const wordHex = (value: bigint) => toPaddedHex(value, 32).slice(2)

function hashWords(words: readonly bigint[]): bigint {
  return BigInt(keccakHex(hexToBytes(words.map(wordHex).join(''))))
}

function hashText(text: string): bigint {
  return BigInt(keccakHex(new TextEncoder().encode(text)))
}

const lower = (address: string) => address.toLowerCase() as Address

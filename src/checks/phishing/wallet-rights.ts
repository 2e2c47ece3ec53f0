import { callData, readWords } from '../../dex/read-contract.js'
import type { Log } from '../../evm/inspector.js'
import { ADDRESS_MASK, type Address, type Hex, toPaddedHex } from '../../hex.js'
import type { Fork } from '../../simulation/scenario.js'
import { PERMIT2 } from './assets.js'
import { selectorIn } from './call-data.js'
import type { PlannedCall } from './signed-intent.js'
import { expiryOf } from './typed-values.js'
import type { Right } from './wallet-report.js'

/** Approvals told of; a wallet that gives more in one go gives everything away. */
const MAX_RIGHTS = 32

/**
 * Events of EIP-20 and EIP-721 (Approval), EIP-721 and EIP-1155 (ApprovalForAll), and Permit2
 * (Approval, Permit).
 */
const APPROVAL = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'
const APPROVAL_FOR_ALL = '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31'
const PERMIT2_APPROVAL = '0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b'
const PERMIT2_PERMIT = '0xc6a377bfc4eb120024a8ac08eef205be16b817020812c73223e81d1bdb9708ec'
/** `allowance(address,address)`; with a token between the two, Permit2's. */
const ALLOWANCE = '0xdd62ed3e'
const PERMIT2_ALLOWANCE = '0x927da105'
/** `isApprovedForAll(address,address)`, `getApproved(uint256)` */
const IS_OPERATOR = '0xe985e9c5'
const GET_APPROVED = '0x081812fc'

interface Acts {
  account: Address
  logs: readonly Log[]
  calls: readonly PlannedCall[]
}

/** Who may take what at the end, by what was called and logged, and by the tokens' own word. */
export function rightsAfter(fork: Fork, { account, logs, calls }: Acts): { rights: Right[]; isCut: boolean } {
  const named = calls.flatMap((call) => rightNamedBy(call) ?? [])
  const logged = logs.flatMap((log) => rightIn(log, account) ?? [])
  const places = new Map([...named, ...logged].map((each) => [nameOf(each), each]))
  const rights = [...places.values()].slice(0, MAX_RIGHTS).flatMap((right) => asItStands(fork, account, right) ?? [])
  return { rights, isCut: places.size > MAX_RIGHTS }
}

const nameOf = ({ kind, token, spender, id }: Right) => `${kind} ${token} ${spender} ${id ?? ''}`

/** approve, increaseAllowance: the spender is the first word. */
const APPROVING = new Set(['0x095ea7b3', '0x39509351'])
/** `setApprovalForAll(address,bool)` */
const SET_OPERATOR = '0xa22cb465'

/** What calldata itself asks to approve, whatever the token then logs; nothing until it is read. */
function rightNamedBy({ to, data }: PlannedCall): Right | undefined {
  const selector = selectorIn(data)
  const isOperator = selector === SET_OPERATOR
  if ((!isOperator && !APPROVING.has(selector)) || data.length < 10 + 64) return undefined
  const right = { token: to, spender: `0x${data.slice(34, 74)}` as const, id: undefined, expires: undefined }
  if (!isOperator) return { ...right, kind: 'erc20', amount: 0n }
  return { ...right, kind: 'nft', amount: data.endsWith('1') ? undefined : 0n }
}

const addressIn = (topic: string | undefined): Address => `0x${(topic ?? '').slice(-40)}`

function rightIn({ address, topics, data }: Log, account: Address): Right | undefined {
  const [topic, owner, second, third] = topics
  if (addressIn(owner) !== account) return undefined
  const [first = 0n, next = 0n] = [0, 1].map((i) => BigInt(`0x${data.slice(2 + i * 64, 66 + i * 64) || '0'}`))
  const right = { token: address, spender: addressIn(second), id: undefined, expires: undefined }
  if (topic === APPROVAL && third === undefined) return { ...right, kind: 'erc20', amount: limit(first) }
  if (topic === APPROVAL) return { ...right, kind: 'nft', amount: 1n, id: BigInt(third ?? 0) }
  if (topic === APPROVAL_FOR_ALL) return { ...right, kind: 'nft', amount: first === 1n ? undefined : 0n }
  if (address !== PERMIT2 || (topic !== PERMIT2_APPROVAL && topic !== PERMIT2_PERMIT)) return undefined
  const spender = toPaddedHex(BigInt(third ?? 0) & ADDRESS_MASK, 20)
  return { ...right, kind: 'permit2', token: addressIn(second), spender, amount: limit(first), expires: expiryOf(next) }
}

/** Amounts from the largest of Permit2's on are for all there is and will be. */
const limit = (amount: bigint) => (amount >= ADDRESS_MASK ? undefined : amount)

/** The right as it is after everything; what was given and used up or taken back is none. */
function asItStands(fork: Fork, account: Address, right: Right): Right | undefined {
  const { kind, token, spender, id } = right
  if (token === undefined) return right
  const ask = (to: Address, selector: Hex, args: readonly (Address | bigint)[]) =>
    readWords(fork, to, callData(selector, args))
  if (kind === 'permit2') {
    const [amount, time = 0n] = ask(PERMIT2, PERMIT2_ALLOWANCE, [account, token, spender]) ?? []
    const isOver = time < fork.evm.block.timestamp
    return keep(right, isOver ? 0n : amount, { expires: expiryOf(time) })
  }
  if (kind === 'erc20') return keep(right, ask(token, ALLOWANCE, [account, spender])?.[0])
  if (id !== undefined) {
    const [approved] = ask(token, GET_APPROVED, [id]) ?? []
    return keep(right, approved === undefined ? undefined : approved === BigInt(spender) && approved > 0n ? 1n : 0n)
  }
  const [isOperator] = ask(token, IS_OPERATOR, [account, spender]) ?? []
  return isOperator === undefined
    ? keep(right, undefined)
    : isOperator === 0n
      ? undefined
      : { ...right, amount: undefined }
}

/** What cannot be asked for is believed as it was logged. */
function keep(right: Right, amount: bigint | undefined, more: Partial<Right> = {}): Right | undefined {
  if (amount === undefined) return right.amount === 0n ? undefined : right
  return amount === 0n ? undefined : { ...right, ...more, amount: limit(amount) }
}

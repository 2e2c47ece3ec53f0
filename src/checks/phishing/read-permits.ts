import type { Address } from '../../hex.js'
import { NOT_UNDERSTOOD, NOTHING_SIGNED, type SignedIntent } from './signed-intent.js'
import { expiryOf, isCut, limitOf, listOf, type Message, toAddress, toNumber } from './typed-values.js'
import type { Right, WalletWarning } from './wallet-report.js'

/** EIP-2612, and DAI's form of it. */
export function readPermit(message: Message, token: Address | undefined): SignedIntent {
  const spender = toAddress(message.spender)
  const signer = toAddress(message.owner) ?? toAddress(message.holder)
  if (spender === undefined) return { ...NOT_UNDERSTOOD, signer }
  const isDai = message.holder !== undefined
  // DAI's permit takes the allowance back when `allowed` is false.
  if (isDai && message.allowed !== true && message.allowed !== 'true') return { ...NOTHING_SIGNED, signer }
  const amount = isDai ? undefined : limitOf(toNumber(message.value))
  const expires = expiryOf(toNumber(isDai ? message.expiry : message.deadline))
  const approvals: Right[] = [{ kind: 'permit', token, spender, amount, id: undefined, expires }]
  return { ...NOTHING_SIGNED, signer, approvals }
}

/** Permit2's allowances, single and in a batch. */
export function readPermit2Allowance({ details, spender }: Message): SignedIntent {
  const taker = toAddress(spender)
  if (taker === undefined) return NOT_UNDERSTOOD
  const approvals = listOf(details).map(({ token, amount, expiration }) =>
    throughPermit2(taker, { token: toAddress(token), amount: toNumber(amount), time: toNumber(expiration) }),
  )
  return { ...NOTHING_SIGNED, approvals, isCut: isCut(details) }
}

/** Permit2's transfers by signature, single and in a batch, with a witness or without. */
export function readPermit2Transfer(message: Message): SignedIntent {
  const { permitted, spender, deadline } = message
  const taker = toAddress(spender)
  if (taker === undefined) return NOT_UNDERSTOOD
  const approvals = listOf(permitted).map(({ token, amount }) =>
    throughPermit2(taker, { token: toAddress(token), amount: toNumber(amount), time: toNumber(deadline) }),
  )
  const warnings = hasWitness(message) ? [witnessOf(taker)] : []
  return { ...NOTHING_SIGNED, approvals, warnings, isCut: isCut(permitted) }
}

interface Permitted {
  token: Address | undefined
  amount: bigint | undefined
  /** Seconds since 1970. */
  time: bigint | undefined
}

const throughPermit2 = (spender: Address, { token, amount, time }: Permitted): Right => {
  return { kind: 'permit2', token, spender, amount: limitOf(amount), id: undefined, expires: expiryOf(time) }
}

const FIELDS_OF_PERMIT2 = new Set(['permitted', 'spender', 'nonce', 'deadline'])

/** What is signed besides Permit2's own fields is the spender's, under a name of its own. */
const hasWitness = (message: Message) => Object.keys(message).some((name) => !FIELDS_OF_PERMIT2.has(name))

const witnessOf = (spender: Address): WalletWarning => {
  return {
    id: 'witness',
    severity: 'MEDIUM',
    text: `What you are to get for it stands in a part of the message that only ${spender} reads.`,
  }
}

/** EIP-3009: a payment that any account, or the receiver alone, may carry out. */
export function readSignedTransfer(message: Message, token: Address | undefined): SignedIntent {
  const [signer, receiver] = [toAddress(message.from), toAddress(message.to)]
  if (signer === undefined || receiver === undefined) return NOT_UNDERSTOOD
  const amount = toNumber(message.value)
  const expires = expiryOf(toNumber(message.validBefore))
  const approvals: Right[] = [{ kind: 'transfer', token, spender: receiver, amount, id: undefined, expires }]
  const leaves = amount === undefined ? [] : [{ token, amount, id: undefined, counterparty: receiver }]
  return { ...NOTHING_SIGNED, signer, approvals, leaves, isKnown: amount !== undefined && token !== undefined }
}

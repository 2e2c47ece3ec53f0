import { type Address, type Hex, ZERO_ADDRESS } from '../../hex.js'
import { NOT_UNDERSTOOD, NOTHING_SIGNED, type PlannedCall, type SignedIntent } from './signed-intent.js'
import { type Message, toAddress, toBytes, toNumber } from './typed-values.js'
import type { WalletWarning } from './wallet-report.js'

/** A Safe's transaction (github.com/safe-global/safe-smart-account): its inner call is played. */
export function readSafeTransaction(message: Message, safe: Address | undefined): SignedIntent {
  const to = toAddress(message.to)
  const [value, data, operation] = [toNumber(message.value), toBytes(message.data), toNumber(message.operation)]
  if (!safe || !to || value === undefined || data === undefined || operation === undefined || operation > 1n) {
    return NOT_UNDERSTOOD
  }
  const isDelegated = operation === 1n
  const plays = [{ from: safe, to, value: isDelegated ? 0n : value, data, isDelegated }]
  const warnings = [...(isDelegated ? [foreignCode(to)] : []), ...refundOf(message)]
  return { ...NOTHING_SIGNED, signer: safe, plays, warnings }
}

const foreignCode = (to: Address): WalletWarning => {
  return { id: 'foreign-code', severity: 'HIGH', text: `The Safe would run the code of ${to} as its own.` }
}

/** A refund for gas is a payment that the Safe makes to the account that is named. */
function refundOf({ gasPrice, refundReceiver }: Message): WalletWarning[] {
  const receiver = toAddress(refundReceiver)
  if ((toNumber(gasPrice) ?? 0n) === 0n || receiver === undefined || receiver === ZERO_ADDRESS) return []
  return [{ id: 'refund', severity: 'MEDIUM', text: `The Safe would also pay ${receiver} for gas.` }]
}

/**
 * A user operation (ERC-4337), of any version of the entry point: `callData` is played as the entry
 * point sends it, after the account was made where it does not exist yet.
 */
export function readUserOperation(message: Message, entryPoint: Address | undefined): SignedIntent {
  const [sender, callData] = [toAddress(message.sender), toBytes(message.callData)]
  const initCode = toBytes(message.initCode) ?? '0x'
  if (!entryPoint || !sender || callData === undefined) return NOT_UNDERSTOOD
  const making = initCode.length > FACTORY_DIGITS ? [callFactory(entryPoint, initCode)] : []
  const running = { from: entryPoint, to: sender, value: 0n, data: callData, isDelegated: false }
  return { ...NOTHING_SIGNED, signer: sender, plays: [...making, running] }
}

/** `0x` and the 20 bytes of the factory, before what it is sent. */
const FACTORY_DIGITS = 42

const callFactory = (entryPoint: Address, initCode: Hex): PlannedCall => {
  return {
    from: entryPoint,
    to: initCode.slice(0, FACTORY_DIGITS) as Address,
    value: 0n,
    data: `0x${initCode.slice(FACTORY_DIGITS)}`,
    isDelegated: false,
  }
}

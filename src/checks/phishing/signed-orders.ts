import type { Inspector } from '../../evm/inspector.js'
import type { Address, Hex } from '../../hex.js'
import type { Fork } from '../../simulation/scenario.js'
import { dataOf, signLeads, type Values } from './attack.js'
import { readLeads } from './leads.js'
import type { Stage } from './phishing-stage.js'
import type { EntryPoint } from './read-functions.js'

/** Where code asks whether a signature is that of one account. */
export interface SignerCheck {
  codeAddress: Address
  /** Of the comparison. */
  pc: number
}

/** A signature may be over what another one signed. */
const MAX_PASSES = 3

/**
 * Signs what the function wants signed with a key of our own, and looks with whom the signer is
 * compared. `undefined` where no signature is asked for, or where the account that is compared was
 * named in the call: then a user signs for itself, which is what permits are.
 */
export function findSignerCheck(
  stage: Stage,
  entry: EntryPoint,
  marks: Values,
  signer: { address: Address; key: Uint8Array },
): SignerCheck | undefined {
  const { fork, target, outsider } = stage
  const values = [...marks]
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const attempt = { from: outsider, to: target, data: dataOf(entry, values) }
    const leads = readLeads(stage.play(attempt).trace, target, new Set())
    if (!signLeads(values, leads, signer.key).includes(true)) {
      if (leads.signatures.length === 0) return undefined
      const check = comparisonWith(fork, attempt, BigInt(signer.address))
      const isNamed = check !== undefined && (check.other === 0n || values.includes(check.other))
      return check === undefined || isNamed ? undefined : { codeAddress: check.codeAddress, pc: check.pc }
    }
  }
  return undefined
}

type Comparison = SignerCheck & { other: bigint }

const COMPARISONS = [0x14, 0x03, 0x18]

/** The last comparison of the value with another one. */
function comparisonWith(
  { evm }: Fork,
  call: { from: Address; to: Address; data: Hex },
  value: bigint,
): Comparison | undefined {
  let found: Comparison | undefined
  const inspector: Inspector<void> = {
    opcodes: COMPARISONS,
    onStep(event) {
      const [a, b] = [event.stack(0), event.stack(1)]
      if (a !== value && b !== value) return
      const { codeAddress, pc } = event
      const other = a === value ? b : a
      // Whether it is an address at all is asked of every signer.
      if (other !== 0n && other < ADDRESS_LIMIT - 1n) found = { codeAddress, pc, other }
    },
    finish() {},
  }
  evm.read(call, [inspector])
  return found
}

const ADDRESS_LIMIT = 1n << 160n

import { VOID } from './attack-signatures.js'
import type { Stage } from './phishing-stage.js'
import { type Call, type Tried, tryCall } from './try-call.js'

/** Fields of bytes that are tried empty; what is to be called and a signature are two. */
const MAX_FIELDS = 3

/**
 * A refused call once more without a signature: with one of which zero is recovered, as what was
 * never set is zero too, and with nothing where bytes are asked for, as no signatures are enough
 * where none are needed yet. Whether that does harm.
 */
export function tryUnsigned(stage: Stage, call: Call, { leads }: Tried): boolean {
  if (leads.signatures.length > 0 && tryCall(stage, { ...call, signer: VOID }).isHarmful) return true
  const fields = call.entry.template.leaves.flatMap(({ type }, i) => (type === 'bytes' ? [i] : []))
  return fields.slice(-MAX_FIELDS).some((field) => {
    const marks = call.marks.map((value, i) => (i === field ? '0x' : value))
    return tryCall(stage, { ...call, marks }).isHarmful
  })
}

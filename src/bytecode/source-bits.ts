import type { WriteEffect } from './effects.js'
import { isFoldedEntry } from './folded-entry.js'
import { type FieldBits, fieldOfSource, type Source } from './source.js'
import { classifyKey } from './storage-key.js'
import type { Term } from './terms.js'

/** Whether a write changes the field. */
export function touches(effect: WriteEffect, source: Source): boolean {
  const field = fieldOfSource(source)
  return field !== undefined && isOf(effect.key, field) && overlaps(effect, field)
}

function isOf(key: Term, { variable }: FieldBits): boolean {
  const { id: written, slot: place } = classifyKey(key)
  if (written === variable) return true
  return (
    written === `0x${place?.toString(16)}[]` &&
    /^0x[0-9a-f]+$/.test(variable) &&
    isFoldedEntry(BigInt(variable), place ?? 0n)
  )
}

/** Whether a write of the same variable changes some of the bits. */
export const overlaps = ({ shift, width }: WriteEffect, field: FieldBits): boolean =>
  shift < field.shift + field.width && field.shift < shift + width

/** The bits that a term takes of a word; `undefined` for the whole word. */
export const bitsOfField = ({ op, value, width }: Term) => (op === 'field' ? { shift: value, width } : undefined)

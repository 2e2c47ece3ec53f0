import type { WriteEffect } from './effects.js'
import { isFoldedEntry } from './folded-entry.js'
import { classifyKey } from './storage-key.js'
import type { Source, Term } from './terms.js'

const SOURCE = /^store:([^.]+)(?:\.(\d+)\.(\d+))?$/

/** Some bits of a variable. */
interface FieldBits {
  id: string
  shift: number
  width: number
}

/** The storage class and bits that a source names. */
export function parseSource(source: Source): FieldBits | undefined {
  const match = SOURCE.exec(source)
  if (match?.[1] === undefined) return undefined
  return { id: match[1], shift: Number(match[2] ?? 0), width: Number(match[3] ?? 256) }
}

/** Whether a write changes the field. */
export function touches(effect: WriteEffect, source: Source): boolean {
  const field = parseSource(source)
  return field !== undefined && isOf(effect.key, field) && overlaps(effect, field)
}

function isOf(key: Term, { id }: FieldBits): boolean {
  const { id: written, slot: place } = classifyKey(key)
  if (written === id) return true
  return written === `0x${place?.toString(16)}[]` && /^0x[0-9a-f]+$/.test(id) && isFoldedEntry(BigInt(id), place ?? 0n)
}

/** Whether a write of the same variable changes some of the bits. */
export const overlaps = ({ shift, width }: WriteEffect, field: FieldBits): boolean =>
  shift < field.shift + field.width && field.shift < shift + width

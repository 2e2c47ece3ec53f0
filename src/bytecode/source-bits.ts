import type { WriteEffect } from './effects.js'
import { classifyKey } from './storage-key.js'
import type { Source } from './terms.js'

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
  return field !== undefined && classifyKey(effect.key).id === field.id && overlaps(effect, field)
}

/** Whether a write of the same variable changes some of the bits. */
export const overlaps = ({ shift, width }: WriteEffect, field: FieldBits): boolean =>
  shift < field.shift + field.width && field.shift < shift + width

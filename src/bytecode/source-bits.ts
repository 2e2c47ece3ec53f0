import type { WriteEffect } from './effects.js'
import { isFoldedEntry } from './folded-entry.js'
import type { Roles } from './roles.js'
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

/** Whether a write or a field of the same variable has some of the bits. */
export const overlaps = ({ shift, width }: Pick<WriteEffect, 'shift' | 'width'>, field: FieldBits): boolean =>
  shift < field.shift + field.width && field.shift < shift + width

const holdingsKnown = new WeakMap<Roles, Map<Source, boolean>>()

/**
 * Whether it is a balance or an allowance, and nothing that lies beside a balance in one word, as
 * counts and times of packed accounts do.
 */
export function isHolding(roles: Roles, source: Source): boolean {
  const answers = holdingsKnown.get(roles) ?? new Map<Source, boolean>()
  holdingsKnown.set(roles, answers)
  const known = answers.get(source) ?? readHolding(roles, source)
  answers.set(source, known)
  return known
}

function readHolding({ allowances, balances, balanceFields }: Roles, source: Source): boolean {
  const field = fieldOfSource(source)
  if (field === undefined) return false
  if (allowances.has(field.variable)) return true
  if (!balances.has(field.variable)) return false
  return [...balanceFields].some((each) => {
    const balance = fieldOfSource(each)
    return balance?.variable === field.variable && overlaps(balance, field)
  })
}

/** The bits that a term takes of a word; `undefined` for the whole word. */
export const bitsOfField = ({ op, value, width }: Term) => (op === 'field' ? { shift: value, width } : undefined)

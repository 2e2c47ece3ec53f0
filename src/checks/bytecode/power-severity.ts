import type { Effect } from '../../bytecode/effects.js'
import type { FunctionFacts, Located } from '../../bytecode/facts.js'
import { type Guard, storageKeyOf } from '../../bytecode/guards.js'
import { ADDRESS_MASK, type Hex, toPaddedHex } from '../../hex.js'
import type { Severity } from './bytecode-report.js'
import type { Finding } from './detector.js'
import { type Power, readPower, type Subject } from './subject.js'

/**
 * What a harmful power is worth, by who holds it now. `open` is for a power that any address has.
 */
export function severityOfPower(subject: Subject, power: Power, open: Severity = 'critical'): Severity {
  if (power.kind === 'closed' || power.kind === 'renounced') return 'low'
  if (power.kind === 'anyone') return power.once ? 'medium' : open
  return isHidden(subject, power) ? 'high' : 'medium'
}

/** The same for a power that no honest function needs, so that an active holder is enough. */
export function severityOfNeedless(subject: Subject, power: Power): Severity {
  const severity = severityOfPower(subject, power)
  return severity === 'medium' ? 'high' : severity
}

/**
 * Whether the holder is kept from sight: an obfuscated check, or an active holder while `owner()`
 * says that there is none.
 */
export function isHidden(subject: Subject, { guards }: Power): boolean {
  return (
    guards.some(({ kind }) => kind === 'derived') ||
    (isRenounced(subject) && guards.some((guard) => isFakeRenounced(subject, guard)))
  )
}

/** Whether `owner()` is there and names no address. */
export function isRenounced(subject: Subject): boolean {
  const { owners } = subject.facts.roles
  return owners.length > 0 && owners.every((term) => namesNone(subject, term))
}

function isFakeRenounced(subject: Subject, { kind, holder }: Guard): boolean {
  if (kind === 'constant') return true
  if (kind !== 'slot' || namesNone(subject, holder)) return false
  return !subject.facts.roles.owners.some((owner) => storageKeyOf(owner) === storageKeyOf(holder))
}

function namesNone(subject: Subject, term: Parameters<Subject['value']>[0]): boolean {
  const value = subject.value(term)
  return value !== undefined && (value & ADDRESS_MASK) <= 0xffffn
}

/** A finding at an effect, with who holds the power and what the guard's slot holds. */
export function findingAt(
  subject: Subject,
  fn: FunctionFacts,
  effect: Located<Effect>,
  judge: (power: Power) => Severity,
  note: string,
): Finding {
  const power = readPower(subject, fn, effect.node)
  return {
    pc: effect.pc,
    ...(fn.selector && { selector: fn.selector }),
    ...readHolderSlot(subject, power),
    holder: power.holder,
    severity: judge(power),
    note,
  }
}

/** The slot that names the holder, and its value. */
export function readHolderSlot(subject: Subject, { guards }: Power): { slot?: Hex; value?: Hex } {
  for (const { kind, holder } of guards) {
    const key = kind === 'slot' ? storageKeyOf(holder) : undefined
    if (key?.op !== 'const') continue
    const value = subject.value(holder)
    return { slot: toPaddedHex(key.value, 32), ...(value !== undefined && { value: toPaddedHex(value, 32) }) }
  }
  return {}
}

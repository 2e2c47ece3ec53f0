import { findReachableFrom } from '../../bytecode/graph.js'
import { storageKeyOf } from '../../bytecode/guards.js'
import type { Source } from '../../bytecode/source.js'
import type { FieldWrite } from '../../bytecode/token-facts.js'
import { readTokenFacts } from '../../bytecode/token-facts.js'
import { type Hex, toPaddedHex } from '../../hex.js'
import type { Finding } from './detector.js'
import { type Power, readPower, type Subject, writersOf } from './subject.js'

/** A function that writes a field the transfer path looks at, and who can call it. */
export interface FieldControl {
  write: FieldWrite
  power: Power
}

/**
 * Writers of the field outside the transfer path that an address can still use. With none, the
 * field is as good as constant. What the same call overwrites on every way to its end, as locks
 * against reentrancy are, no transfer finds.
 */
export function readControls(subject: Subject, source: Source): FieldControl[] {
  return readTokenFacts(subject.facts)
    .writersOf(source)
    .filter((write) => !isUndone(write))
    .map((write) => ({ write, power: powerOver(subject, write) }))
    .filter(({ power }) => power.kind !== 'closed')
}

/**
 * Who decides what is written. What was announced before, and waits in a variable of its own, was
 * chosen by who announced it, whichever account carries it out.
 */
function powerOver(subject: Subject, { fn, effect }: FieldWrite): Power {
  const power = readPower(subject, fn, effect.node)
  const key = storageKeyOf(effect.value)
  if (power.kind !== 'anyone' || key?.op !== 'const') return power
  const announced = writersOf(subject, effect.value).filter(({ effect: { value } }) => value.op !== 'const')
  const choosers = announced.map((each) => readPower(subject, each.fn, each.effect.node))
  const isOpen = choosers.length === 0 || choosers.some(({ kind }) => kind === 'anyone')
  return isOpen ? power : (choosers.find(({ kind }) => kind === 'holder') ?? power)
}

function isUndone({ fn, effect }: FieldWrite): boolean {
  const { key, shift, width, node, pc } = effect
  const again = fn.effects.filter(
    (other) =>
      other.kind === 'write' &&
      other !== effect &&
      other.key === key &&
      other.shift <= shift &&
      other.shift + other.width >= shift + width,
  )
  if (again.some((other) => other.node === node && other.pc > pc)) return true
  const later = new Set(again.map((other) => other.node).filter((other) => other !== node))
  if (later.size === 0) return false
  const reached = findReachableFrom(node, ({ to }) => !later.has(to))
  return ![...reached].some(({ end }) => end === 'success')
}

/** Where the field lies, for the evidence: only plain variables have one slot. */
export function describeField(subject: Subject, source: Source): { slot?: Hex; value?: Hex } {
  const match = /^store:(0x[0-9a-f]+)(?:\.(\d+)\.(\d+))?$/.exec(source)
  if (match?.[1] === undefined) return {}
  const slot = BigInt(match[1])
  const word = subject.word(slot)
  const value =
    word === undefined ? undefined : (word >> BigInt(match[2] ?? 0)) & ((1n << BigInt(match[3] ?? 256)) - 1n)
  return { slot: toPaddedHex(slot, 32), ...(value !== undefined && { value: toPaddedHex(value, 32) }) }
}

/**
 * Evidence for a power over a field: the writer's place, the field's slot and value, the holder.
 */
export const controlFinding = (
  subject: Subject,
  source: Source,
  { write: { fn, effect }, power }: FieldControl,
  severity: Finding['severity'],
  note: string,
): Finding => ({
  pc: effect.pc,
  ...(fn.selector && { selector: fn.selector }),
  ...describeField(subject, source),
  holder: power.holder,
  severity,
  note,
})

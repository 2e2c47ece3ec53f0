import type { Delegation } from '../../../bytecode/proxy.js'
import { UNKNOWN_VARIABLE } from '../../../bytecode/source.js'
import { classifyKey } from '../../../bytecode/storage-key.js'
import { toPaddedHex } from '../../../hex.js'
import type { Severity } from '../bytecode-report.js'
import { defineDetector, type Finding } from '../detector.js'
import { readPower, type Subject } from '../subject.js'

/**
 * Flags contracts whose behaviour is decided by code elsewhere. What that code does is judged on
 * its own, and added.
 */
export const hiddenProxy = defineDetector({
  id: 'hidden-proxy',
  title: 'Hidden Logic (Proxy)',
  description:
    'The code that runs lies in another contract. Where its address can be exchanged, the rules of this token can change after you bought it.',
  confidence: 'high',
  detect: (subject) => subject.delegations.flatMap((delegation) => judge(subject, delegation) ?? []),
})

function judge(subject: Subject, delegation: Delegation): Finding | undefined {
  const { kind, pc, selector, slot, target, where } = delegation
  const at = {
    pc,
    ...(selector && { selector }),
    ...(slot !== undefined && { slot: toPaddedHex(slot, 32) }),
    ...(target && { value: target }),
  }
  // A fixed library is compiled in; its code is analysed with the rest.
  if (kind === 'library') return undefined
  if (kind === 'clone')
    return { ...at, severity: 'low', holder: 'no address', note: 'a fixed copy of another contract' }
  if (kind === 'designator') {
    return {
      ...at,
      severity: 'medium',
      holder: 'the account itself',
      note: 'an account that runs foreign code (EIP-7702)',
    }
  }
  const power = where === undefined ? undefined : readPower(subject, where.fn, where.effect.node)
  if (kind === 'calldata') {
    const severity: Severity =
      power?.kind === 'anyone' ? (power.once ? 'medium' : 'critical') : power?.kind === 'holder' ? 'medium' : 'low'
    return {
      ...at,
      severity,
      ...(power && { holder: power.holder }),
      note: 'runs any code that the caller names, on its own storage',
    }
  }
  if (power?.kind === 'closed' || power?.kind === 'renounced')
    return { ...at, severity: 'low', holder: power.holder, note: describe(kind) }
  const changer = findChanger(subject, delegation)
  return { ...at, severity: changer.severity, holder: changer.holder, note: describe(kind) }
}

const NOTES: Partial<Record<Delegation['kind'], string>> = {
  eip1967: 'upgradeable proxy (EIP-1967)',
  eip1822: 'upgradeable proxy (EIP-1822)',
  zeppelinos: 'upgradeable proxy (ZeppelinOS)',
  beacon: 'another contract decides which code runs (beacon)',
  mapping: 'each function may run code of its own contract (diamond, EIP-2535)',
  slot: 'the address of the code is kept in an ordinary variable',
}

const describe = (kind: Delegation['kind']) => NOTES[kind] ?? 'the address of the code could not be told'

/** Who can exchange the code. Unless the writers are all in sight, a holder may. */
function findChanger(subject: Subject, { slot, kind }: Delegation): { severity: Severity; holder: string } {
  if (slot === undefined || kind === 'beacon' || kind === 'mapping') return { severity: 'medium', holder: 'not known' }
  const id = `0x${slot.toString(16)}`
  const powers = [subject, ...subject.implementations].flatMap((code) =>
    code.facts.functions.flatMap((fn) =>
      fn.effects.flatMap((effect) =>
        effect.kind === 'write' &&
        (classifyKey(effect.key).id === id || classifyKey(effect.key).id === UNKNOWN_VARIABLE)
          ? [readPower(code, fn, effect.node)]
          : [],
      ),
    ),
  )
  if (powers.some(({ kind, once }) => kind === 'anyone' && !once)) return { severity: 'critical', holder: 'anyone' }
  const holders = powers.filter(({ kind }) => kind === 'holder')
  if (holders.length > 0)
    return { severity: 'medium', holder: [...new Set(holders.map(({ holder }) => holder))].join(', ') }
  const sawAll =
    subject.facts.gaps.length === 0 && subject.implementations.every(({ facts }) => facts.gaps.length === 0)
  return sawAll ? { severity: 'low', holder: 'no address' } : { severity: 'medium', holder: 'not known' }
}

import { storageKeyOf } from '../../../bytecode/guards.js'
import { classifyKey } from '../../../bytecode/storage-key.js'
import { someTerm } from '../../../bytecode/terms.js'
import { defineDetector } from '../detector.js'
import { type GateField, meetsWithoutEntry, readGateFields } from '../transfer-gates.js'
import { isOpenNow } from '../ways.js'
import { findLists } from './blacklist.js'

/** Flags transfers that only listed accounts may make. */
export const whitelist = defineDetector({
  id: 'whitelist',
  title: 'Only Listed Accounts Can Transfer',
  description: 'Ordinary buyers are not on the list: what they buy they cannot sell.',
  confidence: 'medium',
  detect: (subject) => {
    // A list that only counts before trading was opened lies behind a switch that is now open.
    const active = new Set(
      readGateFields(subject)
        .filter(({ gate }) => isOpenNow(subject, gate.fn, gate.condition.node))
        .map(({ source }) => source),
    )
    return active.size === 0
      ? []
      : findLists(subject, 'passes', (field) => !isOfList(field) && meetsWithoutEntry(subject, field)).filter(() =>
          isListActive(subject),
        )
  },
})

/**
 * An element of a list that each account has of its own, which a loop goes through: who has none is
 * not asked for one.
 */
function isOfList({ field }: GateField): boolean {
  const key = storageKeyOf(field)
  const { id, keys } = key ? classifyKey(key) : { id: '', keys: [] }
  const index = keys.length > 1 ? keys.at(-1) : undefined
  return index !== undefined && id.includes('[](*)') && someTerm(index, ({ op }) => op === 'phi')
}

const isListActive = (subject: Parameters<typeof isOpenNow>[0]) =>
  readGateFields(subject).some(
    ({ key, gate }) => key !== 'variable' && isOpenNow(subject, gate.fn, gate.condition.node),
  )

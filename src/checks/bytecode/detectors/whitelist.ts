import { defineDetector } from '../detector.js'
import { meetsWithoutEntry, readGateFields } from '../transfer-gates.js'
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
      : findLists(subject, 'passes', (field) => meetsWithoutEntry(subject, field)).filter(() => isListActive(subject))
  },
})

const isListActive = (subject: Parameters<typeof isOpenNow>[0]) =>
  readGateFields(subject).some(
    ({ key, gate }) => key !== 'variable' && isOpenNow(subject, gate.fn, gate.condition.node),
  )

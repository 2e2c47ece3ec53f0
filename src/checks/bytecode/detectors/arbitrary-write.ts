import { findOpenSlots } from '../../../bytecode/open-slots.js'
import { defineDetector } from '../detector.js'
import { findingAt, severityOfNeedless } from '../power-severity.js'

/** Flags writes to a slot that the caller chooses: balances, owners and switches alike. */
export const arbitraryWrite = defineDetector({
  id: 'arbitrary-write',
  title: 'Any Word Can Be Written',
  description:
    'A privileged account can write any word of this contract: balances, owners and switches, whatever their own functions allow.',
  openDescription:
    'Any address can write any word of this contract: balances, owners and switches, whatever their own functions allow.',
  confidence: 'medium',
  detect: (subject) =>
    subject.facts.functions.flatMap((fn) =>
      findOpenSlots(subject.facts, fn).map((effect) =>
        findingAt(subject, fn, effect, (power) => severityOfNeedless(subject, power), 'the slot comes from the call'),
      ),
    ),
})

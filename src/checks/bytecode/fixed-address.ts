import { storageKeyOf } from '../../bytecode/guards.js'
import type { Term } from '../../bytecode/terms.js'
import { readPower, type Subject, writersOf } from './subject.js'

/** Whether it is a constant, or is stored where no living account can put another in its place. */
export const isFixedAddress = (subject: Subject, term: Term): boolean =>
  term.op === 'const' ||
  (storageKeyOf(term) !== undefined &&
    writersOf(subject, term).every(({ fn, effect }) => {
      const { kind } = readPower(subject, fn, effect.node)
      return kind === 'closed' || kind === 'renounced'
    }))

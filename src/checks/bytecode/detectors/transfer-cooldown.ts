import { nameOfStored, SOURCE } from '../../../bytecode/source.js'
import { classifyKey } from '../../../bytecode/storage-key.js'
import { hasSource } from '../../../bytecode/terms.js'
import { readTokenFacts } from '../../../bytecode/token-facts.js'
import { defineDetector, type Finding } from '../detector.js'
import { controlFinding, readControls } from '../field-control.js'
import { neverComesToPass } from '../past-clock.js'
import { severityOfPower } from '../power-severity.js'
import type { Subject } from '../subject.js'
import { type GateField, readGateFields } from '../transfer-gates.js'

/** Flags waiting times between transfers of one account. */
export const transferCooldown = defineDetector({
  id: 'transfer-cooldown',
  title: 'Waiting Time Between Transfers',
  description:
    'After a trade an account has to wait before it can transfer again. Where the time can be set without bound, it can be for ever.',
  confidence: 'medium',
  detect: (subject) => {
    const timed = readGateFields(subject).filter(
      ({ gate: { condition } }) =>
        CLOCKS.some((clock) => hasSource(condition.term, clock)) &&
        // Records that are kept in order, as of votes, ask whether the last one is past.
        !neverComesToPass(subject, condition.term, condition.fails),
    )
    return timed
      .filter((field) => field.key !== 'variable' && isKeptByTransfer(subject, field))
      .flatMap((field) => judge(subject, field, timed))
  },
})

const CLOCKS = [SOURCE.timestamp, SOURCE.blockNumber]

/**
 * The transfer itself writes the entry: it is a record of when the account last moved something.
 */
const isKeptByTransfer = ({ facts }: Subject, { field }: GateField) => {
  const key = field.op === 'sload' ? field.args[0] : field.args[0]?.args[0]
  if (key === undefined) return false
  const { id } = classifyKey(key)
  return readTokenFacts(facts).transfers.some((fn) =>
    fn.effects.some((effect) => effect.kind === 'write' && classifyKey(effect.key).id === id),
  )
}

function judge(subject: Subject, { gate, source }: GateField, timed: readonly GateField[]): Finding[] {
  const settable = timed
    .filter((other) => other.gate.condition.term === gate.condition.term && other.key === 'variable')
    .flatMap((other) =>
      readControls(subject, other.source).map((control) =>
        controlFinding(
          subject,
          other.source,
          control,
          severityOfPower(subject, control.power, 'high'),
          'the waiting time can be set',
        ),
      ),
    )
  const place: Finding = {
    pc: gate.condition.pc,
    ...(gate.fn.selector && { selector: gate.fn.selector }),
    severity: 'low',
    note: `waiting time recorded in ${nameOfStored(source)}`,
  }
  return [...settable, place]
}

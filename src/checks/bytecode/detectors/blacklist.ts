import { needsConsent } from '../../../bytecode/consent.js'
import type { ContractFacts } from '../../../bytecode/facts.js'
import { fromArgument, SOURCE } from '../../../bytecode/source.js'
import { classifyKey } from '../../../bytecode/storage-key.js'
import type { Term } from '../../../bytecode/terms.js'
import type { FieldWrite } from '../../../bytecode/token-facts.js'
import { defineDetector, type Finding } from '../detector.js'
import { controlFinding, readControls } from '../field-control.js'
import { severityOfPower } from '../power-severity.js'
import type { Subject } from '../subject.js'
import { type GateField, gateWith, readGateFields } from '../transfer-gates.js'

/** Flags lists of accounts that cannot transfer. */
export const blacklist = defineDetector({
  id: 'blacklist',
  title: 'Accounts Can Be Blocked',
  description: 'A privileged account can put your account on a list, and you can then no longer transfer or sell.',
  openDescription: 'Any address can put your account on a list, and you can then no longer transfer or sell.',
  confidence: 'high',
  detect: (subject) => findLists(subject, 'blocks'),
})

/**
 * Lists whose entry, once set, `blocks` its account or is what lets it `passes`, as far as `counts`
 * accepts them.
 */
export function findLists(
  subject: Subject,
  entry: 'blocks' | 'passes',
  counts: (field: GateField) => boolean = () => true,
): Finding[] {
  return readGateFields(subject)
    .filter(({ key, isSwitch }) => key !== 'variable' && isSwitch)
    .flatMap((field) => {
      const [empty, set] = [gateWith(subject, field, 0n), gateWith(subject, field, 1n)]
      if (empty === undefined || set !== entry || empty === entry || !counts(field)) return []
      const who = field.key === 'receiver' ? 'receiver' : field.key === 'sender' ? 'sender' : 'caller'
      return readControls(subject, field.source)
        .filter(({ write }) => !isOwnAffair(subject, write))
        .map((control) =>
          controlFinding(
            subject,
            field.source,
            control,
            severityOfPower(subject, control.power, 'high'),
            entry === 'blocks' ? `a listed ${who} is refused` : `only a listed ${who} passes`,
          ),
        )
    })
}

/** What an account writes about itself, or agrees to: no power over others. */
export const isOwnAffair = ({ facts }: Subject, write: FieldWrite, all?: readonly ContractFacts[]): boolean =>
  isOwnEntry(write.effect.key) || needsConsent(facts, write, all)

/** The caller, or the signer, writes about itself. */
function isOwnEntry(key: Term): boolean {
  const [account] = classifyKey(key).keys
  const sources = account?.taint.sources ?? []
  return account?.op === 'returned' || (sources.includes(SOURCE.caller) && !sources.some(fromArgument))
}

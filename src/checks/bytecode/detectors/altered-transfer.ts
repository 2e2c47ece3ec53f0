import { type AlteredTransfer, readAlteredTransfers } from '../altered-transfers.js'
import { defineDetector } from '../detector.js'
import { controlFinding, readControls } from '../field-control.js'
import { severityOfPower } from '../power-severity.js'
import { isOwnAffair } from './blacklist.js'

/** Flags lists and switches that make another transfer of the one that was asked for. */
export const alteredTransfer = defineDetector({
  id: 'altered-transfer',
  title: 'Transfers Can Be Altered',
  description:
    'A privileged account can mark your account, or all of them: a transfer then takes more than you asked for, or what you send does not arrive.',
  confidence: 'high',
  detect: (subject) =>
    readAlteredTransfers(subject)
      .filter(isDecided)
      .flatMap((field) =>
        readControls(subject, field.source)
          .filter(({ write }) => !isOwnAffair(subject, write) && canAlter(field, write.effect.value))
          .map((control) =>
            controlFinding(
              subject,
              field.source,
              control,
              severityOfPower(subject, control.power, 'high'),
              `${nameAltered(field)} takes more than was asked, or does not arrive`,
            ),
          ),
      ),
})

/** An account's entry decides whatever its values are; of a variable both positions are known. */
const isDecided = ({ key, empty, set }: AlteredTransfer) =>
  key !== 'variable' || (empty !== undefined && set !== undefined)

/** Not where only the harmless position is written. */
const canAlter = ({ empty, set }: AlteredTransfer, { op, value }: { op: string; value: bigint }) =>
  op !== 'const' || (value === 0n ? empty : set) !== 'passes'

const nameAltered = ({ key, empty }: AlteredTransfer) => {
  if (key === 'variable') return `with the switch ${empty === 'alters' ? 'off' : 'on'}, a transfer`
  const who = key === 'origin' ? 'caller' : key
  return empty === 'alters' ? `a transfer whose ${who} is not listed` : `a transfer whose ${who} is listed`
}

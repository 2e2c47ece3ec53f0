import { defineDetector } from '../detector.js'
import { controlFinding, readControls } from '../field-control.js'
import { keepsSet } from '../keeps-set.js'
import { severityOfPower } from '../power-severity.js'
import { gateWith, readGateFields } from '../transfer-gates.js'

/** Flags switches that stop all transfers. */
export const tradingSwitch = defineDetector({
  id: 'trading-switch',
  title: 'Transfers Can Be Stopped',
  description: 'A privileged account can stop all transfers, sells included, with one switch.',
  openDescription:
    'Any address can call a function that writes the switch by which all transfers, sells included, are stopped.',
  confidence: 'high',
  detect: (subject) =>
    readGateFields(subject)
      .filter(({ key, isSwitch }) => key === 'variable' && isSwitch)
      .flatMap((field) => {
        const positions = [gateWith(subject, field, 0n), gateWith(subject, field, 1n)]
        if (!positions.includes('blocks') || !positions.includes('passes')) return []
        return readControls(subject, field.source).flatMap((control) => {
          const { value } = control.write.effect
          // A switch that can only be opened is no power.
          if (value.op === 'const' && gateWith(subject, field, value.value) !== 'blocks') return []
          if (positions[1] === 'passes' && keepsSet(control.write, field.source)) return []
          return controlFinding(
            subject,
            field.source,
            control,
            severityOfPower(subject, control.power, 'high'),
            'stops transfers',
          )
        })
      }),
})

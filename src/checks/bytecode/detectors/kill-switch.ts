import { hardforkAt, isSince } from '../../../chains/chain.js'
import type { Severity } from '../bytecode-report.js'
import { defineDetector } from '../detector.js'
import { readPower, type Subject } from '../subject.js'

/**
 * Flags code that can run SELFDESTRUCT. Since EIP-6780 (Cancun) the code and the tokens stay unless
 * the contract was made in the same transaction; the native coin still leaves.
 */
export const killSwitch = defineDetector({
  id: 'kill-switch',
  title: 'Kill Switch Detected',
  description:
    'The contract can destroy itself. Under the rules since Cancun (EIP-6780) its code and token balances stay, but all native coin it holds is sent away; on older rules everything is lost.',
  confidence: 'high',
  detect(subject) {
    return subject.facts.functions.flatMap((fn) =>
      fn.effects
        .filter((effect) => effect.kind === 'destruct')
        .map(({ pc, node }) => {
          const power = readPower(subject, fn, node)
          const note =
            power.kind === 'anyone'
              ? 'anyone can trigger it'
              : power.kind === 'holder'
                ? 'guarded'
                : 'no address can trigger it now'
          return {
            pc,
            ...(fn.selector && { selector: fn.selector }),
            holder: power.holder,
            severity: severityOf(subject, power.kind),
            note,
          }
        }),
    )
  },
})

function severityOf({ chain, timestamp, balance }: Subject, power: ReturnType<typeof readPower>['kind']): Severity {
  if (power === 'renounced' || power === 'closed') return 'low'
  if (power === 'anyone') return 'critical'
  return !isSince(hardforkAt(chain, timestamp), 'cancun') || balance > 0n ? 'high' : 'medium'
}

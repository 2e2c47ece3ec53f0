import { ERC20 } from '../../../bytecode/roles.js'
import { fromArgument } from '../../../bytecode/source.js'
import type { Severity } from '../bytecode-report.js'
import { defineDetector } from '../detector.js'
import { readPower } from '../subject.js'

/** Flags code that deploys other contracts. Ordinary for a factory, odd for a token. */
export const dynamicDeployment = defineDetector({
  id: 'dynamic-deployment',
  title: 'Dynamic Deployment',
  description:
    'The contract can deploy further contracts. Code that does not exist yet cannot be checked, so whatever it is trusted with later is unknown today.',
  confidence: 'high',
  detect: (subject) =>
    subject.facts.functions.flatMap((fn) =>
      fn.effects.flatMap((effect) => {
        if (effect.kind !== 'create') return []
        const power = readPower(subject, fn, effect.node)
        const foreign = effect.codeTaint.sources.some(fromArgument)
        const inTransfer = fn.entry.kind === 'function' && TRANSFERS.has(fn.entry.selector)
        const note = [
          effect.op,
          inTransfer ? 'during a transfer' : undefined,
          foreign ? 'code chosen by the caller' : 'code fixed in the contract',
        ]
        return {
          pc: effect.pc,
          ...(fn.selector && { selector: fn.selector }),
          holder: power.holder,
          severity: (inTransfer ? 'medium' : 'low') satisfies Severity as Severity,
          note: note.filter(Boolean).join(', '),
        }
      }),
    ),
})

const TRANSFERS: ReadonlySet<number> = new Set([ERC20.transfer, ERC20.transferFrom])

import { setFlagsFromString } from 'node:v8'

/** Four times what V8 takes by itself, in units of bytecode that a function has run through. */
const INTERRUPT_BUDGET = 528_000

/**
 * Has V8 run a function longer before it optimizes it: analyses run much code a little. Newer
 * releases of V8 decide by other numbers, do not know this one, and are left as they are.
 */
export function optimizeLater(version = process.versions.v8, set = setFlagsFromString): void {
  if (version.startsWith('11.')) set(`--interrupt-budget=${INTERRUPT_BUDGET}`)
}

import { createRequire } from 'node:module'
import { BaseError } from '../../errors.js'

/**
 * The part of the native module that is used: its inner classes, which take bytes, where the outer
 * ones convert to and fro.
 */
export type LiteSvmModule = typeof import('litesvm/dist/internal.js')
export type LiteSvm = InstanceType<LiteSvmModule['LiteSvm']>

/**
 * Loads the native virtual machine. Throws {@link SvmUnavailableError} on platforms that it was not
 * built for.
 */
export function loadLiteSvm(): LiteSvmModule {
  try {
    return createRequire(import.meta.url)('litesvm/dist/internal.js') as LiteSvmModule
  } catch (cause) {
    throw new SvmUnavailableError(cause)
  }
}

/** Nothing can be executed here: there is no build of the virtual machine for this platform. */
export class SvmUnavailableError extends BaseError {
  override readonly name = 'SvmUnavailableError'
  constructor(cause?: unknown) {
    super('Solana programs cannot be executed on this platform', { cause, docs: 'docs/solana.md' })
  }
}

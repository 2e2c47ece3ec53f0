import type { KeyVerifier } from './verify-key.js'

/** Writes last uses every {@link WRITE_MS}: one short transaction then, and nothing per request. */
export function writeUses(verifier: Pick<KeyVerifier, 'flush'>, onFailure: (error: unknown) => void) {
  const write = () => verifier.flush().catch(onFailure)
  const timer = setInterval(write, WRITE_MS).unref()
  return {
    /** Writes what is left. The store must still be open. */
    async stop(): Promise<void> {
      clearInterval(timer)
      await write()
    },
  }
}

const WRITE_MS = 10_000

/** What has something to write. */
interface Flushed {
  flush(): Promise<void>
}

/** Writes what keys did every {@link WRITE_MS}: short transactions, and nothing per request. */
export function writeUses(written: readonly Flushed[], onFailure: (error: unknown) => void) {
  const write = async () => {
    for (const each of written) await each.flush().catch(onFailure)
  }
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

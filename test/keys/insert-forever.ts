import { createSystemClock } from '../../src/clock.js'
import { createKeyStore } from '../../src/keys/create-key-store.js'
import { issueKey } from '../../src/keys/issue.js'

/** Adds keys until it is killed, and prints a line after each that was accepted. */
const store = await createKeyStore({ dataDir: process.argv[2] ?? '', databaseUrl: undefined })
for (;;) {
  const { record } = await issueKey({ store, clock: createSystemClock() }, { label: 'x', tier: 'free' })
  process.stdout.write(`${record.id}\n`)
}

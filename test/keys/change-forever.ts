import { createSystemClock } from '../../src/clock.js'
import { createKeyStore } from '../../src/keys/create-key-store.js'
import { issueKey } from '../../src/keys/issue.js'
import { revokeKey } from '../../src/keys/revoke.js'

/**
 * Adds keys and revokes every other one until it is killed. Prints a line after each change that
 * was accepted: `+ key`, `- key`.
 */
const store = await createKeyStore({ dataDir: process.argv[2] ?? '', databaseUrl: undefined })
const clock = createSystemClock()
for (let turn = 0; ; turn += 1) {
  const { key, record } = await issueKey({ store, clock }, { label: 'x', tier: 'free' })
  process.stdout.write(`+ ${key}\n`)
  if (turn % 2 === 0) continue
  await revokeKey({ store, clock }, record.id)
  process.stdout.write(`- ${key}\n`)
}

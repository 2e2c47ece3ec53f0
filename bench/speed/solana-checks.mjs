// Checks tokens one after the other, and says what each took. Bundled and run by
// `solana-stage.ts` with the node's address and the number of threads.
import { randomBytes } from 'node:crypto'
import { createCheckSolanaToken } from '../../src/checks/solana/check-token.js'
import { createReadSets } from '../../src/checks/solana/read-sets.js'
import { TRUSTED_MINTS } from '../../src/checks/solana/trusted-mints.js'
import { createSystemClock } from '../../src/clock.js'
import { createProgramMemory } from '../../src/solana/program-memory.js'
import { createSolanaRpc } from '../../src/solana/rpc/solana-rpc-client.js'
import { createSvmEngine } from '../../src/solana/svm/engine.js'

const [url, threads] = process.argv.slice(2)
const clock = createSystemClock()
const check = createCheckSolanaToken({
  rpc: createSolanaRpc({ urls: [url], clock }),
  engine: createSvmEngine({ threads: Number(threads) }),
  clock,
  programs: createProgramMemory(),
  readSets: createReadSets(),
  trusted: TRUSTED_MINTS,
  newSeed: () => `0x${randomBytes(32).toString('hex')}`,
  maxHeadAgeMs: Number.POSITIVE_INFINITY,
})

process.on('message', async (address) => {
  const before = process.cpuUsage()
  const error = await check({ address }).then(
    () => undefined,
    (thrown) => String(thrown),
  )
  const { user, system } = process.cpuUsage(before)
  process.send({ cpuMs: (user + system) / 1_000, error })
})
process.on('disconnect', () => process.exit(0))
process.send('ready')

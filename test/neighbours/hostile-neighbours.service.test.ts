import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.js'
import { HTTP_BOUNDS } from '../../src/http/bounds.js'
import { startService } from '../../src/wiring/start-service.js'
import { createTestSchemas, hasPostgres } from '../postgres.js'
import { hasRedis, REDIS } from '../redis.js'
import { someOf } from '../some-of.js'
import { ATTACKS } from './hostile-callers.js'
import { EXAMPLES, type Neighbourhood, type NeighbourhoodOptions, startNeighbourhood } from './neighbourhood.js'

/**
 * An attacker takes all that it can of one resource, while a victim with another key asks about
 * other tokens. How long the victim waits is for `npm run bench:neighbours`.
 */
const LONG = 120_000
/** One attack in so many, other ones for one process and for two. */
const SHARE = 20
/** How busy this machine is must not decide who is served, and what is said. */
const PATIENT = { ...HTTP_BOUNDS, analysisMs: 100_000, turnMs: 90_000 }

const start: NeighbourhoodOptions['start'] = (env) => startService(readConfig(env), PATIENT)

function suite(attacks: typeof ATTACKS, open: () => Promise<Omit<NeighbourhoodOptions, 'start'>>) {
  let neighbourhood: Neighbourhood
  const quiet = new Map<string, unknown>()
  beforeAll(async () => {
    neighbourhood = await startNeighbourhood({ start, ...(await open()) })
    for (const example of EXAMPLES) quiet.set(example, (await neighbourhood.ask(example)).verdict)
  }, LONG)
  afterAll(() => neighbourhood?.stop(), LONG)

  test('without an attack, an honest token and a trap are told apart', () => {
    expect(quiet.get('clean')).toMatchObject({ trade: [true, false, '0'] })
    expect(quiet.get('sell-blocked')).toMatchObject({ trade: [false, true, expect.anything()] })
  })

  test.each(attacks)(
    '$name: the victim is served, and its verdicts are the same',
    async (attack) => {
      const answers = await neighbourhood.under(attack, async () => {
        const asked = [...EXAMPLES, ...EXAMPLES]
        const found: unknown[] = []
        for (const example of asked) found.push({ example, ...(await neighbourhood.ask(example)) })
        return found
      })
      for (const answer of answers) {
        const { example } = answer as { example: string }
        expect(answer).toEqual({ example, status: 200, code: undefined, verdict: quiet.get(example) })
      }
    },
    LONG,
  )

  test(
    'batches, and webhooks that hang: a batch of the victim ends, and its webhook is told',
    async () => {
      const attack = ATTACKS.find(({ name }) => name.startsWith('batches')) ?? expect.unreachable()
      expect(await neighbourhood.under(attack, () => neighbourhood.orderBatch())).toEqual({
        done: 1,
        webhook: 'delivered',
      })
    },
    LONG,
  )
}

describe('one process with a file', () => suite(someOf(ATTACKS, SHARE), async () => ({ processes: 1 })))

const REDIS_URL = `${REDIS}/12`
const isFleetPossible = (await hasPostgres()) && (await hasRedis())
describe.skipIf(!isFleetPossible)(
  'two processes on one PostgreSQL and one Redis (skipped where they are missing)',
  () => {
    const schemas = createTestSchemas('assay_neighbours')
    const emptyRedis = async () => {
      const redis = new Redis(REDIS_URL)
      await redis.flushdb()
      redis.disconnect()
    }
    beforeAll(emptyRedis)
    afterAll(async () => {
      await emptyRedis()
      await schemas.drop()
    })
    suite(someOf(ATTACKS, SHARE, 3), async () => ({
      processes: 2,
      env: { DATABASE_URL: await schemas.newUrl(), REDIS_URL },
    }))
  },
)

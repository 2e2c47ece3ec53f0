import { afterAll, describe, expect, test } from 'vitest'
import { createSimulator } from '../../src/simulation/simulator.js'
import { isWhole } from '../some-of.js'
import { threadsOfWorker } from '../threads-of-worker.js'
import { ATTACKS, sufferAttack } from './attacks.js'

/** How often each attack is repeated. `npm run bench attacks` does it a thousand times. */
const REPEATS = Number(process.env.ASSAY_ATTACK_REPEATS ?? (isWhole ? 3 : 1))
/**
 * A machine that is busy with other things may end by the clock what a bound of its own would have
 * ended.
 */
const CLOCK = 'time'

const simulator = createSimulator({ threads: threadsOfWorker().trades })
afterAll(() => simulator.close())

describe('an attack on the analyst', () => {
  test.each(ATTACKS)('$name: ends with its reason, each time', { timeout: 20_000 * REPEATS }, async (attack) => {
    for (let round = 0; round < REPEATS; round += 1) {
      expect([...attack.ends, CLOCK]).toContain(await sufferAttack(simulator, attack))
    }
  })

  test('leaves a pool that works, in the same process', async () => {
    expect(await sufferAttack(simulator, { code: '0x00' })).toBe('success')
  })
})

import { describe, expect, test } from 'vitest'
import { createCodeCache } from '../../src/evm/code.js'
import { HOT_AT_ONCE } from '../../src/evm/heat.js'
import { isWhole, TURN_OF_RUN } from '../some-of.js'
import { draftBlsPrecompiles } from './draft-bls-precompiles.js'
import { hasSharedData, readShared, sharedFiles } from './shared-data.js'
import { runStateTestCase, type StateTest } from './state-test.js'

/** Cases that this engine does not pass, and why that is right. */
const EXCEPTIONS: Record<string, string> = {
  'CALLBlake2f_MaxRounds::CALLBlake2f_MaxRounds':
    '4,294,967,295 rounds of BLAKE2F for as much gas, 71 full blocks: correct here as well, after a quarter of an hour',
  'static_LoopCallsDepthThenRevert2::static_LoopCallsDepthThenRevert2':
    'has a gas limit of 2^63; gas is counted in exact numbers up to 2^53, more than all blocks of a year hold together',
  'static_LoopCallsDepthThenRevert3::static_LoopCallsDepthThenRevert3': 'the same',
}

/**
 * These follow the draft of EIP-2537 that had two more precompiles, other addresses and other
 * prices.
 */
const DRAFT_FILES = new Set(['stEIP2537.json.gz'])

/** One case in so many is run, others each day. */
const SHARE = 12

/** How many failures a message lists; the first few show the cause. */
const SHOWN_FAILURES = 10

/** A bound of despair: a file takes some seconds. */
const TIMEOUT_MS = 600_000

/**
 * Runs the share `part` of `parts` of all cases of the Ethereum general state tests, so that
 * several workers can divide the work: case by case, because a few files hold most of it. A case
 * passes when the state root and the hash of the logs are right, which an error in a single unit of
 * gas changes.
 */
export function describeGeneralStateTests(part: number, parts: number): void {
  describe.skipIf(!hasSharedData())('general state tests', () => {
    const shares = isWhole ? parts : parts * SHARE
    const turn = isWhole ? part : part + parts * (TURN_OF_RUN % SHARE)
    let count = 0
    test.each(sharedFiles('state-tests'))('%s', { timeout: TIMEOUT_MS }, async (file) => {
      const failures: string[] = []
      for (const { name, stateTest, fork, expected } of readCases(file)) {
        count += 1
        if (count % shares !== turn) continue
        const precompiles = DRAFT_FILES.has(file) ? { precompiles: draftBlsPrecompiles() } : {}
        const hot = { codeCache: createCodeCache(HOT_AT_ONCE) }
        for (const [way, options] of Object.entries({ interpreted: {}, hot })) {
          const failure = await runStateTestCase(stateTest, fork, expected, { ...precompiles, ...options })
          if (failure === undefined) continue
          failures.push(`${name} ${fork} ${JSON.stringify(expected.indexes)}, ${way}: ${failure}`)
        }
      }
      expect(failures.slice(0, SHOWN_FAILURES), `${failures.length} cases failed`).toEqual([])
    })
    test('every file was read', () => expect(count).toBeGreaterThan(MIN_CASES))
  })
}

/** Of all files together. */
const MIN_CASES = 14_000

function readCases(file: string) {
  const tests = Object.entries(readShared<StateTest>('state-tests', file)).filter(([name]) => !(name in EXCEPTIONS))
  return tests.flatMap(([name, stateTest]) =>
    Object.entries(stateTest.post).flatMap(([fork, cases]) =>
      cases.map((expected) => ({ name, stateTest, fork, expected })),
    ),
  )
}

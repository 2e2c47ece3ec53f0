import { expect, test } from 'vitest'
import { compileFixtures, listSettings } from '../bench/accuracy/bytecode-compilers.js'
import { readFixtures } from '../src/checks/bytecode/expectations.conformance.js'
import { someOf } from './some-of.js'

/** Where the language had other words. Each takes seconds, so that one has its turn. */
const OLD = listSettings().filter(({ version, runs }) => version < 800 && runs === 200)

/** What the accuracy of detectors is measured with is compiled by each generation of compilers. */
test.each(someOf(OLD, OLD.length))(
  'examples of detectors are code for $label',
  (setting) => {
    // What leaves checks of arithmetic out, or is of today's language, is none for them.
    expect(compileFixtures(setting).length).toBeGreaterThan(readFixtures().length / 3)
  },
  300_000,
)

import { expect, test } from 'vitest'
import { readBenign } from './benign.conformance.js'
import { detectors } from './detectors/index.js'
import { findFlags } from './find-flags.js'
import { createUnknownSubject } from './unknown-storage.conformance.js'

const benign = readBenign()

test('there is widely used code to look at', () => {
  expect(benign.length).toBeGreaterThan(40)
})

test.each(benign.map(({ name, code }) => [name, code] as const))(
  '%s is seen completely and has no HIGH flag',
  (_, code) => {
    const subject = createUnknownSubject(code)
    const { flags, failed } = findFlags(detectors, [subject])
    expect(failed).toEqual([])
    expect(subject.facts.gaps).toEqual([])
    expect(
      flags.filter(({ threatLevel }) => threatLevel === 'HIGH').map(({ id, evidence }) => ({ id, evidence })),
    ).toEqual([])
  },
)

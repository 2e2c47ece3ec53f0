import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Hex } from '../../hex.js'

/** A compiled contract of `contracts/detectors/` with what its documentation promises. */
export interface Fixture {
  name: string
  creationCode: Hex
  expected: readonly string[]
  ignored: readonly string[]
}

const GENERATED = resolve(import.meta.dirname, '../../../contracts/generated')

interface Artifact {
  contractName: string
  source: string
  bytecode: Hex
  devdoc: Record<string, unknown>
}

/** Every contract of `contracts/detectors/` that says what detectors are to find in it. */
export function readFixtures(): Fixture[] {
  const artifacts = readdirSync(GENERATED)
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(join(GENERATED, name), 'utf8')) as Artifact)
  const names = (tag: unknown) => (typeof tag === 'string' ? tag.split(',').map((name) => name.trim()) : [])
  return artifacts
    .filter(({ source }) => source.startsWith('contracts/detectors/'))
    .map(({ contractName, bytecode, devdoc }) => ({
      name: contractName,
      creationCode: bytecode,
      expected: names(devdoc['custom:expect']),
      ignored: names(devdoc['custom:ignore']),
    }))
}

export const readExpectations = (): Map<string, Fixture> =>
  new Map(readFixtures().map((fixture) => [fixture.name, fixture]))

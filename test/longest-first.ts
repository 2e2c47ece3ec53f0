import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files of half a minute and more. One that begins late keeps a single processor busy at the end;
 * on a machine that remembers no earlier run, the order would go by the sizes of the files.
 */
const LONGEST = [
  'one-verdict.service',
  'traps/traps.devnet',
  'hostile-neighbours.service',
  'powers/powers.devnet',
  'ordinary.devnet',
  'examples.service',
  'fleet.service',
  'replay.service',
  'stop-under-way.service',
  'process-faults.service',
]

const placeOf = ({ moduleId }: TestSpecification) => {
  const place = LONGEST.findIndex((name) => moduleId.endsWith(`${name}.test.ts`))
  return place < 0 ? LONGEST.length : place
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}

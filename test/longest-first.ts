import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * A worker ends where the next file is of another project, and a new one begins with nothing loaded
 * or compiled: each project is done before the next begins, and the one with the shortest files is
 * the last.
 */
const PROJECTS = ['devnet', 'service', 'browser', 'unit']

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
  'venues/spoilt-price.devnet',
  'ordinary/honest-shapes.devnet',
  'examples.service',
  'fleet.service',
  'replay.service',
  'stop-under-way.service',
  'process-faults.service',
  'real-blocks/real-blocks',
]

const placeOf = ({ moduleId }: TestSpecification) => {
  const place = LONGEST.findIndex((name) => moduleId.endsWith(`${name}.test.ts`))
  return place < 0 ? LONGEST.length : place
}

const projectOf = ({ project }: TestSpecification) => PROJECTS.indexOf(project.name)

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => projectOf(a) - projectOf(b) || placeOf(a) - placeOf(b))
  }
}

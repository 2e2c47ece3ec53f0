import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * A worker ends where the next file is of another project, and a new one begins with nothing loaded
 * or compiled: each project is done before the next begins, and the shortest files are the last.
 */
const PROJECTS = ['browser', 'devnet', 'service', 'unit', 'together']

/**
 * Files that take long, in their order within a project. Those that mostly wait, for a claim to run
 * out or a node to be given up, begin early and stand between those that compute, which fill the
 * processors meanwhile. On a machine that remembers no earlier run, the order would go by the
 * sizes of the files.
 */
const LONGEST = [
  'fuzz/node-answers.devnet',
  'traps/traps.devnet',
  'venues/real-code.devnet',
  'rpc-state-source.devnet',
  'solana/lying-methods.devnet',
  'powers/powers.devnet',
  'dex/venues.devnet',
  'devnet/anvil.devnet',
  'ordinary.devnet',
  'venues/spoilt-price.devnet',
  'ordinary/honest-shapes.devnet',
  'fleet/fleet.service',
  'one-verdict.service',
  'examples.service',
  'job-queue.service',
  'replay.service',
  'stop-under-way.service',
  'redis-outages.service',
  'hostile-neighbours.service',
  'catalogue/hostile-code.service',
  'contacts.service',
  'cli/demo-command.service',
  'process-faults.service',
  'simulation/simulator',
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

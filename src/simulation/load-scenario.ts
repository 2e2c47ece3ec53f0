/**
 * Where something to play stands, because functions cannot be sent to a thread: the module that
 * defines it, by its `import.meta.url`, and under which name.
 */
export interface Playable {
  module: string
  name: string
}

/**
 * What this thread has loaded, as many as there are scenarios. A bundle puts several modules into
 * one file and gives what it exports other names, so a scenario is found by what it says of itself.
 */
const defined = new Map<string, Playable>()

const keyOf = ({ module, name }: Playable) => `${module} ${name}`

/** Makes a scenario known to the thread that has loaded its module. */
export function define<Scenario extends Playable>(scenario: Scenario): Scenario {
  defined.set(keyOf(scenario), scenario)
  return scenario
}

/** For threads: the scenario of this name. Throws a `TypeError` where there is none. */
export async function loadScenario<Scenario extends Playable>(wanted: Playable): Promise<Scenario> {
  if (!defined.has(keyOf(wanted))) await import(wanted.module)
  const scenario = defined.get(keyOf(wanted))
  if (scenario === undefined) throw new TypeError(`${wanted.module} defines no scenario ${wanted.name}`)
  return scenario as Scenario
}

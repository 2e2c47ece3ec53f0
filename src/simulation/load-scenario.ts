/**
 * Where something to play stands, because functions cannot be sent to a thread: the module that
 * exports it, by its `import.meta.url`, and under which name.
 */
export interface Playable {
  module: string
  name: string
}

/**
 * To import what is there already takes a millisecond all the same, where loading goes through
 * another thread. As many as there are scenarios.
 */
const loaded = new Map<string, unknown>()

/** For threads: the scenario of this name. Throws a `TypeError` where there is none. */
export async function loadScenario<Scenario extends Playable>({ module, name }: Playable): Promise<Scenario> {
  const key = `${module} ${name}`
  const known = loaded.get(key) ?? (await importScenario(module, name))
  loaded.set(key, known)
  return known as Scenario
}

async function importScenario(module: string, name: string): Promise<unknown> {
  const exported: Record<string, unknown> = await import(module)
  const scenario = exported[name]
  if (typeof scenario !== 'object' || scenario === null || !('run' in scenario)) {
    throw new TypeError(`${module} exports no scenario ${name}`)
  }
  return scenario
}

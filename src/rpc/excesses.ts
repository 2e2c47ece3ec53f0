import type { Clock } from '../clock.js'
import type { Ability, Capabilities } from './capabilities.js'
import type { Suspect } from './suspect.js'

/**
 * Remembers which abilities of a node are of no use for which contract, because its answers there
 * were too much. Everything else keeps them.
 */
export interface Excesses {
  note(suspect: Suspect, endpoint: number, ability: Ability): void
  /** What the node can do for this contract. */
  without(suspect: Suspect, endpoint: number, capabilities: Capabilities): Capabilities
}

export function createExcesses(clock: Clock): Excesses {
  const until = new Map<string, number>()
  /** The abilities that were ever noted: all that has to be looked for. */
  const noted = new Set<Ability>()
  const keyOf = (suspect: Suspect, endpoint: number, ability: Ability) => `${endpoint}:${ability}:${suspect}`
  return {
    note(suspect, endpoint, ability) {
      const key = keyOf(suspect, endpoint, ability)
      noted.add(ability)
      until.delete(key)
      until.set(key, clock.monotonic() + REMEMBERED_MS)
      for (const oldest of until.keys()) {
        if (until.size <= MAX_REMEMBERED) break
        until.delete(oldest)
      }
    },
    without(suspect, endpoint, capabilities) {
      const lost = [...noted].filter(
        (ability) => (until.get(keyOf(suspect, endpoint, ability)) ?? 0) > clock.monotonic(),
      )
      return lost.length === 0
        ? capabilities
        : { ...capabilities, ...Object.fromEntries(lost.map((ability) => [ability, false])) }
    },
  }
}

/** A contract's trace does not get shorter by itself. */
const REMEMBERED_MS = 300_000
/**
 * The oldest is forgotten first: its contract costs one late answer again, and nothing else is
 * lost.
 */
const MAX_REMEMBERED = 1_000
